/** What the site says about itself: how old the quotes are, how whole, from where; and what it leaves out. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { contentOf, differences } from "../render/support.ts";
import { buildSite, type BuiltSite } from "../support/built/index.ts";

const quotes = [
  { id: 1, author: "Anon", language: "en", likes: 20 },
  { id: 2, author: "فلان", language: "ar", text: "كلام", likes: 0 },
];
const HARVEST = { label: "best-effort", finished: "2020-02-03T04:05:06Z" };

test(
  "a harvest that brought nothing new changes no page of its day",
  { tags: "long" },
  async () => {
    const [morning, evening] = await Promise.all(
      ["2026-11-20T02:03:04Z", "2026-11-20T21:22:23Z"].map((finished) =>
        buildSite({ quotes, facts: { harvest: { ...HARVEST, finished } } }),
      ),
    );
    const [before, after] = [contentOf(morning?.outDir ?? ""), contentOf(evening?.outDir ?? "")];
    expect(before["index.html"]).toContain("November 20, 2026");
    expect(Object.keys(after)).toEqual(Object.keys(before));
    // It says when the harvest ended, to the second, as the reports of the build do.
    expect(differences(before, after)).toEqual(["api/v1/index.json"]);
  },
);

/** Old data, on the paid plan, without voting and without pages of single quotes. */
let old: BuiltSite;
beforeAll(async () => {
  const facts = { harvest: HARVEST, source: { host: "quotes.example" } };
  const settings = { QUOTES_PLAN: "paid", VOTE_BASE_URL: "off", SITE_QUOTE_PAGES: "0" };
  old = await buildSite({ quotes, facts }, settings);
});
const read = (path: string) => readFileSync(join(old.outDir, path), "utf8");

test.each([
  ["index.html", "February 3, 2020"],
  ["author/anon/index.html", "February 3, 2020"],
  ["404.html", "February 3, 2020"],
  ["language/ar/index.html", "3 فبراير 2020"],
])("old data: %s warns in its own language", (path, date) => {
  expect(read(path)).toMatch(new RegExp(`class="stale">[^<]*${date}`));
});

test.each(["index.html", "about/index.html"])(
  "%s has the date, size, source and completeness of the data",
  (path) => {
    const html = read(path);
    expect(html).toContain(`<time datetime="2020-02-03">February 3, 2020</time>`);
    expect(html).toContain("2 quotes · 2 authors");
    expect(html).toContain("quotes.example");
    expect(html).toContain("a few quotes may be missing");
  },
);

test("on the paid plan no page, feed or file of the API has an attribution", () => {
  const files = globSync("{*.html,**/{feed,atom}.{xml,json},api/v1/**/*.json}", {
    cwd: old.outDir,
  });
  expect(files.length).toBeGreaterThan(20);
  for (const file of files) {
    expect(read(file), file).not.toMatch(/data-attribution|Quotes from quotes\.example/);
  }
});

test("where no quote has a page of its own, chance chooses among their places", () => {
  const { quotes } = JSON.parse(read("api/v1/random/0.json")) as { quotes: { path: string }[] };
  expect(quotes.map(({ path }) => path)).toEqual(["/author/anon/#q1", "/author/فلان/#q2"]);
  expect(read("random/index.html")).toContain("en:en:1");
});

test("voting off: counts in words, none of zero, no form, no script", () => {
  const html = read("language/en/index.html");
  expect(html).toContain("20 likes");
  expect(read("language/ar/index.html")).not.toContain('class="likes"');
  expect(html).not.toMatch(/<form method="post"|VoteForms|vote-|data-act="report"/);
});
