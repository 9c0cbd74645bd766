/**
 * What lies beside the pages: the sheet, the sitemap, the feed, robots. That links lead somewhere, also below a base path;
 * and what pages tell of themselves to programs.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildSite, type BuiltSite } from "../support/built/index.ts";
import { SCRIPT_TEXT, siteQuotes } from "../support/snapshot/index.ts";

const ORIGIN = "https://quotes.example";
const quotes = siteQuotes();
let site: BuiltSite;
const find = (pattern: string) => globSync(pattern, { cwd: site.outDir });
const read = (path: string) => readFileSync(join(site.outDir, path), "utf8");

beforeAll(async () => {
  site = await buildSite({ quotes }, { SITE_BASE: "/sub/", SITE_URL: ORIGIN });
});
afterAll(() => site.remove());

/** The file that an address of the site is served from; null for an address elsewhere. */
function fileOf(address: string): string | null {
  const { origin, pathname } = new URL(address, `${ORIGIN}/sub/`);
  if (origin !== ORIGIN) return null;
  if (!pathname.startsWith("/sub/")) return "outside the base path";
  const path = decodeURIComponent(pathname.slice("/sub/".length));
  return path === "" || path.endsWith("/") ? `${path}index.html` : path;
}

/** Written by the build that these pages are a part of, once they are there. */
const LATER = "build.json";

test("every link and every resource of every page exists, below the base path", () => {
  const broken: string[] = [];
  for (const page of globSync("**/*.html", { cwd: site.outDir })) {
    for (const [, address = ""] of read(page).matchAll(/ (?:href|src)="([^"#]+)/g)) {
      const file = fileOf(address);
      if (file === null || file === LATER) continue;
      if (!existsSync(join(site.outDir, file))) broken.push(`${page}: ${address}`);
    }
  }
  expect(broken).toEqual([]);
});

test("all CSS is in the layer, and a listing's sheets are at most 18 kB, 5 kB compressed", () => {
  const sheets = globSync("_astro/*.css", { cwd: site.outDir });
  const onListing = [
    ...read("language/en/index.html").matchAll(/href="\/sub\/(_astro\/[^"]+\.css)"/g),
  ];
  const css = onListing.map(([, path = ""]) => read(path));
  expect(css.length).toBeGreaterThan(0);
  expect(Buffer.byteLength(css.join(""))).toBeLessThan(18_000);
  expect(css.reduce((sum, sheet) => sum + gzipSync(sheet).length, 0)).toBeLessThan(5_000);
  let depth = 0;
  let outside = "";
  for (const letter of sheets
    .map(read)
    .join("")
    .replace(/"[^"]*"/g, "")) {
    if (depth === 0) outside += letter;
    if (letter === "{") depth++;
    if (letter === "}") depth--;
  }
  expect(
    outside.match(/[^{;]+[{;]/g)?.filter((rule) => !rule.trim().startsWith("@layer commonplace")),
  ).toEqual([]);
});

test("the sitemap lists every page that search engines may keep, with its full address", () => {
  expect(read("sitemap-index.xml")).toContain(`<loc>${ORIGIN}/sub/sitemap-1.xml</loc>`);
  const listed = Array.from(read("sitemap-1.xml").matchAll(/<loc>([^<]+)<\/loc>/g), ([, at = ""]) =>
    fileOf(at),
  );
  const unlisted = /^(?:404\.html|(?:favourites|random|offline|embed\/\w+)\/index\.html)$/;
  const pages = globSync("**/*.html", { cwd: site.outDir }).filter((page) => !unlisted.test(page));
  expect(listed.toSorted()).toEqual(pages.toSorted());
  expect(read("robots.txt")).toContain(`Sitemap: ${ORIGIN}/sub/sitemap-index.xml`);
});

test("the feed has a quote of the day for each language, with its address", () => {
  const feed = read("feed.xml");
  expect(feed.match(/<item>/g)).toHaveLength(16);
  expect(feed).toMatch(/<link>https:\/\/quotes\.example\/sub\/quote\/\d+\/<\/link>/);
  expect(feed).not.toContain("<img");
});

test("JSON-LD parses on every page, and a quote's has the words of the page", () => {
  // Plain text has no marks of direction: they would turn the words of a search result round.
  const plain = (words: string): string => words.replace(/[\u202A-\u202E\u2066-\u2069]/g, "");
  const text = new Map(quotes.map((quote) => [quote.id, plain(quote.text ?? "")]));
  for (const page of find("**/index.html")) {
    const html = read(page);
    for (const [, block = ""] of html.matchAll(
      /<script type="application\/ld\+json">(.*?)<\/script>/gs,
    )) {
      const graph = (JSON.parse(block) as { "@graph": Record<string, unknown>[] })["@graph"];
      const quotation = graph.find((thing) => thing["@type"] === "Quotation");
      const id = Number(/^quote\/(\d+)\//.exec(page)?.[1]);
      if (!Number.isNaN(id)) expect(quotation?.["text"]).toBe(text.get(id));
      const list = graph.find((thing) => thing["@type"] === "ItemList");
      const shown = html.match(/<article class="quote"/g) ?? [];
      if (list !== undefined) expect(list["itemListElement"]).toHaveLength(shown.length);
    }
  }
});

const unescape = (xml: string) =>
  xml
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&amp;", "&");

test("every page says who it is to those who link to it, text intact", () => {
  // A page to embed is shown in a frame, and its canonical address is the quote's.
  for (const page of find("**/index.html").filter((path) => !path.startsWith("embed"))) {
    const html = read(page);
    for (const key of ["og:title", "og:description", "og:url", "og:site_name"]) {
      expect(html, page).toContain(`<meta property="${key}" content="`);
    }
  }
  const [, title = ""] =
    /og:title" content="([^"]*)"/.exec(read("tag/script-img-src-x-onerror-alert-1/index.html")) ??
    [];
  expect(unescape(title)).toBe(SCRIPT_TEXT);
});
