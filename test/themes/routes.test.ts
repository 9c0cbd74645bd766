import { join } from "node:path";
import { expect, test } from "vitest";
import { readPages, readRoutes } from "../../src/themes/site-folder.ts";
import { emptyFiles, folderWith } from "../support/run/index.ts";

const routesOf = (...files: readonly string[]) => readRoutes(folderWith(emptyFiles(...files)));

test("readRoutes() gives the address of each page that is one file", () => {
  const files = ["index.astro", "404.astro", "tags.astro", "help/index.astro", "notes/a.md"];
  const paths = ["/", "/404.html", "/help/", "/notes/a/", "/plain/", "/tags/"];
  expect(routesOf(...files, "plain.html").fixed).toEqual(paths);
});

test("readRoutes() leaves out what Astro takes for no page", () => {
  const routes = routesOf("_draft.astro", "_parts/x.astro", "feed.xml.ts", "robots.txt.ts");
  expect(routes).toEqual({ fixed: [], patterns: [] });
});

test.each<[string, string[], string[]]>([
  [
    "tag/[slug]/[...page].astro",
    ["/tag/love/", "/tag/love/2/", "/tag/любовь/"],
    ["/tag/", "/tags/love/", "/tag/love", "/x/tag/love/"],
  ],
  ["quote/[id].astro", ["/quote/1/"], ["/quote/", "/quote/1/2/"]],
  ["by-[year]-[month].astro", ["/by-2026-11/"], ["/by-/", "/by-2026/"]],
  ["a+b/[id]/index.astro", ["/a+b/1/"], ["/aab/1/"]],
])("readRoutes() knows the addresses that %s can give", (file, yes, no) => {
  const [pattern = /^$/] = routesOf(file).patterns;
  expect(yes.filter((path) => !pattern.test(path))).toEqual([]);
  expect(no.filter((path) => pattern.test(path))).toEqual([]);
});

function pagesWith(frontmatter: string) {
  const folder = folderWith({ "house.md": `---\n${frontmatter}\n---\n\nText.\n` });
  return () => readPages(folder, join(folder, "none"));
}

test.each([
  [
    "title: House\nlanguage: polish",
    /^Cannot use language of .*house\.md:3: expected a language code/,
  ],
  ["description: No title", /^Cannot use title of .*house\.md:1: expected a title$/],
  ["title: [", /^Cannot read .*house\.md:\d+: /],
])("readPages() names file, line and mistake of %j", (frontmatter, message) => {
  expect(pagesWith(frontmatter)).toThrow(message);
});

test("readPages() says what to do with HTML, which would make no page", () => {
  const folder = folderWith({ "legal/terms.html": "<!doctype html>" });
  expect(() => readPages(folder, join(folder, "none"))).toThrow(
    /^Cannot use .*legal\/terms\.html: rename it to terms\.astro,/,
  );
});

test.each([
  ["house.md", "house/index.mdx"],
  ["shop.astro", "shop.md"],
  ["data.json.js", "data.json.ts"],
])("readPages() refuses %s and %s, which have one address, and names both", (...files) => {
  const folder = folderWith(
    Object.fromEntries(files.map((file) => [file, "---\ntitle: House\n---\n"])),
  );
  const [first, second] = files.map(RegExp.escape);
  expect(() => readPages(folder, join(folder, "none"))).toThrow(
    new RegExp(`^Cannot use .*${second}: .*${first} has the same address; rename or delete one`),
  );
});

test("readPages() takes files with parameters, whose addresses may differ", () => {
  const folder = folderWith(emptyFiles("shop/[item].astro", "shop/[item].ts"));
  expect(readPages(folder, join(folder, "none")).pages).toHaveLength(2);
});

test("readPages() refuses a page in the place of the project's whose parameters have other names", () => {
  const project = folderWith({ "quote/[id].astro": "" });
  expect(() => readPages(folderWith({ "quote/[pk].astro": "" }), project)).toThrow(
    /^Cannot use .*quote\/\[pk\]\.astro: it replaces src\/pages\/quote\/\[id\]\.astro, so its parameters/,
  );
});

test.each(["pl", "pt-BR", "zh-Hant"])("readPages() takes a page in %s", (language) => {
  expect(pagesWith(`title: House\nlanguage: ${language}\nmenu: true`)().pages).toMatchObject([
    { path: "/house/", menu: "House" },
  ]);
});
