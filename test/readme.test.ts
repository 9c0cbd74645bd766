/** The README names every script, option, variable and exit status, and opens with the two lines that must work. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EXIT } from "../src/contract/errors.ts";
import * as options from "../src/settings/options.ts";
import { VARIABLES } from "../src/settings/variables.ts";

const ROOT = join(import.meta.dirname, "..");
const readme = readFileSync(join(ROOT, "README.md"), "utf8");
const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

/** Rows of tables start with what they explain, in code marks. */
const explained = new Set(
  [...readme.matchAll(/^\| `([^`]+)`/gm)].map(([, cell = ""]) => cell.split(" ")[0] ?? ""),
);

/** Every table of options there is, also one that is added later. */
const OPTIONS = Object.entries(options)
  .filter(([name]) => name.endsWith("_OPTIONS"))
  .flatMap(([, table]) => Object.keys(table));

test("the README opens with the two lines that make and test a site", () => {
  const block = /```sh\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  expect(block.trim().split("\n")).toEqual(["npm ci && npm run build", "npm ci && npm test"]);
  expect(readme.indexOf("```sh")).toBeLessThan(400);
});

test.each(Object.keys(manifest.scripts))("the README explains the script %s", (name) => {
  expect(readme).toMatch(new RegExp(`^\\| \`npm (?:run )?${name}\``, "m"));
});

test.each(OPTIONS)("the README explains the option --%s", (name) => {
  expect(explained).toContain(`--${name}`);
});

test.each(Object.keys(VARIABLES))("the README explains the variable %s", (name) => {
  expect(explained).toContain(name);
});

test.each([...Object.values(EXIT), 130, 143])("the README explains exit status %d", (status) => {
  expect(explained).toContain(String(status));
});
