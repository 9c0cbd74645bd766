/** Every recipe of docs/recipes.md on a built site: clean as it is written, and refused without its entries of `allow`. */
// @module-tag long
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith, run, tempFolder } from "../support/run/index.ts";
import { makeSnapshot, siteQuotes } from "../support/snapshot/index.ts";

const TEXT = readFileSync(join(import.meta.dirname, "../../docs/recipes.md"), "utf8");

interface Recipe {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
}

/** Sections with files: the path of each stands before its block. */
const RECIPES: Recipe[] = TEXT.split(/^## /m)
  .slice(1)
  .map((section) => ({
    name: section.split("\n", 1)[0] ?? "",
    files: Object.fromEntries(
      Array.from(
        section.matchAll(/^`site\/([^`]+)`:\n\n```\w+\n(.*?)^```$/gms),
        ([, path = "", content = ""]) => [path, content],
      ),
    ),
  }))
  .filter(({ files }) => Object.keys(files).length > 0);

const hasEntries = ({ files }: Recipe): boolean => (files["config.ts"] ?? "").includes("allow:");

/** Files of one site that has all of these recipes: their settings are joined, and components that two replace may not occur. */
function siteOf(recipes: readonly Recipe[], withEntries: boolean): string {
  const files: Record<string, string> = {};
  const configs: string[] = [];
  for (const { name, files: own } of recipes) {
    for (const [path, content] of Object.entries(own)) {
      if (path === "config.ts") {
        const file = `recipe-${configs.length}.ts`;
        files[file] = content.replace(/^import .*$/m, "").replace("defineSite(", "(");
        configs.push(file);
      } else if (path in files) throw new Error(`${name}: two recipes have ${path}`);
      else files[path] = content;
    }
  }
  files["config.ts"] =
    configs.map((file, n) => `import c${n} from "./${file}";\n`).join("") +
    `const all = [${configs.map((_, n) => `c${n}`).join(", ")}];
const allow = {};
for (const one of all)
  for (const [kind, origins] of Object.entries(one.allow ?? {})) allow[kind] = [...(allow[kind] ?? []), ...origins];
export default {
  url: "https://q.example",
  cards: 0,
  head: all.flatMap((one) => one.head ?? []),
  ...(all.find((one) => one.menu) ?? {}).menu ? { menu: all.find((one) => one.menu).menu } : {},
  ${withEntries ? "allow," : ""}
};
`;
  return folderWith(files);
}

async function auditOf(recipes: readonly Recipe[], withEntries: boolean) {
  const { stateDir } = makeSnapshot({ quotes: siteQuotes().slice(0, 4) });
  const out = join(tempFolder("recipe"), "dist");
  const env = { SITE_DIR: siteOf(recipes, withEntries), STATE_DIR: stateDir };
  const rendered = await run("render", ["--out", out, "--quiet"], env);
  expect(rendered.status, rendered.stderr).toBe(0);
  const { status, stdout } = await run("audit", ["--out", out, "--quiet"], env);
  return { status, stdout, about: readFileSync(join(out, "about/index.html"), "utf8") };
}

test("docs/recipes.md has ten recipes, and a reason for what has none", () => {
  expect(RECIPES.map(({ name }) => name)).toHaveLength(10);
  expect(TEXT).toMatch(/^## Advertisements\n\nAd networks load scripts/m);
});

test("a site with all recipes is clean, and names on /about/ what it loads", async () => {
  const { status, stdout, about } = await auditOf(RECIPES, true);
  expect(status, stdout).toBe(0);
  expect(stdout).toContain("nothing found");
  for (const host of ["plausible.io", "giscus.app", "buttondown.com"])
    expect(about).toContain(host);
}, 120_000);

test("the same site without `allow` is refused for each recipe that needs it", async () => {
  const { status, stdout, about } = await auditOf(RECIPES, false);
  expect(status).toBe(65);
  expect(about).toContain("load nothing from elsewhere");
  expect(stdout).toContain("name its origin under `allow` in site/config.ts (docs/recipes.md)");
  expect(stdout).toMatch(/request elsewhere, \d+/);
}, 120_000);

test.each(RECIPES)(
  "$name is clean as written",
  async (recipe) => {
    expect(await auditOf([recipe], true)).toMatchObject({ status: 0 });
    if (!hasEntries(recipe)) return;
    const without = await auditOf([recipe], false);
    expect(without.status).toBe(65);
    expect(without.stdout).toMatch(/request elsewhere|policy/);
  },
  240_000,
);
