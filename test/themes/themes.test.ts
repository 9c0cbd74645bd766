/** Themes from anywhere: by name, by path, as a package; and what `npm run theme -- new NAME` makes. */
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeTheme } from "../../src/commands/theme.ts";
import { ConfigurationError, UsageError } from "../../src/contract/errors.ts";
import { standIn, themeFolder, themeSources } from "../../src/themes/resolve.ts";
import { buildSite, type BuiltSite } from "../support/build-site.ts";

const ROOT = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "commonplace-theme-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("themeFolder()", () => {
  test("finds a theme by its name, and by a path", () => {
    const press = join(ROOT, "src/themes/press");
    expect(themeFolder("press", ROOT)).toBe(press);
    expect(themeFolder("./src/themes/press", ROOT)).toBe(press);
    expect(themeFolder(press, ROOT)).toBe(press);
  });

  test("finds a theme in an npm package, in the folder its manifest names", () => {
    const root = join(folder, "project");
    const theme = join(root, "node_modules/@somebody/theme/look");
    mkdirSync(theme, { recursive: true });
    writeFileSync(join(theme, "theme.css"), "");
    writeFileSync(join(theme, "../package.json"), JSON.stringify({ commonplace: "look" }));
    expect(themeFolder("@somebody/theme", root)).toBe(theme);
    expect(themeSources("@somebody/theme", root)).toEqual([theme]);
  });

  test.each(["nothing-like-it", "./nowhere", "components"])("refuses %s", (name) => {
    expect(() => themeFolder(name, ROOT)).toThrow(ConfigurationError);
  });
});

test("standIn() gives the theme's file for ours, and never a file for itself", () => {
  const src = join(ROOT, "src");
  const press = join(src, "themes/press");
  const card = join(press, "components/quote/Card.astro");
  expect(standIn(join(src, "components/quote/Card.astro"), src, press)).toBe(card);
  expect(standIn(join(src, "components/chrome/Masthead.astro"), src, press)).toBeNull();
  expect(standIn(join(src, "themes/folio/theme.css"), src, press)).toBe(join(press, "theme.css"));
  expect(standIn(card, src, press)).toBeNull();
  expect(standIn(join(src, "site/open-site.ts"), src, press)).toBeNull();
});

describe("a theme made by makeTheme() outside of the repository", () => {
  let site: BuiltSite;
  let theme: string;

  beforeAll(async () => {
    theme = makeTheme(join(folder, "my-theme"), ROOT);
    // A card of its own, which wraps ours: the markup that programs rely on stays.
    mkdirSync(join(theme, "components/quote"), { recursive: true });
    writeFileSync(
      join(theme, "components/quote/Notes.astro"),
      '---\nimport Notes from "commonplace/components/quote/Notes.astro";\n---\n<div class="mine"><Notes {...Astro.props} /></div>\n',
    );
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    site = await buildSite({ quotes: [{ id: 1, author: "Anon" }] }, { SITE_THEME: theme });
  });
  afterAll(() => site.remove());

  test("builds, with its own sheet and component on every page of quotes", () => {
    const html = readFileSync(join(site.outDir, "author/anon/index.html"), "utf8");
    expect(html).toMatch(
      /<article class="quote" id="q1"[\s\S]*<div class="mine"><ul class="notes"/,
    );
    const [sheet = ""] = globSync("_astro/*.css", { cwd: site.outDir });
    const css = readFileSync(join(site.outDir, sheet), "utf8");
    expect(css).toContain("#1d6b45");
    // The skeleton's rules stand in the place of folio's.
    expect(css).not.toContain("open-quote");
  });

  test("is not made twice, nor under a name that cannot be one", () => {
    expect(() => makeTheme(theme, ROOT)).toThrow(UsageError);
    expect(() => makeTheme("../..", ROOT)).toThrow(UsageError);
    expect(() => makeTheme("My Theme", ROOT)).toThrow(UsageError);
  });
});
