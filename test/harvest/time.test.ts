/** Walks that take many nights, in a collection that changes meanwhile (docs/walk.md, section 4). Each over a socket. */
// @module-tag sized
import { expect, test } from "vitest";
import type { WireQuote } from "../../src/contract/quote.ts";
import { seeded } from "../support/run/index.ts";
import { beginNights, expectWhole, isComplete } from "./false-answers/nights.ts";
import { libraryOf, quoteAt, type OrderName } from "./false-answers/service.ts";
import { answer, isList } from "./false-answers/table.ts";
import { drawn, LONG } from "../support/tier.ts";

const textOf = (quotes: readonly WireQuote[]): Map<number, string> =>
  new Map(quotes.map(({ pk, quote }) => [pk, quote]));

/** Other texts for the same keys, as after a restore of the database. */
const renumbered = (quotes: readonly WireQuote[], by: number): WireQuote[] =>
  quotes.map((quote, at) => ({
    ...(quotes[(at + by) % quotes.length] as WireQuote),
    pk: quote.pk,
  }));

test.each<[string, (quotes: WireQuote[]) => WireQuote[]]>([
  ["by one", (quotes) => renumbered(quotes, 1)],
  ["by half of the list", (quotes) => renumbered(quotes, 800)],
  ["to higher ones", (quotes) => quotes.map((quote) => ({ ...quote, pk: quote.pk + 5_000 }))],
  [
    "in its first half alone",
    (quotes) => [...renumbered(quotes.slice(0, 800), 9), ...quotes.slice(800)],
  ],
  [
    "so that other keys lie between",
    (quotes) => quotes.map((quote) => ({ ...quote, pk: quote.pk * 2 - 1 })),
  ],
])(
  "keys that are renumbered during a first walk of many nights, %s, are read anew",
  async (_, change) => {
    const nights = await beginNights({ quotes: libraryOf(1_606), cap: 100 });
    nights.service.newest = 10_000;
    for (let night = 0; night < 12; night++) {
      const ended = await nights.run({ maxRequests: 8 });
      if (isComplete(ended)) {
        expect(night).toBeGreaterThan(1);
        break;
      }
      if (night === 0) nights.service.quotes = change(nights.service.quotes);
    }
    const truth = textOf(nights.service.quotes);
    const wrong = nights.published().filter(({ pk, quote }) => truth.get(pk) !== quote);
    expect([wrong.length, wrong.slice(0, 2)]).toEqual([0, []]);
    expectWhole(nights);
  },
);

/** Quotes that come and go each night. */
const DAILY = 5;
const NIGHTS = LONG ? 120 : 48;

/** In the other order quotes come in where the walk begins. */
const STEADY: readonly (readonly [OrderName, number, number])[] = [
  ["newest first", 600, 100],
  ["by key", 600, 100],
];

test.each(drawn(STEADY, 1))(
  "three calls a night, five quotes come and five go, %s, %i quotes",
  async (order, size, cap) => {
    const random = seeded(size + 1);
    const nights = await beginNights({ quotes: libraryOf(size), cap, order, random });
    const { service } = nights;
    const gaps: number[] = [];
    const ghosts: number[] = [];
    let gap = 0;
    for (let night = 1; night <= NIGHTS; night++) {
      const ended = await nights.run({ maxRequests: 3 });
      expect([0, 75], `night ${night}: ${ended.message}`).toContain(ended.status);
      gap++;
      if (isComplete(ended)) {
        gaps.push(gap);
        gap = 0;
      }
      const listed = new Set(service.keys());
      ghosts.push(nights.keys().filter((pk) => !listed.has(pk)).length);
      for (let done = 0; done < DAILY; done++) {
        service.quotes.splice(Math.floor(random() * service.quotes.length), 1);
        service.quotes.push(quoteAt(++service.newest));
      }
    }
    const half = gaps.length >> 1;
    const mean = (some: readonly number[]): number =>
      some.reduce((sum, one) => sum + one, 0) / some.length;
    process.stdout.write(`${gaps.join(" ")} nights, at most ${Math.max(...ghosts)} ghosts\n`);
    expect(gaps.length).toBeGreaterThan(NIGHTS / 15);
    // The nights between two complete harvests do not grow.
    expect(mean(gaps.slice(half))).toBeLessThanOrEqual(mean(gaps.slice(0, half)) * 1.25 + 1);
    expect(Math.max(...ghosts)).toBeLessThanOrEqual(3 * DAILY * Math.max(...gaps));
  },
);

test("newest first, more new quotes a night than a page holds, in a walk of many nights", async () => {
  const nights = await beginNights({ quotes: libraryOf(600), cap: 25, order: "newest first" });
  const began = nights.service.keys();
  let isWhole = false;
  for (let night = 0; night < 30 && !isWhole; night++) {
    const ended = await nights.run({ maxRequests: 8 });
    expect([0, 75]).toContain(ended.status);
    isWhole = isComplete(ended);
    for (let more = 0; more < 40 && !isWhole; more++)
      nights.service.quotes.push(quoteAt(++nights.service.newest));
  }
  expect(isWhole).toBe(true);
  const published = new Set(nights.keys());
  expect(began.filter((pk) => !published.has(pk))).toEqual([]);
});

test.each([500, 502, 404])(
  "a last page that always answers %i keeps the label from proved",
  async (status) => {
    const nights = await beginNights({ quotes: libraryOf(600), cap: 100 });
    nights.service.script = (asked) =>
      isList(asked) &&
      asked.offset + Math.min(100, Number(asked.query.get("limit"))) >= 600 &&
      !asked.query.has("minlength")
        ? answer({ detail: "x" }, status)
        : null;
    for (let night = 0; night < 3; night++) {
      const ended = await nights.run();
      expect(ended.label).not.toBe("complete:proved");
      if (isComplete(ended)) expectWhole(nights);
    }
  },
);

test("unreadable windows of one night do not fail the walk nights later", async () => {
  const nights = await beginNights({ quotes: libraryOf(600), cap: 50 });
  for (let night = 0; night < 12; night++) {
    nights.service.script =
      night !== 1
        ? () => null
        : (asked) => {
            if (!isList(asked) || asked.truth.status !== 200) return null;
            const page = asked.truth.body as { results: WireQuote[] };
            const results = page.results.map((row) =>
              row.pk % 10 === 3 ? { ...row, quote: 7 } : row,
            );
            return answer({ ...page, results });
          };
    const ended = await nights.run({ maxRequests: 5 });
    expect([0, 75]).toContain(ended.status);
    if (isComplete(ended)) break;
  }
  expectWhole(nights);
});
