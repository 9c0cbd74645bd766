/** Services whose filters show nothing of a deleted quote: its place in the list does (docs/walk.md, section 5). */
import { expect, test } from "vitest";
import type { WireQuote } from "../../src/contract/quote.ts";
import { json, type Call, type Reply } from "../support/http/index.ts";
import {
  collectionOf,
  cutPage,
  passes,
  startHarvests,
  wireQuote,
} from "../support/service/index.ts";
import { inTiers } from "../support/tier.ts";

const CAP = 20;

/** Of a night with eight pages: the bound of a run. */
const MOST_REQUESTS = 3 * 8 + 50;

interface Kind {
  /** Answers a request for quotes; null for the truth. */
  readonly answer?: (call: Call, quotes: readonly WireQuote[]) => Reply | null;
  /** The order of the list. */
  readonly order?: (a: WireQuote, b: WireQuote) => number;
}

const isFiltered = ({ url: { searchParams: query } }: Call): boolean =>
  [...query.keys()].some((name) => name !== "limit" && name !== "offset");

const refused = (status: number): Kind => ({
  answer: (call) => (isFiltered(call) ? json({ detail: "Not on your plan." }, status) : null),
});

const pageAt = ({ url }: Call, quotes: readonly WireQuote[]) => cutPage(quotes, url, { cap: CAP });

const unfiltered = (call: Call, quotes: readonly WireQuote[]): Reply => json(pageAt(call, quotes));

const newestFirst = (a: WireQuote, b: WireQuote): number => b.pk - a.pk;

const KINDS: Readonly<Record<string, Kind>> = {
  "ignores all filters": { answer: unfiltered },
  "ignores all filters, newest first": { answer: unfiltered, order: newestFirst },
  "refuses filters with 400": refused(400),
  "fails on filters with 500": refused(500),
  "has no `next` on its last page, and answers 404 past the end": {
    answer: (call, quotes) => {
      const query = call.url.searchParams;
      const page = pageAt(
        call,
        quotes.filter((quote) => passes(quote, query)),
      );
      const { next, ...rest } = page;
      if (rest.results.length === 0) return json({ detail: "Invalid page." }, 404);
      return json(next === null ? rest : page);
    },
  },
  "knows no language but English": {
    answer: ({ url }) =>
      ["en", null].includes(url.searchParams.get("lang") ?? url.searchParams.get("language"))
        ? null
        : json({ lang: ["Select a valid choice."] }, 400),
  },
};

/** Quotes of several languages, and one that is longer than all others. */
const COLLECTION = collectionOf(150).map((quote) =>
  quote.pk === 77 ? wireQuote(77, { quote: "long ".repeat(150) }) : quote,
);

async function startKind({ answer, order }: Kind) {
  const harvests = await startHarvests(0, CAP);
  const { service } = harvests;
  const change = (quotes: readonly WireQuote[]): void => {
    service.quotes = quotes.toSorted(order ?? ((a, b) => a.pk - b.pk));
  };
  service.fault = (call) =>
    call.url.pathname === "/apiv1/quotes/" ? (answer?.(call, service.quotes) ?? null) : null;
  change(COLLECTION);
  await harvests.run();
  return { ...harvests, change };
}

for (const { cases, options } of inTiers(Object.entries(KINDS), 2))
  test.each(cases)(
    "a service %s: what was deleted leaves a night later, and costs little",
    options,
    async (_, kind) => {
      const { service, change, run, keys } = await startKind(kind);
      // The first, some in the middle, the longest, and the last.
      const nights = [[1], [40, 41, 77], [149, 150]];
      for (const gone of nights) {
        change(service.quotes.filter(({ pk }) => !gone.includes(pk)));
        await run();
        const { harvest } = await run();
        expect(keys()).toEqual(service.quotes.map(({ pk }) => pk).sort((a, b) => a - b));
        expect(harvest.label).toBe("complete:proved");
        expect(harvest.requests).toBeLessThanOrEqual(MOST_REQUESTS);
      }
    },
  );

/** Whether a request has a `limit` that no page of the walk has. */
const isOfPlace = ({ url }: Call): boolean => url.searchParams.get("limit") === String(CAP - 1);

/** Answers requests for a place of the list falsely. */
const atPlaces =
  (lie: (results: WireQuote[]) => readonly unknown[]) =>
  (call: Call, quotes: readonly WireQuote[]): Reply => {
    const page = pageAt(call, quotes);
    return json(isOfPlace(call) ? { ...page, results: lie(page.results as WireQuote[]) } : page);
  };

test.each<[string, (results: WireQuote[]) => readonly unknown[]]>([
  ["lacks two in ten of its neighbours", (all) => all.filter((_, at) => at % 5 !== 2)],
  [
    "is in another order",
    (all) => [...all.slice(0, 1), ...all.slice(1, -1).reverse(), ...all.slice(-1)],
  ],
  ["has a record without a key", (all) => [...all.slice(0, -1), { quote: "Who am I?" }]],
  ["is empty", () => []],
  ["is of another place", (all) => all.map((quote) => ({ ...quote, pk: quote.pk + 5_000 }))],
])("a quote stays published where the answer for its place %s", async (_, lie) => {
  const { service, change, run, keys } = await startKind({ answer: atPlaces(lie) });
  change(service.quotes.filter(({ pk }) => pk !== 60));
  for (let night = 0; night < 3; night++) await run();
  expect(keys()).toContain(60);
});

test("a quote that the walk passed over, and its place shows, stays published", async () => {
  let hides = false;
  const { run, keys } = await startKind({
    answer: (call, quotes) => {
      const isHidden = hides && !isOfPlace(call);
      return unfiltered(call, isHidden ? quotes.filter(({ pk }) => pk !== 60) : quotes);
    },
  });
  hides = true;
  for (let night = 0; night < 3; night++) {
    const { harvest } = await run();
    expect(keys()).toContain(60);
    expect(harvest.removed).toBe(0);
  }
});

test("a quote that the list hides for one night stays published", async () => {
  let hides = false;
  const { run, keys } = await startKind({
    answer: (call, quotes) =>
      unfiltered(call, hides ? quotes.filter(({ pk }) => pk !== 60) : quotes),
  });
  for (const isHidden of [true, false, true, false]) {
    hides = isHidden;
    await run();
    expect(keys()).toContain(60);
  }
});
