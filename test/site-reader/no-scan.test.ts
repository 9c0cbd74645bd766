/** Nothing that a page asks may read a whole table: the price of a page must not grow with the collection. */
import { expect, test, vi } from "vitest";
import { READS } from "../../src/plan/plan.ts";
import { SCHEMA } from "../../src/plan/schema.ts";
import { Database } from "../../src/sqlite/database.ts";
import { makeSite } from "../support/site/index.ts";

test("no statement on the way to a page scans a table", () => {
  const site = makeSite(
    Array.from({ length: 20 }, (_, index) => ({
      id: index + 1,
      author: `Author ${index % 7}`,
      tags: ["love"],
    })),
  );
  const pages = [...site.pages()];
  const spies = (["get", "tuple", "all", "each", "tuples"] as const).map((name) =>
    vi.spyOn(Database.prototype, name),
  );
  for (const page of pages) {
    site.quotesOn(page);
    if (page.kind === "tag" || page.kind === "author" || page.kind === "language") {
      site.listing(page.kind, page.term, page.number);
      site.related(page.kind, page.term);
    }
    if (page.kind === "initial") site.initial(page.term, page.number);
    if (page.kind === "quote") site.card(Number(page.term));
  }
  site.home();
  site.page("/tag/love/");
  site.sizeOf("tag", "love");
  site.quoteIn("tag", "love", 3);
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
    return (
      plan
        // The members of one page are a JSON array in its row, which SQLite calls a table.
        .filter(({ detail }) => /\bSCAN\b/.test(detail) && !detail.includes("VIRTUAL TABLE"))
        .map(({ detail }) => `${sql}: ${detail}`)
    );
  });
  expect(scans).toEqual([]);
});

test("related listings are found by their ids, not by going through all of their kind", () => {
  const database = new Database(":memory:");
  database.exec(SCHEMA);
  const steps = database.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${READS.related}`);
  database.close();
  expect(steps.map(({ detail }) => detail).filter((detail) => detail.includes("other"))).toEqual([
    "SEARCH other USING INTEGER PRIMARY KEY (rowid=?)",
  ]);
});
