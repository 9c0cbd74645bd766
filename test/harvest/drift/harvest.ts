/** Harvests a drifting collection in this process: the real walk and the real store, with no socket between. */
import { decodeQuote } from "../../../src/contract/decode.ts";
import { decodePage } from "../../../src/contract/body.ts";
import type { Quote } from "../../../src/contract/quote.ts";
import type { GetQuotes } from "../../../src/contract/window.ts";
import { quotesQuery } from "../../../src/client/service-api.ts";
import { collect, type Collected } from "../../../src/harvest/collect.ts";
import { Contents } from "../../../src/harvest/contents.ts";
import { Furniture } from "../../../src/harvest/furniture.ts";
import { Run } from "../../../src/snapshot/work/run.ts";
import { openWork } from "../../../src/snapshot/work/work.ts";
import { columnsOf, toQuote } from "../../../src/snapshot/row.ts";
import { seeded } from "../../support/run/index.ts";
import { type Change, type DriftingCollection } from "./collection.ts";

export interface DriftHow {
  readonly cap: number;
  readonly concurrency: number;
  readonly overlap: number;
  readonly seed: number;
  /** What happens before each request. */
  readonly changes: (request: number) => readonly Change[];
}

export interface DriftOutcome extends Collected {
  readonly quotes: readonly Quote[];
}

export async function harvestDrifting(
  collection: DriftingCollection,
  { cap, seed, changes, ...how }: DriftHow,
): Promise<DriftOutcome> {
  const random = seeded(seed);
  const get: GetQuotes = async (filter, offset, limit) => {
    // Requests in flight may arrive in any order.
    for (let turns = Math.floor(random() * 4); turns > 0; turns--) await Promise.resolve();
    const url = new URL("http://service.example/apiv1/quotes/");
    for (const [name, value] of Object.entries(quotesQuery(filter, offset, limit))) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const page = decodePage(collection.serve(url, cap, changes(collection.requests)), decodeQuote);
    if (!page.ok) throw new Error(page.reason);
    return { ...page.value, quotes: page.value.items, offset };
  };
  return await harvestInMemory(get, how);
}

/** The real walk and the real store, in memory. */
export async function harvestInMemory(
  get: GetQuotes,
  how: Pick<DriftHow, "concurrency" | "overlap">,
): Promise<DriftOutcome & { readonly quarantined: number }> {
  const selection = { languages: [], tags: [], curated: false };
  const work = openWork(":memory:");
  const run = new Run(work, "drift", selection, 0);
  try {
    const furniture = new Furniture(run, () => true);
    const collected = await collect({
      ...{ get: furniture.wrap(get), store: run, selection, furniture, ...how },
      pageSize: 1_000,
      expected: null,
      limits: { maxUnreadable: 0.01, maxQuotes: 1e6, maxWorkBytes: 1e9 },
      contents: new Contents({
        store: run,
        published: () => undefined,
        narrow: () => undefined,
      }),
      report: () => undefined,
    });
    return {
      ...collected,
      quotes: Array.from(work.tuples<unknown[]>(`SELECT ${columnsOf()} FROM quotes`), toQuote),
      quarantined: run.quarantined(0).total,
    };
  } finally {
    work.close();
  }
}

/** Quotes that were there all the time and are not in the outcome. */
export function lost(collection: DriftingCollection, { quotes, label }: DriftOutcome): number[] {
  const got = new Set(quotes.map(({ id }) => id));
  // The promise of slices is made for quotes that keep their length (docs/walk.md, section 3).
  const sliced = label === "complete:sliced";
  return [...collection.throughout].filter(
    (pk) => !got.has(pk) && !(sliced && collection.relengthened.has(pk)),
  );
}
