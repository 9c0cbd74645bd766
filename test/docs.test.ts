/** The documentation says nothing that is not so: commands, options, variables, files of the state, links. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { auditProgram } from "../src/commands/audit.ts";
import { buildProgram } from "../src/commands/build.ts";
import { exportProgram } from "../src/commands/export.ts";
import { harvestProgram } from "../src/commands/harvest-program.ts";
import { mergeProgram } from "../src/commands/merge.ts";
import { planProgram } from "../src/commands/plan.ts";
import { renderProgram } from "../src/commands/render.ts";
import { EXIT } from "../src/contract/errors.ts";
import * as options from "../src/settings/options.ts";
import { VARIABLES } from "../src/settings/variables.ts";

const ROOT = join(import.meta.dirname, "..");
const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");
const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };

const PROGRAMS = [
  ...[auditProgram, buildProgram, exportProgram, harvestProgram],
  ...[mergeProgram, planProgram, renderProgram],
];
const optionsOf = new Map(PROGRAMS.map(({ name, options }) => [name, Object.keys(options)]));
optionsOf.set("bench", ["quotes", "against"]);
const anyOption = Object.entries(options)
  .filter(([name]) => name.endsWith("_OPTIONS"))
  .flatMap(([, table]) => Object.keys(table));

/** `npm run plan -- --json` gives `plan` and its options, wherever it stands. */
function commandsIn(text: string): { script: string; options: string[] }[] {
  return Array.from(
    text.matchAll(/npm run ([a-z]+)(?: -- ([^\n`#&|"]*))?/g),
    ([, script = "", rest = ""]) => ({
      script,
      options: Array.from(rest.matchAll(/--([a-z][a-z-]*)/g), ([, name = ""]) => name),
    }),
  );
}

describe.each(["README.md", "CONTRIBUTING.md", ...globSync("docs/*.md", { cwd: ROOT })])(
  "%s",
  (file) => {
    const text = read(file);

    test("every command is there, with every option it is given", () => {
      for (const { script, options } of commandsIn(text)) {
        expect(Object.keys(scripts)).toContain(script);
        const known = [...(optionsOf.get(script) ?? anyOption), "help"];
        for (const option of options) expect(known, `npm run ${script}`).toContain(option);
      }
    });

    test("every link inside the project leads somewhere", () => {
      const links = Array.from(
        text.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g),
        ([, link = ""]) => link,
      );
      const inside = links.filter((link) => !/^[a-z]+:/.test(link));
      const broken = inside.filter((link) => !existsSync(join(ROOT, dirname(file), link)));
      expect(broken).toEqual([]);
    });

    test("every variable is one that is read", () => {
      const named = text.match(/\b(?:QUOTES|SITE|VOTE|RELAY|STATE)_[A-Z_]+\b/g) ?? [];
      const unknown = named.filter((name) => !(name in VARIABLES));
      expect(unknown).toEqual([]);
    });
  },
);

test("docs/operating.md says of each exit status what it asks", () => {
  const text = read("docs/operating.md");
  const explained = new Set(
    text.match(/^\| `\d+`.*?\|/gm)?.flatMap((row) => row.match(/\d+/g) ?? []),
  );
  expect([...explained].map(Number).sort((a, b) => a - b)).toEqual([
    ...Object.values(EXIT),
    130,
    143,
  ]);
});

test("docs/operating.md names files of the state that something writes", () => {
  const sources = globSync("src/**/*.ts", { cwd: ROOT }).map(read).join("\n");
  const table = /## What to keep\n(.*?)\n## /s.exec(read("docs/operating.md"))?.[1] ?? "";
  const names = Array.from(table.matchAll(/^\|(.*?)\|/gm), ([, cell = ""]) => cell)
    .flatMap((cell) => cell.match(/`([\w.-]+)\/?`/g) ?? [])
    .map((name) => name.replace(/[`/]/g, ""));
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) expect(sources, name).toContain(`"${name}"`);
});
