/** A page speaks the language of what it shows: read from a built site with quotes in every language of the interface. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { languageOf, mainLanguage } from "../../src/contract/languages.ts";
import { TOP_NAMES } from "../../src/plan/index.ts";
import { TRANSLATIONS } from "../../src/i18n/locale.ts";
import { buildSite, type BuiltSite } from "../support/built/index.ts";
import type { QuoteDraft } from "../support/snapshot/index.ts";

let site: BuiltSite;
const read = (path: string) => readFileSync(join(site.outDir, path), "utf8");

const CODES = Object.keys(TRANSLATIONS);
/** Two quotes in each language with messages, and in one without. */
const quotes: QuoteDraft[] = [...CODES, "cs"].flatMap((language, at) =>
  [0, 1].map((more) => ({
    ...{ id: 2 * at + more + 1, language, text: `${language} ${more}`, author: `Of ${language}` },
    tags: [`tag ${language}`, "all"],
  })),
);
/** In a language without messages that is written from right to left. */
const persian = { id: 90, language: "fa", text: "فارسی", author: "Of fa", likes: 280 };
/** Nine of ten quotes of an author in Arabic; and eight of ten. */
const many = ([9, 8] as const).flatMap((arabic, which) =>
  Array.from({ length: 10 }, (_, index) => ({
    ...{ id: 100 + 10 * which + index, text: `${arabic} ${index}`, author: `Arabic ${arabic}` },
    language: index < arabic ? "ar" : "en",
  })),
);

beforeAll(async () => {
  site = await buildSite({ quotes: [...quotes, persian, ...many] });
});

const spoken = (path: string) => {
  const html = read(path);
  const [, lang, dir] = /<html lang="([^"]+)" dir="([^"]+)"/.exec(html) ?? [];
  return { html, lang, dir, local: /"og:locale" content="([^"]+)"/.exec(html)?.[1] };
};

test.each([
  ["none", [], null],
  ["one", ["ar"], "ar"],
  ["nine of ten", ["en", ...new Array<string>(9).fill("ar")], "ar"],
  ["eight of nine", ["en", ...new Array<string>(8).fill("ar")], null],
  ["spellings of one code", ["AR", "ar"], "ar"],
])("mainLanguage() of %s", (_, codes, expected) => expect(mainLanguage(codes)).toBe(expected));

test("every quote's page speaks the quote's language where it has messages: menu, buttons, head", () => {
  for (const { id, language = "" } of quotes) {
    const { html, lang, dir, local } = spoken(`quote/${id}/index.html`);
    const code = language === "cs" ? "en" : language;
    const { messages, reader } = { messages: TRANSLATIONS[code]!.page, ...TRANSLATIONS[code]! };
    const { tag, dir: side } = languageOf(code);
    expect([lang, dir], language).toEqual([tag, side]);
    expect(html).toContain(`<nav aria-label="${messages.menu}"`);
    expect(html).toContain(`>${reader.copyLink}</button>`);
    expect(local).toMatch(new RegExp(`^${tag}_[A-Z]{2}$`));
    expect(html).toContain(`"name":"${messages.authors}"`);
  }
});

test("pages of authors and tags do, and their feeds; one of several languages speaks the site's", () => {
  for (const code of CODES) {
    const { tag } = languageOf(code);
    const { page } = TRANSLATIONS[code]!;
    for (const [kind, path] of [
      ["author", `author/of-${code}`],
      ["tag", `tag/tag-${code}`],
    ] as const) {
      const { html, lang } = spoken(`${path}/index.html`);
      expect(lang, path).toBe(tag);
      expect(html).toContain(page.mostLikedFirst);
      expect(html).toContain(`<p class="kicker">${page[kind]}</p>`);
    }
  }
  expect(spoken("author/of-cs/index.html").lang).toBe("en");
  expect(spoken("tag/all/index.html").lang).toBe("en");
  expect(spoken("author/arabic-9/index.html")).toMatchObject({ lang: "ar", dir: "rtl" });
  expect(spoken("author/arabic-8/index.html")).toMatchObject({ lang: "en", dir: "ltr" });
  for (const feed of globSync("author/arabic-9/atom.xml", { cwd: site.outDir }))
    expect(read(feed)).toContain('xml:lang="ar"');
});

test("what the foot of a card says in another language has the direction of it", () => {
  const { html } = spoken("language/fa/index.html");
  const [foot = ""] = /<ul class="notes">[\s\S]*?<\/article>/.exec(html) ?? [];
  const items = Array.from(foot.matchAll(/<li([^>]*)>/g), ([, attributes = ""]) =>
    attributes.trim(),
  );
  const said = 'lang="en" dir="ltr"';
  expect(items).toEqual([`class="likes" ${said}`, `class="do" ${said}`, said]);
  expect(read("language/ar/index.html")).toContain('<li class="do">');
});

test("the feeds of a language are in it, with messages or without", () => {
  for (const code of [...CODES, "cs", "fa"]) {
    const { tag } = languageOf(code);
    expect(read(`language/${code}/feed.xml`)).toContain(`<language>${tag}</language>`);
    expect(read(`language/${code}/atom.xml`)).toMatch(new RegExp(`<feed [^>]*xml:lang="${tag}"`));
    expect(JSON.parse(read(`language/${code}/feed.json`))).toMatchObject({ language: tag });
  }
});

const GENERAL = {
  ...{ "": "home", "today/": "today", "languages/": "languages", "tags/": "tags" },
  ...{ "authors/": "authors", "search/": "search", "about/": "about" },
} as const;
const HIDDEN = ["favourites/", "random/"];

test("general pages exist in each language of the collection with messages, and in no other", () => {
  for (const code of CODES.filter((code) => code !== "en")) {
    const { tag, dir } = languageOf(code);
    const { page, reader } = TRANSLATIONS[code]!;
    for (const path of [...Object.keys(GENERAL), ...HIDDEN]) {
      const { html, lang, dir: side, local } = spoken(`${code}/${path}index.html`);
      expect([lang, side], `${code}/${path}`).toEqual([tag, dir]);
      expect(local).toMatch(new RegExp(`^${tag}_`));
      expect(html).toContain(`<nav aria-label="${page.menu}"`);
    }
    // A menu leads to pages of its own language, on every page that speaks it.
    for (const path of [
      `${code}/index.html`,
      `author/of-${code}/index.html`,
      `quote/${quotes.find(({ language }) => language === code)!.id}/index.html`,
    ]) {
      const menu = /<header class="masthead">[\s\S]*?<\/header>/.exec(read(path))?.[0] ?? "";
      const links = [...menu.matchAll(/href="([^"]+)"/g)].map(([, href = ""]) => href);
      expect(links.length).toBeGreaterThan(5);
      expect(
        links.filter((href) => !href.startsWith(`/${code}/`)),
        path,
      ).toEqual([]);
    }
    expect(read(`${code}/index.html`)).toContain(`action="/${code}/search/"`);
    expect(read(`${code}/search/index.html`)).toContain(reader.hint);
  }
  const tops = globSync("*", { cwd: site.outDir });
  expect(tops.filter((name) => name === "cs" || name === "en")).toEqual([]);
});

test("a language's home and day begin with its own quotes", () => {
  const first = (path: string) =>
    /<article class="quote"[^>]* lang="([^"]+)"/.exec(read(path))?.[1];
  for (const code of ["ar", "be", "ru"]) {
    const { tag } = languageOf(code);
    expect(first(`${code}/index.html`), code).toBe(tag);
    expect(first(`${code}/today/index.html`), code).toBe(tag);
    const shown = [
      ...read(`${code}/index.html`).matchAll(/<article class="quote"[^>]* lang="([^"]+)"/g),
    ];
    expect(new Set(shown.map(([, lang]) => lang))).toEqual(new Set([tag]));
    // The quote of the day and others, also where all are of one author.
    expect(shown.length).toBeGreaterThan(1);
  }
});

test("hreflang joins the sets of general pages, with x-default, and nothing else; the sitemap lists them", () => {
  const alternates = (path: string) =>
    [
      ...read(path)
        .split("</head>")[0]!
        .matchAll(/<link rel="alternate" hreflang="([^"]+)" href="[^"]*?(\/[^"]*)"/g),
    ].map(([, tag, href]) => `${tag} ${new URL(href!, "http://x/").pathname}`);
  const sitemap = read("sitemap-1.xml");
  for (const path of Object.keys(GENERAL)) {
    const wanted = [
      `en /${path}`,
      ...CODES.filter((code) => code !== "en").map(
        (code) => `${languageOf(code).tag} /${code}/${path}`,
      ),
      `x-default /${path}`,
    ].sort();
    for (const code of ["", "ar/", "be/"]) {
      expect(alternates(`${code}${path}index.html`).sort(), code + path).toEqual(wanted);
      expect(sitemap).toContain(`/${code}${path}</loc>`);
    }
    const [url = ""] = new RegExp(`<url><loc>[^<]*/ar/${path}</loc>.*?</url>`).exec(sitemap) ?? [];
    expect([...url.matchAll(/hreflang="([^"]+)"/g)]).toHaveLength(wanted.length);
  }
  const others = globSync("{language,quote,author,tag,new,feeds,today/20*}/**/index.html", {
    cwd: site.outDir,
  });
  expect(others.length).toBeGreaterThan(50);
  for (const path of [...others, "ar/favourites/index.html"])
    expect(alternates(path), path).toEqual([]);
  expect(sitemap).not.toContain("/ar/favourites/");
});

test("the end of general pages has the other languages as plain links, and of no other page", () => {
  const switcher = (path: string) =>
    /<ul aria-label="[^"]+">(?:(?!<\/ul>)[\s\S])*hreflang[\s\S]*?<\/ul>/.exec(
      read(path).split('<footer class="colophon"')[1] ?? "",
    )?.[0] ?? "";
  for (const path of ["tags/", "ar/tags/"]) {
    const links = [...switcher(`${path}index.html`).matchAll(/href="([^"]+)"/g)].map(
      ([, href]) => href,
    );
    expect(links).toHaveLength(CODES.length);
    expect(links).toContain("/tags/");
    expect(links).toContain("/be/tags/");
  }
  expect(switcher("author/of-ar/index.html")).toBe("");
});

test("no page of the project is at the top under the name of a language with messages", () => {
  expect(CODES.filter((code) => TOP_NAMES.has(code))).toEqual([]);
  for (const name of ["tag", "new", "api", "author"]) expect(TOP_NAMES.has(name)).toBe(true);
});
