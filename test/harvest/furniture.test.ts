/** Rows that stand on every page: advertisements and pinned quotes (docs/walk.md, section 4). Each over a socket. */
import { expect, test } from "vitest";
import type { WireQuote } from "../../src/contract/quote.ts";
import { idleAllowed } from "../../src/harvest/bound.ts";
import type { WirePage } from "../support/service/index.ts";
import { beginNights, expectWhole, isComplete } from "./false-answers/nights.ts";
import { libraryOf, quoteAt, type FalseService } from "./false-answers/service.ts";
import { answer, isList, type Asked } from "./false-answers/table.ts";
import { inTiers } from "../support/tier.ts";

type Furnish = (rows: readonly unknown[], limit: number, asked: Asked) => readonly unknown[];

const AD = { type: "ad", html: "<b>Buy</b>" };
const PINNED = quoteAt(150);
/** A pinned quote that the list itself does not have. */
const NEWS: WireQuote = { ...quoteAt(9_000), quote: "Read our news." };

const MEMBERS: readonly (readonly [string, Furnish])[] = [
  ["an advertisement at the end", (rows) => (rows.length === 0 ? rows : [...rows, AD])],
  ["an advertisement at the end, also of empty pages", (rows) => [...rows, AD]],
  [
    "another advertisement at the start of each page",
    (rows, _, { list }) => [{ ad: list }, ...rows],
  ],
  ["an advertisement after the tenth row", (rows) => [...rows.slice(0, 10), AD, ...rows.slice(10)]],
  ["two advertisements", (rows) => [AD, ...rows, { ad: "Sell" }]],
  ["an advertisement in the place of a row", (rows, limit) => [...rows.slice(0, limit - 1), AD]],
  ["a pinned quote before the page", (rows) => [PINNED, ...rows]],
  ["a pinned quote after the page", (rows) => [...rows, PINNED]],
  ["a pinned quote in the place of a row", (rows, limit) => [PINNED, ...rows.slice(0, limit - 1)]],
  ["a pinned quote that the list lacks", (rows) => [NEWS, ...rows]],
  ["two pinned quotes", (rows) => [PINNED, NEWS, ...rows]],
];

function furnish(service: FalseService, change: Furnish): void {
  service.script = (asked) => {
    if (!isList(asked) || asked.truth.status !== 200) return null;
    const page = asked.truth.body as WirePage;
    const limit = Math.min(service.cap, Number(asked.query.get("limit")) || 5);
    return answer({ ...page, results: change(page.results, limit, asked) });
  };
}

for (const { cases, options } of inTiers(MEMBERS, 5))
  test.each(cases)(
    "pages with %s are complete, and deletions arrive",
    options,
    async (_, change) => {
      for (const order of ["by key", "by likes"] as const) {
        const size = 300;
        const nights = await beginNights({ quotes: libraryOf(size), cap: 25, order });
        const honest = await nights.run();
        const { service } = nights;
        const furnished = await beginNights({ quotes: [...service.quotes], cap: 25, order });
        furnish(furnished.service, change);
        for (let night = 0; night < 3; night++) {
          const ended = await furnished.run();
          expect([ended.status, isComplete(ended), ended.message], `${order} ${night}`).toEqual([
            ...[0, true, ""],
          ]);
          expectWhole(furnished);
          const extra = furnished.keys().filter((pk) => !furnished.service.keys().includes(pk));
          expect(extra.filter((pk) => pk !== NEWS.pk && pk !== PINNED.pk)).toEqual([]);
          if (order === "by key") {
            expect(ended.label).toBe("complete:proved");
            expect(ended.requests).toBeLessThanOrEqual(honest.requests + 12);
          }
          expect(ended.requests).toBeLessThanOrEqual(idleAllowed(size, 25));
          furnished.service.quotes = furnished.service.quotes.slice(1);
        }
        await nights.end();
        await furnished.end();
      }
    },
  );
