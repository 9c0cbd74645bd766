/** The documentation says nothing that is not so: commands, options, variables, files of the state, links. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { packageManifest, type Manifest } from "../scripts/package/manifest.ts";
import { COMMAND_NAMES, commandOf, COMMON } from "../src/commands/commands.ts";
import { optionsOf, VARIABLES } from "../src/settings/sources.ts";
import { hasLong } from "./support/tier.ts";

const ROOT = join(import.meta.dirname, "..");
const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");
const manifest = JSON.parse(read("package.json")) as Manifest & { scripts: Record<string, string> };
const { scripts } = manifest;

/** What a program may import by the name of the package. */
const EXPORTED = Object.keys(packageManifest(manifest).exports).map((path) =>
  path.replace(/^\./, manifest.name),
);

const accepted = new Map<string, string[]>(
  COMMAND_NAMES.map((name) => {
    const { settings, common } = commandOf(name);
    const keys = common === undefined ? settings : [...settings, ...COMMON];
    return [name, [...optionsOf(keys).map((option) => option.name), "help", "version"]];
  }),
);
accepted.set("bench", ["quotes", "against", "site"]);

/** `npm run plan -- --json` and `node scripts/commonplace.mjs plan --json` give `plan` and its options. */
function commandsIn(text: string): { script: string; options: string[] }[] {
  return Array.from(
    text.matchAll(
      /(?:npm run(?: -s)?|node scripts\/commonplace\.mjs) ([a-z]+)((?: [^\n`#&|"]*)?)/g,
    ),
    ([, script = "", rest = ""]) => ({
      script,
      options: Array.from(rest.matchAll(/ --([a-z][a-z-]*)/g), ([, name = ""]) => name),
    }),
  );
}

describe.each(["README.md", "CONTRIBUTING.md", ...globSync("docs/*.md", { cwd: ROOT })])(
  "%s",
  (file) => {
    const text = read(file);

    test("every command is there, with every option it is given", () => {
      for (const { script, options } of commandsIn(text)) {
        expect([...Object.keys(scripts), ...COMMAND_NAMES]).toContain(script);
        for (const option of options) {
          expect(accepted.get(script), `${script} --${option}`).toContain(option);
        }
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

    test("every file of the source is there", () => {
      const named = Array.from(
        text.matchAll(/`((?:src|test|scripts)\/[\w./-]+)`/g),
        ([, name]) => name,
      );
      expect(named.filter((name = "") => !existsSync(join(ROOT, name)))).toEqual([]);
    });

    test("every import of the package is one of its exports", () => {
      // An import in a block of code, and a module that a sentence or a `tsconfig.json` names.
      const imported = Array.from(
        text.matchAll(
          /(?:from|import|"extends":) ?["'](?!\.)((?:astro-)?commonplace\b[^"']*)["']/g,
        ),
        ([, name = ""]) => name,
      );
      const named = Array.from(
        text.matchAll(/`(astro-commonplace\/[\w./-]+)`/g),
        ([, name = ""]) => name,
      );
      expect([...imported, ...named].filter((name) => !EXPORTED.includes(name))).toEqual([]);
    });

    test("every variable is one that is read", () => {
      const named = text.match(/\b(?:QUOTES|SITE|VOTE|RELAY|STATE)_[A-Z_]+\b/g) ?? [];
      const unknown = named.filter((name) => !(VARIABLES as readonly string[]).includes(name));
      expect(unknown).toEqual([]);
    });
  },
);

test("docs/operating.md names files of the state that something writes", () => {
  const sources = globSync("src/**/*.ts", { cwd: ROOT }).map(read).join("\n");
  const table = /## What to keep\n(.*?)\n## /s.exec(read("docs/operating.md"))?.[1] ?? "";
  const names = Array.from(table.matchAll(/^\|(.*?)\|/gm), ([, cell = ""]) => cell)
    .flatMap((cell) => cell.match(/`([\w.-]+)\/?`/g) ?? [])
    .map((name) => name.replace(/[`/]/g, ""));
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) expect(sources, name).toContain(`"${name}"`);
});

test("the README opens with three commands that make a site, and the two lines that build and test a clone", () => {
  const [before = "", use = "", , work = ""] = read("README.md").split(/```(?:sh\n)?/);
  const { version } = JSON.parse(read("package.json")) as { version: string };
  expect(use.trim().split("\n")).toEqual([
    "npm run package -- /tmp",
    `npx --package /tmp/astro-commonplace-${version}.tgz astro-commonplace init my-site`,
    "cd my-site && npm install && npm run build",
  ]);
  expect(work.trim().split("\n")).toEqual(["npm ci && npm run build", "npm ci && npm test"]);
  expect(before.length).toBeLessThan(1_500);
});

test("no document calls the program by a name under which npx would run another project's package", () => {
  const files = globSync(["*.md", "docs/**/*.md", ".github/**/*.{yml,md}", ".gitlab-ci.yml"], {
    cwd: ROOT,
  });
  expect(files.length).toBeGreaterThan(15);
  for (const file of files)
    expect(read(file), file).not.toMatch(/\bnp(?:x|m exec)\b[^\n`]*(?<!astro-)\bcommonplace\b/);
});

test("CONTRIBUTING.md says of each file of the second tier where the first tests its promises", () => {
  const [, table = ""] = read("CONTRIBUTING.md").split("The second tier alone has these, too:");
  const named = Array.from(table.matchAll(/`([\w/-]+)`/g), ([, name = ""]) => name);
  const moved = globSync("test/**/*.test.ts", { cwd: ROOT }).filter((file) => hasLong(read(file)));
  expect(moved.length).toBeGreaterThan(50);
  const unnamed = moved
    .map((file) => file.slice("test/".length, -".test.ts".length))
    .filter((file) => !named.some((name) => file === name || file.startsWith(`${name}/`)));
  expect(unnamed).toEqual([]);
});
