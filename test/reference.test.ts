/** docs/reference.md has every command, option, variable and exit status, as the program has them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { WITH_TABLES, withTables } from "../scripts/reference.ts";
import { COMMAND_NAMES, commandOf, COMMON } from "../src/commands/commands.ts";
import { readCommandLine } from "../src/commands/command-line.ts";
import { EXIT, SIGNAL_STATUS } from "../src/contract/errors.ts";
import { optionsOf, SETTING_KEYS, VARIABLES } from "../src/settings/sources.ts";

const ROOT = join(import.meta.dirname, "..");
const text = readFileSync(join(ROOT, "docs/reference.md"), "utf8");
const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

test.each(WITH_TABLES)(
  "docs/%s is what the tables give: npm run format writes it",
  async (name) => {
    const written = readFileSync(join(ROOT, "docs", name), "utf8");
    expect(written).toContain("<!-- table ");
    expect(written).toBe(await withTables(name));
  },
);

test("docs/reference.md has a row for every command, option, variable and status", () => {
  const explained = [...text.matchAll(/^\| `([^`]+)`/gm)].map(
    ([, cell = ""]) => cell.split(" ")[0],
  );
  const options = COMMAND_NAMES.flatMap((name) => optionsOf(commandOf(name).settings));
  expect(explained).toEqual(
    expect.arrayContaining([
      ...COMMAND_NAMES,
      ...options.map(({ name }) => `--${name}`),
      ...VARIABLES,
      ...[...Object.values(EXIT), ...Object.values(SIGNAL_STATUS)].map(String),
    ]),
  );
});

test("every npm script is a command of the same name, or explained as a script", () => {
  for (const [name, line] of Object.entries(scripts)) {
    if (!text.includes(`\`npm run ${name}\``) && name !== "test") {
      expect(line).toBe(`node scripts/commonplace.mjs ${name}`);
      expect(COMMAND_NAMES).toContain(name);
    }
  }
});

test("every setting belongs to a command, whose --help names it", () => {
  const used = COMMAND_NAMES.flatMap((name) => commandOf(name).settings);
  expect(SETTING_KEYS.filter((key) => !used.includes(key))).toEqual([]);
  for (const name of COMMAND_NAMES) {
    const request = readCommandLine([name, "-h"]);
    const help = request.kind === "print" ? request.text : "";
    for (const option of optionsOf(commandOf(name).settings))
      expect(help).toContain(`--${option.name}`);
    for (const key of commandOf(name).settings)
      if (VARIABLES.includes(key)) expect(help).toContain(key);
  }
});

test("common options are accepted by every command on a site, and an idle one is named", () => {
  for (const name of COMMAND_NAMES.filter((each) => commandOf(each).common)) {
    for (const { name: option, value } of optionsOf(COMMON)) {
      const values: Record<string, string> = {
        shard: "1/2",
        host: "s3",
        "base-url": "https://a.b",
      };
      const given = value === undefined ? [] : [values[option] ?? "3"];
      const request = readCommandLine([name, `--${option}`, ...given]);
      const known = optionsOf(commandOf(name).settings).some((each) => each.name === option);
      expect(request).toMatchObject({ kind: "run", idle: known ? [] : [option] });
    }
  }
});
