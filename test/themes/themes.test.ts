/** Themes from anywhere: by name, by path, as a package. */
import { realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join, win32 } from "node:path";
import { describe, expect, test } from "vitest";
import { makeTheme } from "../../src/themes/make-theme.ts";
import { ConfigurationError, DiskError, UsageError } from "../../src/contract/errors.ts";
import { themeColours, themePapers } from "../../src/themes/colours.ts";
import { overrideOf } from "../../src/themes/overrides.ts";
import { themePlugin } from "../../src/themes/plugin.ts";
import { themeFolders } from "../../src/themes/theme.ts";
import { folderWith, tempFolder } from "../support/run/index.ts";

const ROOT = join(import.meta.dirname, "../..");

const PLACES = { packageRoot: ROOT, projectRoot: ROOT, site: null };

describe("themeFolders()", () => {
  test("finds a theme by its name, and by a path", () => {
    const press = join(ROOT, "src/themes/press");
    expect(themeFolders("press", PLACES)).toEqual([press]);
    expect(themeFolders("./src/themes/press", PLACES)).toEqual([press]);
    expect(themeFolders(press, PLACES)).toEqual([press]);
  });

  test("finds the fork's own first, and what a theme extends after it", () => {
    const site = folderWith({
      "themes/press/tokens.css": "",
      "themes/mine/theme.json": '{ "extends": "../press" }',
    });
    expect(themeFolders("press", { ...PLACES, site })).toEqual([join(site, "themes/press")]);
    expect(themeFolders("mine", { ...PLACES, site })).toEqual([
      join(site, "themes/mine"),
      join(site, "themes/press"),
    ]);
  });

  test.each<[string, RegExp]>([
    ['{ "extends": "../mine" }', /it extends itself/],
    ['{ "extends": "nothing-like-it" }', /"nothing-like-it": expected a folder/],
    ['{ "extend": "folio" }', /theme\.json: .*extend/],
    ["{", /theme\.json:1: /],
  ])("refuses theme.json with %s", (manifest, message) => {
    const site = folderWith({ "themes/mine/theme.json": manifest });
    const failure = (): unknown => themeFolders("mine", { ...PLACES, site });
    expect(failure).toThrow(ConfigurationError);
    expect(failure).toThrow(message);
  });

  test.each(["nothing-like-it", "./nowhere", "components"])("refuses %s", (name) => {
    expect(() => themeFolders(name, PLACES)).toThrow(ConfigurationError);
  });
});

type Resolve = (this: object, source: string, importer: string) => Promise<string | null>;

describe("overrideOf()", () => {
  const src = join(ROOT, "src");
  const site = folderWith({
    "components/quote/Card.astro": "",
    "layouts/Page.astro": "",
    "styles/base.css": "",
  });
  const theme = folderWith({
    "tokens.css": "",
    "components/quote/Card.astro": "",
    "components/quote/By.astro": "",
  });
  const folders = [site, theme, src];
  const of = (file: string, importer = join(src, "pages/index.astro")): string | null =>
    overrideOf(file, importer, folders);

  test.each<[string, string, string | null]>([
    ["components/quote/Card.astro", src, site],
    ["components/quote/By.astro", src, theme],
    ["components/quote/Notes.astro", src, null],
    ["components/quote/Card.astro", theme, site],
    ["layouts/Page.astro", src, site],
    ["styles/base.css", src, null],
    ["site/index.ts", src, null],
  ])("%s of %s", (path, layer, expected) => {
    expect(of(join(layer, path))).toBe(expected === null ? null : join(expected, path));
  });

  test("an override that imports what it replaces gets the next, and not itself", () => {
    const card = "components/quote/Card.astro";
    expect(of(join(src, card), join(site, card))).toBe(join(theme, card));
    expect(of(join(src, card), join(theme, card))).toBeNull();
  });

  test("the fork's file comes before that of a theme whose folder is a link", async () => {
    const fork = folderWith({ "components/quote/By.astro": "", "themes/mine/tokens.css": "" });
    symlinkSync(theme, join(fork, "themes/linked"), "junction");
    const by = join(theme, "components/quote/By.astro");
    const { resolveId } = themePlugin("linked", { ...PLACES, site: fork }, []);
    // As Vite calls it: what it resolves has no link in its path.
    const answer = (resolveId as Resolve).call(
      { resolve: () => Promise.resolve({ id: by }) },
      "./By.astro",
      join(theme, "components/quote/Card.astro"),
    );
    expect(await answer).toBe(realpathSync(join(fork, "components/quote/By.astro")));
  });

  test("on Windows, whatever the slashes and the letter of the drive", () => {
    const there = [
      "C:\\q\\site\\components\\quote\\Card.astro",
      "C:\\q\\src\\components\\quote\\Card.astro",
    ];
    const layers = ["C:\\q\\site", "C:\\q\\src"];
    const windows = {
      exists: (file: string) => there.includes(file),
      path: win32,
    };
    const card = "c:/q/src/components/quote/Card.astro";
    const own = "C:/q/site/components/quote/Card.astro";
    expect(overrideOf(card, "C:/q/src/layouts/Page.astro", layers, windows)).toBe(own);
    expect(overrideOf(card, own, layers, windows)).toBeNull();
    expect(overrideOf("C:/q/src/components/quote/By.astro", own, layers, windows)).toBeNull();
    expect(overrideOf("D:/q/src/components/quote/Card.astro", own, layers, windows)).toBeNull();
  });
});

test("the window around a theme that is dark first is dark in both schemes, and its icons are light", () => {
  const papers = { light: "#0e1116", dark: "#0e1116", icon: "#f4efe6" };
  expect(themePapers("night-reader", PLACES)).toEqual(papers);
});

describe("themeColours()", () => {
  test.each<[string, string]>([
    [":root { --accent: oklch(55% 0.2 250) }", "#0073d2"],
    ["html { --mine: hsl(10 50% 50%); --accent: light-dark(var(--mine), red) }", "#bf5540"],
    ["@layer any { :root { --accent: rebeccapurple } }", "#663399"],
    ["@media (prefers-color-scheme: dark) { :root { --accent: red } }", "#97281a"],
    [":root { color-scheme: dark; --accent: light-dark(red, blue) }", "#0000ff"],
    [":where(:root) { --accent: red } html.js { --accent: blue }", "#ff0000"],
    ["html:root { --accent: red } .a, :is(:host, :root) { --accent: lime }", "#00ff00"],
    [":root { --accent: oklch(50% 0 none) }", "#636363"],
    [":root { --paper: transparent; --accent: rgb(0 0 0 / 40%) }", "#999999"],
    [":root { --accent: var(--none, rgb(none 128 0)) !important }", "#008000"],
  ])("%s is %s on an image", (css, expected) => {
    const site = folderWith({ "styles.css": css });
    expect(themeColours("folio", { ...PLACES, site }).accent).toBe(expected);
  });

  test("of a sheet that site/styles.css imports reach images, and a byte order mark hides none", () => {
    const site = folderWith({
      "styles.css":
        '\uFEFF@import "./a/b.css" layer(x);\n@import "pkg/no.css"; @import "c.css" print;',
      "a/b.css": "\uFEFF:root { --accent: red }",
      "c.css": '@import "styles.css"; :root { --accent: lime }',
    });
    expect(themeColours("folio", { ...PLACES, site }).accent).toBe("#ff0000");
    writeFileSync(join(site, "a/b.css"), '@import "../styles.css"; :root { --accent: blue }');
    expect(themeColours("folio", { ...PLACES, site }).accent).toBe("#0000ff");
  });

  test.each<[string, RegExp]>([
    [":root { --accent: 3px }", /--accent of theme "folio"/],
    [":root { --accent: var(--accent) }", /--accent of theme "folio"/],
    [":root {\n  --accent: red;\n}\n}", /styles\.css:4:/],
  ])("%s is refused", (css, message) => {
    const site = folderWith({ "styles.css": css });
    expect(() => themeColours("folio", { ...PLACES, site })).toThrow(message);
  });

  test("a theme has the colours of the one that it extends, but for its own", () => {
    const site = folderWith({
      "themes/mine/theme.json": '{ "extends": "press" }',
      "themes/mine/tokens.css": ":root { --ink: #123 }",
    });
    const press = themeColours("press", PLACES);
    expect(themeColours("mine", { ...PLACES, site })).toEqual({ ...press, ink: "#112233" });
  });
});

test("makeTheme() makes no theme twice, nor under a name that cannot be one", () => {
  const folder = tempFolder("theme");
  const theme = makeTheme(join(folder, "my-theme"), folder);
  expect(() => makeTheme(theme, folder)).toThrow(UsageError);
  expect(() => makeTheme("../..", folder)).toThrow(UsageError);
  expect(() => makeTheme("My Theme", folder)).toThrow(UsageError);
  // It would extend itself.
  expect(() => makeTheme("folio", folder)).toThrow(/the project has one of that name/);
});

test("makeTheme() refuses a place where the disk lets it make no folder", () => {
  const file = join(folderWith({ file: "" }), "file");
  expect(() => makeTheme(join(file, "mine"), file)).toThrow(DiskError);
});
