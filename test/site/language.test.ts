/** A page speaks the language of what it shows: read from a built site with quotes in every language of the interface. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { languageOf, mainLanguage } from "../../src/contract/languages.ts";
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
/** Nine of ten quotes of an author in Arabic; and eight of ten. */
const many = ([9, 8] as const).flatMap((arabic, which) =>
  Array.from({ length: 10 }, (_, index) => ({
    ...{ id: 100 + 10 * which + index, text: `${arabic} ${index}`, author: `Arabic ${arabic}` },
    language: index < arabic ? "ar" : "en",
  })),
);

beforeAll(async () => {
  site = await buildSite({ quotes: [...quotes, ...many] });
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
    expect(html).toContain(`>${reader.copyText}</button>`);
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
