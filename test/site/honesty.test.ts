/** What the site says about itself: how old the quotes are, how whole, from where; and when it owes no attribution. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isStale } from "../../src/site/index.ts";
import { buildSite, type BuiltSite } from "../support/built/index.ts";

const quotes = [
  { id: 1, author: "Anon", language: "en" },
  { id: 2, author: "فلان", language: "ar", text: "كلام" },
];

async function pagesOf(
  label: string,
  finished: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<{ site: BuiltSite; read: (path: string) => string }> {
  const facts = { harvest: { label, finished }, source: { host: "quotes.example" } };
  const site = await buildSite({ quotes, facts }, variables);
  return { site, read: (path) => readFileSync(join(site.outDir, path), "utf8") };
}

describe("data of long ago, on the paid plan", () => {
  let old: Awaited<ReturnType<typeof pagesOf>>;
  beforeAll(async () => {
    old = await pagesOf("best-effort", "2020-02-03T04:05:06Z", { QUOTES_PLAN: "paid" });
  });
  afterAll(() => old.site.remove());

  test.each([
    ["index.html", "February 3, 2020"],
    ["author/anon/index.html", "February 3, 2020"],
    ["404.html", "February 3, 2020"],
    ["language/ar/index.html", "3 فبراير 2020"],
  ])("%s says so in its own language", (path, date) => {
    expect(old.read(path)).toMatch(new RegExp(`class="stale">[^<]*${date}`));
  });

  test("the first page and the page about the site say when, how much, from where and how whole", () => {
    for (const path of ["index.html", "about/index.html"]) {
      const html = old.read(path);
      expect(html).toContain('<time datetime="2020-02-03T04:05:06Z">February 3, 2020</time>');
      expect(html).toContain("2 quotes · 2 authors");
      expect(html).toContain("quotes.example");
      expect(html).toContain("a few quotes may be missing");
    }
  });

  test("there is no attribution", () => {
    expect(old.read("index.html")).not.toContain("data-attribution");
  });
});

test("fresh data has no banner", async () => {
  const fresh = await pagesOf("complete:proved", new Date().toISOString());
  expect(fresh.read("author/anon/index.html")).not.toContain("stale");
  fresh.site.remove();
});

test.each([
  ["2026-01-01T00:00:00Z", "2026-01-08T00:00:00Z", false],
  ["2026-01-01T00:00:00Z", "2026-01-08T00:00:01Z", true],
  [null, "2026-01-08T00:00:01Z", false],
])("isStale() of %s at %s, after 7 days, is %s", (dataAsOf, now, expected) => {
  expect(isStale(dataAsOf, 7, Date.parse(now))).toBe(expected);
});
