/** The default order under change, and the quote of the day. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Store } from "../../../src/service/store.ts";
import { ask, embedded, holding, post, quote } from "../support/running.ts";

const PLAIN = { tags: [], byLikes: false, author: "", minLength: null, maxLength: null };

test("a block is right after any inserts, deletes, reports and edits, in and out of order", () => {
  const step = fc.tuple(
    fc.constantFrom("insert", "delete", "report", "edit"),
    fc.integer({ min: 1, max: 40 }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.nat(12), (steps, offset) => {
      const store = new Store(":memory:");
      const expected = new Map<number, string>();
      const reported = new Set<number>();
      for (const [what, pk] of steps) {
        // As a request between the changes: the store remembers what it listed.
        store.page({ ...PLAIN, language: null, curated: false }, 0, 1);
        const language = pk % 3 === 0 ? "fr" : "en";
        if (what === "insert") {
          store.insert([quote(pk, { language, curated: pk % 2 === 0 })]);
          if (!reported.has(pk) && !expected.has(pk)) expected.set(pk, language);
        } else if (what === "edit") {
          store.edit(pk, { language: "fr" });
          if (expected.has(pk)) expected.set(pk, "fr");
        } else {
          const done = what === "delete" ? store.delete(pk) : store.report(pk);
          expect(done).toBe(expected.delete(pk));
          if (done && what === "report") reported.add(pk);
        }
      }
      const lists = [null, "fr"].flatMap((language) => [
        { language, curated: false },
        { language, curated: true },
      ]);
      for (const { language, curated } of lists) {
        const all = [...expected].filter(
          ([pk, code]) => (language === null || code === language) && (!curated || pk % 2 === 0),
        );
        const pks = all.map(([pk]) => pk).sort((a, b) => a - b);
        const { rows, more } = store.page({ ...PLAIN, language, curated }, offset, 5);
        expect(rows.map(({ pk }) => pk)).toEqual(pks.slice(offset, offset + 5));
        expect(more).toBe(pks.length > offset + 5);
      }
      store.close();
    }),
    { numRuns: 100 },
  );
});

test("the last of 60,000 rows costs as little as the first", () => {
  const store = new Store(":memory:");
  const rows = 60_000;
  store.insert(Array.from({ length: rows }, (_, index) => quote(index + 1, { author: null })));
  /** CPU time of this thread alone, in milliseconds: other programs of the machine do not count. */
  const cost = (offset: number): number => {
    const before = process.threadCpuUsage();
    for (let n = 0; n < 50; n++)
      store.page({ ...PLAIN, language: null, curated: false }, offset, 5);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  };
  const least = { first: Infinity, last: Infinity };
  for (let round = 0; round < 5; round++) {
    least.first = Math.min(least.first, cost(0));
    least.last = Math.min(least.last, cost(rows - 5));
  }
  // Stepping over the rows would cost a hundred times as much.
  expect(least.last).toBeLessThan(10 * least.first + 5);
  store.close();
});

test("the quote of the day stays all day, for each language and for curated ones", async () => {
  let now = Date.UTC(2026, 10, 21, 0, 0, 1);
  const { url, store } = await embedded({ now: () => now });
  const queries = ["", "?language=hi", "?lang=fr&curated=1", "?curated=1"];
  const chosen = async (): Promise<unknown[]> =>
    Promise.all(queries.map(async (query) => (await ask(`${url}/apiv1/qod/${query}`)).body));
  const morning = await chosen();
  expect(morning.map((one) => (one as { language: string }).language).slice(1, 3)).toEqual([
    "hi",
    "fr",
  ]);
  store.insert(
    Array.from({ length: 500 }, (_, n) => quote(5_000 + n, { language: "hi", curated: true })),
  );
  now = Date.UTC(2026, 10, 21, 23, 59, 59);
  expect(await chosen()).toEqual(morning);
  now += 1_000;
  expect(await chosen()).not.toEqual(morning);
});

test("a quote of the day that is reported is replaced", async () => {
  const { url } = await holding([quote(1), quote(2)]);
  const of = async (): Promise<number> =>
    ((await ask(`${url}/apiv1/qod/`)).body as { pk: number }).pk;
  const first = await of();
  await post(`${url}/apiv1/report/`, { pk: String(first) });
  expect(await of()).toBe(3 - first);
  await post(`${url}/apiv1/report/`, { pk: String(3 - first) });
  expect((await ask(`${url}/apiv1/qod/`)).status).toBe(404);
});
