/** Nothing that a page asks may read a whole table: the price of a page must not grow with the collection. */
import { expect, test, vi } from "vitest";
import { Database } from "../../src/sqlite/database.ts";
import { makeSite } from "../support/make-site.ts";

test("no statement on the way to a page scans a table", () => {
  const site = makeSite(
    Array.from({ length: 20 }, (_, index) => ({
      id: index + 1,
      author: `Author ${index % 7}`,
      tags: ["love"],
    })),
  );
  const spies = (["get", "tuple", "all", "each", "tuples"] as const).map((name) =>
    vi.spyOn(Database.prototype, name),
  );
  for (const page of site.pages()) {
    site.quotesOn(page);
    if (page.kind === "tag" || page.kind === "author" || page.kind === "language") {
      site.listing(page.kind, page.slug, page.page);
      site.related(page.kind, page.slug);
    }
    if (page.kind === "initial") site.initial(page.slug, page.page);
    if (page.kind === "quote") site.card(Number(page.slug));
  }
  site.home();
  site.quotePaths();
  for (const [, card] of site.everyCard({ index: 1, count: 2 }, () => false))
    expect(card?.quote.id).toBeGreaterThan(0);
  site.listingPaths("tag");
  site.initialPaths();
  const asked = new Map<string, { path: string; sql: string }>();
  for (const { mock } of spies) {
    for (const [index, [sql]] of mock.calls.entries()) {
      const { path } = mock.contexts[index] as Database;
      asked.set(`${path} ${sql}`, { path, sql });
    }
  }
  vi.restoreAllMocks();

  expect(asked.size).toBeGreaterThan(8);
  const scans = [...asked.values()].flatMap(({ path, sql }) => {
    const database = new Database(path, { readOnly: true });
    const plan = database.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
    database.close();
    return plan
      .filter(({ detail }) => /\bSCAN\b/.test(detail))
      .map(({ detail }) => `${sql}: ${detail}`);
  });
  expect(scans).toEqual([]);
});
