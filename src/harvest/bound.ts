import { countRecords } from "./context.ts";
/**
 * The bound on every run (docs/walk.md, section 7): requests that bring no new quote are limited by the pages of the
 * collection. Progress is a new key, not an offset: a list may have no end, and a service may answer every offset.
 */
import { WalkFailed } from "../contract/errors.ts";
import { counted } from "../util/text.ts";
import type { GetQuotes, Selection, ServedPage } from "../contract/window.ts";
import type { Run } from "../snapshot/index.ts";
import { keeps } from "./selection.ts";

/** Requests without a new quote, for each page of the collection and for the run. */
const IDLE_PER_PAGE = 3;
const IDLE_PER_RUN = 50;

/** The bound is reached. */
export class BoundReached extends WalkFailed {}

/** Most requests of a run that bring no new quote. */
export function idleAllowed(quotes: number, pageSize: number): number {
  return IDLE_PER_PAGE * Math.ceil(quotes / Math.max(1, pageSize)) + IDLE_PER_RUN;
}

export interface BoundOptions {
  readonly store: Run;
  readonly selection: Selection;
  /** Number of quotes in the published snapshot; null when it cannot be compared. */
  readonly expected: number | null;
  /** Requests that this run has sent, retries included. */
  readonly sent: () => number;
}

/**
 * Wraps the requests for quotes: after too many without a new quote, no more is sent.
 *
 * @throws {BoundReached} when the bound is reached
 */
export function boundRequests(get: GetQuotes, options: BoundOptions): GetQuotes {
  const { store, selection, expected, sent } = options;
  const isKept = keeps(selection);
  const curated = new Set<number>();
  let useful = 0;
  /** Records of the useful answers. */
  let records = 0;
  let why = "its last answer holds no new quote";
  const isUseful = (page: ServedPage, isCurated: boolean): boolean => {
    const ids = page.quotes.filter(isKept).map(({ id }) => id);
    // A curated list repeats quotes that the store has already.
    if (!isCurated) return store.countNew(ids) > 0;
    const before = curated.size;
    for (const id of ids) curated.add(id);
    return curated.size > before;
  };
  return async (filter, offset, limit, attempts) => {
    const idle = sent() - useful - store.searches;
    const pageSize = useful === 0 ? limit : records / useful;
    const quotes = Math.max(expected ?? 0, store.quotesSeen, curated.size);
    if (idle >= idleAllowed(quotes, pageSize)) {
      throw new BoundReached(
        `Cannot read the collection: ${counted(idle, "request")} brought no new quote, and ${counted(useful, "request")} brought all ${quotes} that are known; ${why}`,
      );
    }
    try {
      const page = await get(filter, offset, limit, attempts);
      if (isUseful(page, filter.curated)) {
        useful++;
        records += countRecords(page);
      } else why = "its last answer holds no new quote";
      return page;
    } catch (error) {
      if (error instanceof Error) why = error.message;
      throw error;
    }
  };
}
