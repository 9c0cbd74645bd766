/** What the site gives to programs: feeds and the JSON API. Hostile text is in each. */
import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { API_FILES } from "../../src/site/index.ts";
import { buildSite, buildSubSite, type BuiltSite } from "../support/built/index.ts";
import { folderWith } from "../support/run/index.ts";
import { SCRIPT_TEXT, siteQuotes } from "../support/snapshot/index.ts";

const THANKS = "Quotes from quotes.example";
const quotes = siteQuotes();
let site: BuiltSite;

beforeAll(async () => {
  site = await buildSubSite();
});

const read = (path: string) => readFileSync(join(site.outDir, path), "utf8");
const json = (path: string) => JSON.parse(read(path)) as Record<string, unknown>;
const find = (pattern: string) => globSync(pattern, { cwd: site.outDir });
describe("feeds", () => {
  test("there is one of the site, of every language, and of the tags and authors that are large", () => {
    expect(find("language/*/feed.xml")).toHaveLength(16);
    expect(find("tag/*/feed.xml")).toEqual([join("tag", "rights", "feed.xml")]);
    expect(find("**/feed.json")).toHaveLength(find("**/feed.xml").length);
    expect(find("**/atom.xml")).toHaveLength(find("**/feed.xml").length);
  });

  test("today is kept as a day of its own, in the calendar, its file and its feed", () => {
    const pks = (path: string) => [...read(path).matchAll(/data-pk="(\d+)"/g)].map(([, pk]) => pk);
    const [day = "", ...others] = find("today/2*/index.html");
    expect(others).toEqual([]);
    expect(pks(day)).toEqual(pks("today/index.html"));
    const date = day.split(sep)[1] ?? "";
    expect(read("today/calendar/index.html")).toContain(`href="/sub/today/${date}/"`);
    expect(read("today/calendar.ics")).toContain(`UID:${date}@quotes.example\r\n`);
    const { items } = json("today/feed.json") as { items: { date_published: string }[] };
    expect(items.map((item) => item.date_published.slice(0, 10))).toEqual([date]);
  });

  test("what is new has a page and a feed of the same quotes, newest first", () => {
    const { items } = json("new/feed.json") as { items: { id: string; date_published: string }[] };
    expect(items.map(({ id }) => /quote\/(\d+)/.exec(id)?.[1])).toEqual(["1", "2"]);
    const shown = [...read("new/index.html").matchAll(/data-pk="(\d+)"/g)].map(([, pk]) => pk);
    expect(shown).toEqual(["1", "2"]);
  });

  test("each thanks the service, and JSON Feed has the quotes as they are", () => {
    for (const path of find("**/{feed,atom}.xml")) expect(read(path), path).toContain(THANKS);
    for (const path of find("**/feed.json")) {
      const { items } = json(path) as { items: { content_text: string; content_html: string }[] };
      expect(items.length).toBeGreaterThan(0);
      for (const { content_text, content_html } of items) {
        expect(quotes.some(({ text }) => text === content_text)).toBe(true);
        expect(content_html).not.toMatch(/<(?:img|script)/);
        expect(content_html).toContain(THANKS);
      }
    }
  });
});

describe("the API", () => {
  test("says the schema itself", () => {
    const { $defs } = json("api/v1/schema.json") as {
      $defs: Record<string, { properties: object }>;
    };
    expect(Object.keys($defs)).toEqual(Object.keys(API_FILES));
    expect($defs["today"]?.properties).toHaveProperty("quotes");
  });

  test("has the page of every quote", () => {
    for (const { id } of quotes) {
      const { where } = json(`api/v1/where/${id % 128}.json`) as { where: Record<string, string> };
      const page = read(`${where[String(id)]?.slice(1) ?? ""}index.html`);
      expect(page).toContain(`id="q${id}"`);
    }
  });

  test("chooses by chance among quotes as they are, hostile ones too", () => {
    const all = find("api/v1/random/[0-9]*.json").flatMap(
      (file) => (json(file) as { quotes: { pk: number; quote: string }[] }).quotes,
    );
    expect(all.find(({ quote }) => quote === SCRIPT_TEXT)).toBeDefined();
    expect(new Set(all.map(({ pk }) => pk)).size).toBe(all.length);
  });
});

test("the search offers no filter for what is unknown", () => {
  expect(read("search/index.html")).not.toContain('name="curated"');
});

test("a page of a quote offers others in short", () => {
  const harmful = quotes.filter(({ tags }) => tags?.includes("harm"));
  const long = harmful.flatMap(({ id }) => [
    ...read(`quote/${id}/index.html`).matchAll(/<li lang="en" dir="ltr"><a [^>]*>(Donau[^<]*)</g),
  ]);
  expect(long.length).toBeGreaterThan(0);
  for (const [, text] of long) expect(text).toMatch(/^.{32,64}…$/);
});

test("the search offers no tag whose name fills the page", () => {
  const page = read("search/index.html");
  expect(page).toContain('<option value="harm">');
  expect(page).not.toContain("Donaudampfschifffahrt");
});

test(
  "a month of the calendar is named as its days are counted, also where readers count years and months otherwise",
  { tags: "long" },
  async () => {
    const folder = folderWith({ "messages/fa.json": "{}" });
    const own = { SITE_DIR: folder, SITE_LANGUAGE: "fa" };
    const { outDir } = await buildSite({ quotes: [{ id: 1, language: "fa" }] }, own);
    const html = readFileSync(join(outDir, "today/calendar/index.html"), "utf8");
    expect(html).toContain("<caption>نوامبر ۲۰۲۶</caption>");
    expect(html).toContain('aria-label="۲۱ نوامبر ۲۰۲۶">۲۱</a>');
  },
);
