/**
 * What a page may weigh and do, measured on what was built: a listing of 50 real quotes in each of three scripts.
 *
 * Compressed as hosts do by default (gzip, level 6), each file by itself.
 */
// @module-tag long
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { HtmlValidate } from "html-validate";
import { beforeAll, describe, expect, test } from "vitest";
import { buildSite, pagesIn, type BuiltSite } from "../support/built/index.ts";
import { siteQuotes } from "../support/snapshot/index.ts";

const PAGE_BYTES = 30_000;
const SCRIPT_BYTES = 6_800;
/** The other themes bring tokens of their own. */
const SHEET_BYTES: Readonly<Record<string, number>> = { folio: 6_500 };
const MORE_SHEET_BYTES = 7_000;
/** The audit allows 8,000. With each language a site declares more faces for the names in its menus. */
const ROOMY_SHEET_BYTES = 7_600;

const VALIDATOR = new HtmlValidate({
  root: true,
  extends: ["html-validate:recommended"],
  rules: {
    // It counts `&lt;` as four characters of a title; ours are cut to 70 as read.
    "long-title": ["error", { maxlength: 110 }],
    // A button submits by itself; the word three times in each card would be a tenth of it.
    "no-implicit-button-type": "off",
    // The hidden forms of the votes have their buttons in the cards, and are on pages without cards, too.
    "wcag/h32": "off",
  },
});

const sites = new Map<string, BuiltSite>();
const THEMES = ["folio", "press", "night-reader"];

beforeAll(async () => {
  for (const theme of THEMES) {
    sites.set(theme, await buildSite({ quotes: siteQuotes() }, { SITE_THEME: theme }));
  }
});

const folderOf = (theme: string): string => sites.get(theme)?.outDir ?? "";
const weigh = (...files: readonly (Buffer | string)[]): number =>
  files.reduce((sum, bytes) => sum + gzipSync(bytes, { level: 6 }).length, 0);

/** The files of the site that a page asks for before it is used, by ending. */
function filesOf(folder: string, html: string, ending: string): Buffer[] {
  const found = html.matchAll(new RegExp(` (?:href|src)="(/[^"]+\\.${ending})"`, "g"));
  return [...new Set(Array.from(found, ([, path = ""]) => path))].map((path) =>
    readFileSync(join(folder, path)),
  );
}

describe.each(THEMES)("%s", (theme) => {
  test.each(["en", "ar", "be"])("a listing of 50 quotes in %s keeps its budget", (code) => {
    const folder = folderOf(theme);
    const html = readFileSync(join(folder, `language/${code}/index.html`), "utf8");
    expect(html.match(/<article/g)).toHaveLength(50);
    const inline = html.matchAll(/<script(?! type="spec)[^>]*>([^<]*)/g).map(([, js = ""]) => js);
    const scripts = weigh(...filesOf(folder, html, "js"));
    const sheets = weigh(...filesOf(folder, html, "css"));
    expect(scripts + weigh(...inline)).toBeLessThanOrEqual(SCRIPT_BYTES);
    expect(sheets).toBeLessThanOrEqual(SHEET_BYTES[theme] ?? MORE_SHEET_BYTES);
    expect(weigh(html) + sheets + scripts).toBeLessThanOrEqual(PAGE_BYTES);
  });

  test("the sheets of every kind of page leave the audit's budget room for more languages", () => {
    const folder = folderOf(theme);
    const heavy = oneOfEach(folder).flatMap((page) => {
      const bytes = weigh(...filesOf(folder, readFileSync(join(folder, page), "utf8"), "css"));
      return bytes > ROOMY_SHEET_BYTES ? [`${page}: ${bytes}`] : [];
    });
    expect(heavy).toEqual([]);
  });

  test("every page is valid HTML", async () => {
    const folder = folderOf(theme);
    const complaints: string[] = [];
    for (const page of theme === "folio" ? pagesIn(folder).filter(isSample) : oneOfEach(folder)) {
      const { results } = await VALIDATOR.validateFile(join(folder, page));
      const messages = results.flatMap((result) => result.messages);
      complaints.push(...messages.map(({ ruleId, message }) => `${page}: ${ruleId} ${message}`));
    }
    expect(complaints).toEqual([]);
  });
});

test("a page declares the faces of its scripts and preloads its own and Latin", () => {
  const html = readFileSync(join(folderOf("folio"), "language/be/index.html"), "utf8");
  expect(html).toContain("--font-bengali:");
  expect(html).not.toContain("--font-arabic:");
  expect(html.match(/rel="preload"/g)).toHaveLength(2);
});

/** Other themes differ in a few components: a page of each kind has them. */
const oneOfEach = (folder: string): string[] =>
  [...Map.groupBy(pagesIn(folder), (page) => page.replace(/(?<=\/)[^/]+(?=\/)/, "")).values()].map(
    ([page = ""]) => page,
  );

/** All but most pages of quotes, of which the last are hostile, of letters, and of what is made up for this site. */
const isSample = (page: string): boolean =>
  !/^(?:(?:quote|embed)\/\d|author\/[a-z]{2}-\d|authors\/.\/|tag\/rights\/[2-5])/.test(page) ||
  /^(?:quote|embed)\/(?:1|26[6-9]|27\d)\//.test(page);
