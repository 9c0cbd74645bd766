/**
 * What a harvest would cost, before it is spent: the size of the collection by a few probes, or from the last run.
 *
 * Offsets are doubled until nothing comes back, then halved: a million quotes take some thirty requests less than one
 * in five hundred of what reading them takes.
 */
import { EVERYTHING, type Filter, type GetQuotes, type Selection } from "../contract/window.ts";
import { filtersOf } from "./selection.ts";

export interface Estimate {
  /** Quotes in all. */
  readonly quotes: number;
  /** Records that the service sends in one page. */
  readonly pageSize: number;
  /** Requests that a walk takes where the order is good, and the list of curated quotes after it. */
  readonly requests: number;
  /** Of them, for the list of curated quotes. */
  readonly curatedRequests: number;
  /** Milliseconds that one request took, on average. */
  readonly requestMs: number;
  /** Requests spent on finding out. */
  readonly spent: number;
  readonly from: "probes" | "last run";
}

export interface EstimateContext {
  readonly get: GetQuotes;
  readonly selection: Selection;
  /** Quotes to ask for in one request. */
  readonly pageSize: number;
  readonly overlap: number;
  /** Quotes seen by the last complete run of the same selection; null when there was none. */
  readonly lastRun: number | null;
  /** Whether the list of curated quotes is read as well. */
  readonly asksCurated: boolean;
  /** Curated quotes that the last run found; null when that is not known. */
  readonly lastCurated: number | null;
  /** Milliseconds since some moment. */
  readonly now: () => number;
}

/** Curated quotes among all, where nobody knows better; some list a tenth as curated, some a fifth. */
export const CURATED_SHARE = 1 / 6;

/** How near the size is found: a twentieth. */
const NEAR_ENOUGH = 0.05;
/** Probes for one list at most. */
const MOST_PROBES = 24;

export async function estimate(context: EstimateContext): Promise<Estimate> {
  const began = context.now();
  const filters = filtersOf(context.selection);
  const lists = [];
  for (const filter of context.lastRun === null ? filters : [filters[0] ?? EVERYTHING]) {
    lists.push(await sizeOf(filter, context, context.lastRun !== null));
  }
  const spent = lists.reduce((sum, { probes }) => sum + probes, 0);
  const pageSize = Math.max(1, ...lists.map((list) => list.pageSize));
  const quotes = context.lastRun ?? lists.reduce((sum, { size }) => sum + size, 0);
  const step = Math.max(1, pageSize - context.overlap);
  const curated = context.lastCurated ?? quotes * CURATED_SHARE;
  // And one, to see whether the filter does anything.
  const curatedRequests = context.asksCurated
    ? Math.max(filters.length, Math.ceil(curated / step)) + filters.length
    : 0;
  return {
    quotes,
    pageSize,
    requests: Math.max(filters.length, Math.ceil(quotes / step)) + curatedRequests,
    curatedRequests,
    requestMs: (context.now() - began) / Math.max(1, spent),
    spent,
    from: context.lastRun === null ? "probes" : "last run",
  };
}

interface Size {
  readonly size: number;
  readonly pageSize: number;
  readonly probes: number;
}

/** @param pageOnly whether the page size is all that is asked */
async function sizeOf(filter: Filter, context: EstimateContext, pageOnly: boolean): Promise<Size> {
  const first = await context.get(filter, 0, context.pageSize);
  const pageSize = first.quotes.length + first.quarantined.length;
  if (first.next === null) return { size: pageSize, pageSize, probes: 1 };
  if (first.count !== null) return { size: first.count, pageSize, probes: 1 };
  if (pageOnly) return { size: pageSize, pageSize, probes: 1 };
  // Invariant: quotes stand before `low`; `high` is past the end, or unknown.
  let low = pageSize;
  let high = Infinity;
  let probes = 1;
  while (
    probes < MOST_PROBES &&
    (high === Infinity || high - low > Math.max(pageSize, low * NEAR_ENOUGH))
  ) {
    const at = high === Infinity ? low * 4 : Math.floor((low + high) / 2);
    const page = await context.get(filter, at, context.pageSize);
    probes++;
    const got = page.quotes.length + page.quarantined.length;
    if (got > 0 && page.next === null) return { size: at + got, pageSize, probes };
    if (got > 0) low = at + got;
    else high = at;
  }
  return { size: high === Infinity ? low : Math.floor((low + high) / 2), pageSize, probes };
}
