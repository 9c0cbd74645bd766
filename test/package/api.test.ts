/** What the package promises: names, a line of documentation for each, and what docs/stability.md lists. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exportsOf, methodsOf } from "../../scripts/tables/api.ts";
import { COMPONENTS } from "../../src/themes/components.ts";
import { ejected } from "../../src/themes/eject.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");

const isType = (code: string): boolean => /^(?:interface|type) /.test(code);
const site = exportsOf("site/public.ts");
const functions = site.filter(({ code }) => !isType(code));

test("astro-commonplace/site has few functions, and each has a sentence", () => {
  expect(functions.length).toBeLessThanOrEqual(14);
  const harvest = exportsOf("harvest/library.ts").filter(({ code }) => !isType(code));
  expect(harvest.map(({ name }) => name)).toEqual(["harvest", "quotes"]);
  for (const { name, comment } of [...functions, ...harvest])
    expect(comment, name).toMatch(/^[A-Z].{20,}/);
});

test("each method of SiteReader has a sentence, and one that fails names the error", () => {
  const methods = methodsOf("site/site-reader.ts", "SiteReader");
  expect(methods.length).toBeGreaterThan(15);
  for (const { name, comment } of methods) expect(comment, name).toMatch(/^[A-Z].{20,}/);
  const failing = methods.filter(({ comment }) => comment.includes("@throws {RangeError}"));
  expect(failing.map(({ name }) => name)).toEqual(["listing", "initial", "dayPage"]);
});

test("every type that a promised function or method names is promised too", () => {
  const types = new Set(site.filter(({ code }) => isType(code)).map(({ name }) => name));
  const codes = [...functions, ...methodsOf("site/site-reader.ts", "SiteReader")];
  const named = codes.flatMap(({ code }) => code.match(/\b[A-Z][a-z]+(?:[A-Z][a-z]+)*\b/g) ?? []);
  // Those of the language, and the settings, whose type is that of `astro-commonplace/config`.
  const others = new Set(["Pick", "SiteConfig", ...Object.getOwnPropertyNames(globalThis)]);
  expect([...new Set(named)].filter((name) => !types.has(name) && !others.has(name))).toEqual([]);
});

test("what an ejected component imports of astro-commonplace/site is promised", () => {
  const names = new Set(functions.map(({ name }) => name));
  const imported = Object.entries(COMPONENTS)
    .filter(([, { use }]) => use === "replace")
    .flatMap(([path]) => {
      const { text } = ejected(path);
      const [, list = ""] = /import \{([^}]*)\} from "astro-commonplace\/site"/.exec(text) ?? [];
      return list.split(",").map((name) => name.trim());
    })
    .filter((name) => name !== "");
  expect(imported.length).toBeGreaterThan(5);
  expect(imported.filter((name) => !names.has(name))).toEqual([]);
});

test("docs/stability.md lists addresses, classes and tokens that there are", () => {
  const text = read("docs/stability.md");
  const section = (title: string): string =>
    new RegExp(`## ${title}\n(.*?)(?:\n## |$)`, "s").exec(text)?.[1] ?? "";
  const tokens = section("Tokens").match(/--[\w-]+/g) ?? [];
  const sheet = read("src/styles/tokens.css");
  expect(tokens.length).toBeGreaterThan(20);
  expect(tokens.filter((token) => !sheet.includes(`${token}:`))).toEqual([]);
  const classes = [...section("Markup").matchAll(/^\| `(\w+)`/gm)].map(([, name = ""]) => name);
  const markup = globSync("src/{components,layouts,pages}/**/*.astro", { cwd: ROOT })
    .map(read)
    .join("");
  expect(classes.length).toBeGreaterThan(10);
  const isThere = (name: string): boolean => new RegExp(`class="[^"]*\\b${name}\\b`).test(markup);
  expect(classes.filter((name) => !isThere(name))).toEqual([]);
  const pages = section("Addresses").match(/`\/[^`]*`/g) ?? [];
  const routes = globSync("src/pages/**/*.{astro,ts}", { cwd: ROOT }).map(
    (file) =>
      `/${file.replaceAll("\\", "/").slice("src/pages/".length)}`
        .replace(/\.(?:astro|ts)$/, "")
        .replace(/\/\[\.\.\.page\]$/, "")
        .replace(/\/index$/, "")
        .replace(/\[\w+\]/g, "<>") || "/",
  );
  // Written by other stages than the pages.
  const written = ["/404.html", "/build.json"];
  const unknown = pages
    .map((page) => page.slice(1, -1))
    .filter((page) => !written.includes(page))
    .map((page) => page.replace(/<\w+>/g, "<>").replace(/(?<=.)\/$/, ""))
    .filter((page) => !routes.includes(page));
  expect(unknown).toEqual([]);
});
