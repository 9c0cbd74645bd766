/** Dependencies and options that all parts of a harvest share. */
import type { ReportHarvest } from "../contract/results.ts";
import type { Run } from "../snapshot/index.ts";
import {
  countRecords,
  filterName,
  type Filter,
  type GetQuotes,
  type Selection,
  type ServedPage,
  type Window,
  type WindowKind,
} from "../contract/window.ts";
import type { Contents } from "./contents.ts";
import type { Furniture } from "./furniture.ts";
import { keeps } from "./selection.ts";
import type { PublishedLengths } from "./slices/plan.ts";

export { countRecords };

export interface HarvestContext {
  readonly get: GetQuotes;
  readonly store: Run;
  readonly selection: Selection;
  /** Expected number of quotes; null when unknown. */
  readonly expected: number | null;
  /** `limit` of a request. */
  readonly pageSize: number;
  /** Requests in flight, 1 to 4. */
  readonly concurrency: number;
  /** Initial overlap of neighbouring windows, in records (docs/walk.md, section 4). */
  readonly overlap: number;
  /** Lengths of the published quotes of the same service and selection; absent when there are none. */
  readonly published?: PublishedLengths | null;
  /** Checks what pages say of quotes; absent where nothing is checked. */
  readonly contents?: Contents;
  /** Rows that are on every page; absent where none are looked for. */
  readonly furniture?: Furniture;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Requests left in the budget of this run; absent where it is not known. */
  readonly requestsLeft?: () => number;
  readonly report: ReportHarvest;
  /** Whether a list that contains this one is in key order: then this list needs no audit if it looks ordered too. */
  readonly byKey?: boolean;
  readonly limits: {
    /** Share of the records that may be unreadable, from 0 to 1. */
    readonly maxUnreadable: number;
    readonly maxQuotes: number;
    /** Size of the working file, in bytes. */
    readonly maxWorkBytes: number;
  };
}

/** Default `limit` of a request: large, since services clamp it. */
export const GENEROUS_PAGE = 1_000;

/** With more requests in flight, more changes happen between neighbouring windows. */
export function firstOverlap(concurrency: number): number {
  return concurrency + 1;
}

/** Whether a page says that nothing follows it: what is no envelope says nothing. */
export const isEndOfList = ({ shape, next }: Pick<ServedPage, "shape" | "next">): boolean =>
  shape === "envelope" && next === null;

/** Keys of a page in the order served, including those of unreadable records: these quotes exist too. */
export function keysOf({ quotes, quarantined }: ServedPage): number[] {
  const keys: (number | null)[] = quotes.map(({ id }) => id);
  for (const { index, pk } of quarantined) keys.splice(index, 0, pk);
  return keys.filter((key) => key !== null);
}

/** A row without a record. */
export const VACANT = Symbol("vacant");

/** Keys of the rows of a page in the order served; null for a record without a readable key. */
export function rowKeysOf(page: ServedPage): (number | null | typeof VACANT)[] {
  const rows: (number | null | typeof VACANT)[] = page.quotes.map(({ id }) => id);
  for (const { index, pk } of page.quarantined) rows.splice(index, 0, pk);
  for (const place of page.vacant ?? []) rows.splice(place, 0, VACANT);
  return rows;
}

export function windowOf(page: ServedPage, filter: Filter, kind: WindowKind): Window {
  return {
    filter: filterName(filter),
    kind,
    offset: page.offset,
    got: countRecords(page),
    pks: keysOf(page),
    isLast: isEndOfList(page),
  };
}

/**
 * Stores a page outside of a chain. It stores no quotes of a curated list: a record does not show whether it is curated,
 * and one answer may be false. A probe adds quotes, and changes none that this run has read.
 */
export function savePage(
  { store, selection, contents }: HarvestContext,
  page: ServedPage,
  filter: Filter,
  kind: WindowKind,
): void {
  const window = windowOf(page, filter, kind);
  const served = kind === "audit" ? page : (contents?.checkSingle(page) ?? page);
  const kept = filter.curated ? [] : served.quotes.filter(keeps(selection));
  const stored = new Set(
    kind === "probe" ? store.quotesOf(kept.map(({ id }) => id)).map(({ id }) => id) : [],
  );
  const quotes = kept.filter(({ id }) => !stored.has(id));
  store.save({ window, quotes, quarantined: page.quarantined });
}
