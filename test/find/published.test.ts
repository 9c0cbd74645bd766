/** What the site gives to programs: feeds, the JSON API, structured data, the sitemap. Hostile text is in each. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { API_FILES, type ApiFile } from "../../src/site/api/schema.ts";
import { buildSite, type BuiltSite } from "../support/build-site.ts";
import { SCRIPT_TEXT, siteQuotes } from "../support/site-quotes.ts";

const ORIGIN = "https://quotes.example";
const THANKS = "https://github.com/commonplace/commonplace";
const quotes = siteQuotes();
let free: BuiltSite;
let paid: BuiltSite;

beforeAll(async () => {
  const variables = { SITE_BASE: "/sub/", SITE_URL: ORIGIN };
  free = await buildSite({ quotes }, variables);
  paid = await buildSite({ quotes: quotes.slice(-20) }, { ...variables, QUOTES_PLAN: "paid" });
});
afterAll(() => {
  free.remove();
  paid.remove();
});

const read = (path: string, site = free) => readFileSync(join(site.outDir, path), "utf8");
const json = (path: string, site = free) => JSON.parse(read(path, site)) as Record<string, unknown>;
const find = (pattern: string, site = free) => globSync(pattern, { cwd: site.outDir });
const unescape = (xml: string) =>
  xml
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&amp;", "&");

describe("feeds", () => {
  test("there is one of the site, of every language, and of the tags and authors that are large", () => {
    expect(find("language/*/feed.xml")).toHaveLength(16);
    expect(find("tag/*/feed.xml")).toEqual([join("tag", "rights", "feed.xml")]);
    expect(find("**/feed.json")).toHaveLength(find("**/feed.xml").length);
  });

  test("RSS has what the specification asks for, and its links lead to quotes", () => {
    for (const path of find("**/feed.xml")) {
      const feed = read(path);
      expect(feed).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>.*<rss version="2.0"/s);
      for (const element of ["title", "link", "description"])
        expect(feed).toContain(`<${element}>`);
      expect(feed).toContain(`<atom:link href="${ORIGIN}/sub/${path}" rel="self"`);
      const guids = [...feed.matchAll(/<guid isPermaLink="(?:true|false)">([^<]+)/g)].map(
        ([, guid]) => guid,
      );
      expect(new Set(guids).size).toBe(guids.length);
      expect(feed.replace(/<!\[CDATA\[.*?\]\]>/gs, "")).not.toMatch(
        /&(?!amp;|lt;|gt;|quot;|apos;|#)/,
      );
      expect(feed).toContain(THANKS);
    }
  });

  test("JSON Feed has what its specification asks for, ids that are unique, and the same quotes", () => {
    for (const path of find("**/feed.json")) {
      const { version, title, items, feed_url } = json(path) as {
        version: string;
        title: string;
        feed_url: string;
        items: { id: string; content_text: string; content_html: string; date_published: string }[];
      };
      expect(version).toBe("https://jsonfeed.org/version/1.1");
      expect(title).not.toBe("");
      expect(feed_url).toBe(`${ORIGIN}/sub/${path}`);
      expect(items.length).toBeGreaterThan(0);
      expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
      for (const { content_text, content_html, date_published } of items) {
        expect(quotes.some(({ text }) => text === content_text)).toBe(true);
        expect(content_html).not.toMatch(/<(?:img|script)/);
        expect(content_html).toContain(THANKS);
        expect(Number.isNaN(Date.parse(date_published))).toBe(false);
      }
    }
  });
});

describe("the API", () => {
  const kinds: Readonly<Record<string, ApiFile>> = {
    "index.json": "index",
    "today.json": "today",
    "{languages,tags,authors}.json": "terms",
    "{tag,author,language}/*.json": "listing",
    "random/*.json": "random",
    "where/*.json": "where",
  };

  test.each(Object.entries(kinds))("%s is as its schema says", (pattern, kind) => {
    const files = find(`api/v1/${pattern}`);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const read = API_FILES[kind].safeParse(json(file));
      expect(read.success ? [] : read.error.issues, file).toEqual([]);
    }
  });

  test("says the schema itself", () => {
    const { $defs } = json("api/v1/schema.json") as {
      $defs: Record<string, { properties: object }>;
    };
    expect(Object.keys($defs)).toEqual(Object.keys(API_FILES));
    expect($defs["today"]?.properties).toHaveProperty("quotes");
  });

  test("tells of every quote the page it stands on", () => {
    for (const { id } of quotes) {
      const { where } = json(`api/v1/where/${id % 128}.json`) as { where: Record<string, string> };
      const page = read(`${where[String(id)]?.slice(1) ?? ""}index.html`);
      expect(page).toContain(`id="q${id}"`);
    }
  });

  test("chooses by chance among quotes as they are, hostile ones too", () => {
    const all = find("api/v1/random/*.json").flatMap(
      (file) => (json(file) as { quotes: { pk: number; quote: string }[] }).quotes,
    );
    expect(all.find(({ quote }) => quote === SCRIPT_TEXT)).toBeDefined();
    expect(new Set(all.map(({ pk }) => pk)).size).toBe(all.length);
  });
});

test("on the paid plan neither feeds nor files thank anybody", () => {
  for (const file of [...find("**/feed.{xml,json}", paid), ...find("api/v1/**/*.json", paid)]) {
    expect(read(file, paid), file).not.toContain(THANKS);
  }
});

test("JSON-LD parses on every page, and a quote's has the words of the page", () => {
  const text = new Map(quotes.map((quote) => [quote.id, quote.text]));
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

test("the search offers no filter for what nobody knows", () => {
  expect(read("search/index.html")).not.toContain('name="curated"');
});

test("every page says who it is to those who link to it, text intact", () => {
  for (const page of find("**/index.html")) {
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
