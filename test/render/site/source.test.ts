/** Where a quote stands in print goes from the record of a service to everything that a site shows of a quote. */
// @module-tag long
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { expect, onTestFinished, test } from "vitest";
import { parseFavourites } from "../../../src/islands/favourites/store.ts";
import { makeEpub } from "../../../src/islands/favourites/epub.ts";
import { asHtml, asMarkdown, asText } from "../../../src/islands/share.ts";
import { startService } from "../../../src/service/start.ts";
import { Database } from "../../../src/sqlite/database.ts";
import { run, tempFolder } from "../../support/run/index.ts";
import { serviceOf, wireQuote } from "../../support/service/index.ts";
import { publishedIn } from "../../support/snapshot/index.ts";

const HOSTILE = `</cite><script>alert(1)</script>"&`;

const RECORDS = [
  { ...wireQuote(1, { author: "Thoreau", language: "en" }), work: "Walden", year: 1854 },
  { ...wireQuote(2, { author: "Ada", language: "en" }), book: HOSTILE },
  wireQuote(3, { author: "Ada", language: "en" }),
];

test("a source is in pages, feeds, API, JSON-LD, search and export, and changes its pages alone", async () => {
  const service = await serviceOf(RECORDS);
  const [state, out] = [tempFolder("state"), join(tempFolder("site"), "dist")];
  const env = { QUOTES_BASE_URL: service.url, SITE_NOW: "2026-11-28T03:00:00Z" };
  const build = () => run("build", ["--state", state, "--out", out], env);
  const page = (path: string): string => readFileSync(join(out, path), "utf8");

  const built = await build();
  expect([built.status, built.stderr]).toEqual([0, expect.any(String)]);
  expect(publishedIn(state).map(({ source }) => source)).toEqual([
    { work: "Walden", year: "1854" },
    { work: HOSTILE, year: null },
    null,
  ]);
  const cited = `<cite dir="auto">Walden (1854)</cite>`;
  for (const path of ["quote/1", "author/thoreau", "language/en"]) {
    expect(page(`${path}/index.html`)).toContain(cited);
  }
  expect(page("embed/1/index.html")).toContain("Walden (1854)");
  expect(page("quote/1/index.html")).toContain(
    `"isPartOf":{"@type":"CreativeWork","name":"Walden","datePublished":"1854"}`,
  );
  expect(page("language/en/index.html")).not.toContain("<script>alert");
  expect(page("quote/3/index.html")).not.toMatch(/<cite|isPartOf/);
  expect(page("language/en/feed.json")).toContain("— Thoreau, Walden (1854)");
  const { quotes } = JSON.parse(page("api/v1/language/en.json")) as {
    quotes: { pk: number; source?: unknown }[];
  };
  expect(quotes.toSorted((a, b) => a.pk - b.pk).map(({ source }) => source)).toEqual([
    { work: "Walden", year: "1854" },
    { work: HOSTILE, year: null },
    undefined,
  ]);
  const { stdout } = await run("export", ["--state", state]);
  expect(stdout.split("\n")[0]).toContain(`"source":{"work":"Walden","year":"1854"}`);

  // Only the year changes: the pages that show the quote are new, the others are not.
  service.quotes = RECORDS.map((record) => ("year" in record ? { ...record, year: 1855 } : record));
  expect((await build()).status).toBe(0);
  expect(page("quote/1/index.html")).toContain("Walden (1855)");
  const changes = readFileSync(join(state, "build-changes.ndjson"), "utf8");
  expect(changes).toContain(`"/quote/1/"`);
  expect(changes).not.toContain(`"/quote/3/"`);
});

test("what is exported is served again, also by a database of the first version", async () => {
  const folder = tempFolder();
  const data = join(folder, "quotes.ndjson");
  const db = join(folder, "service.sqlite");
  const source = { work: "Walden", year: null };
  const lines = [1, 2, 3].map((pk) => JSON.stringify({ ...wireQuote(pk), source }));
  {
    const first = await startService({ db, quotes: [] });
    await first.close();
    using database = new Database(db);
    database.exec("ALTER TABLE quotes DROP COLUMN source; PRAGMA user_version = 1");
  }
  writeFileSync(data, lines.join("\n"));
  const service = await startService({ db, data });
  onTestFinished(() => service.close());
  const answer = await fetch(`${service.url}/apiv1/quotes/`);
  const { results } = (await answer.json()) as { results: { source?: unknown }[] };
  expect(results.map((record) => record.source)).toEqual([source, source, source]);
});

test("a source is copied, kept and printed in a book with its quote", () => {
  const [kept = expect.fail("the favourite is lost")] =
    parseFavourites(
      JSON.stringify([
        {
          ...{ pk: 1, quote: "Simplify.", author: "Thoreau", lang: "en", dir: "ltr" },
          ...{ path: "/quote/1/", source: `Walden ${HOSTILE}` },
        },
      ]),
    ) ?? [];
  const shown = { ...kept, link: "https://site.example/quote/1/" };
  expect(asText(shown)).toBe(`“Simplify.”\n— Thoreau, Walden ${HOSTILE}`);
  expect(asMarkdown(shown)).toContain(`>), Walden \\<`);
  expect(asHtml(shown)).toContain("</a></cite>, Walden &lt;/cite&gt;");
  const words = {
    title: "Kept",
    lang: "en",
    dir: "ltr",
    contents: "Contents",
    thanks: null,
  } as const;
  const id = "00000000-0000-4000-8000-000000000000";
  const book = unzipSync(
    makeEpub([kept], words, "https://site.example/", { now: new Date("2026-11-28"), id }),
  );
  expect(strFromU8(book["book/chapter-1.xhtml"] ?? expect.fail("no chapter"))).toContain(
    ", <bdi>Walden &lt;/cite&gt;&lt;script&gt;",
  );
});
