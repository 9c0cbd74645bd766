/** What every part of the harvest works with. */
import type { ReportHarvest } from "../contract/harvest-result.ts";
import type { WalkStore } from "../snapshot/work/walk-store.ts";
import {
  filterName,
  type Filter,
  type GetQuotes,
  type Selection,
  type ServedPage,
  type Window,
  type WindowKind,
} from "../contract/window.ts";
import { keeps } from "./selection.ts";

export interface HarvestContext {
  readonly get: GetQuotes;
  readonly store: WalkStore;
  readonly selection: Selection;
  /** Quotes that are probably there; null when nothing is known. */
  readonly expected: number | null;
  /** Quotes to ask for in one request. */
  readonly pageSize: number;
  /** Requests in flight, 1 to 4. */
  readonly concurrency: number;
  /** Records that neighbouring windows share to begin with (docs/walk.md, section 4). */
  readonly overlap: number;
  readonly report: ReportHarvest;
  readonly now: () => number;
  /** Whether a list of which these are a part was found to be in the order of its keys: then this one is, if it looks it. */
  readonly byKey?: boolean;
  readonly limits: WalkLimits;
}

/** What a run may read at most. */
export interface WalkLimits {
  /** Share of the records that may be unreadable, from 0 to 1. */
  readonly maxUnreadable: number;
  readonly maxQuotes: number;
  /** Size of the working file, in bytes. */
  readonly maxWorkBytes: number;
}

/** Quotes asked for in one request by default: generous, since services clamp it. */
export const GENEROUS_PAGE = 1_000;

/** More changes happen between neighbouring windows the more requests are in flight. */
export function firstOverlap(concurrency: number): number {
  return concurrency + 1;
}

export function windowOf(
  page: ServedPage,
  filter: Filter,
  kind: WindowKind,
  fetchedAt: number,
): Window {
  // In the order served; also of records of which only the key can be read: they are there.
  const keys: (number | null)[] = page.quotes.map(({ id }) => id);
  for (const { index, pk } of page.quarantined) keys.splice(index, 0, pk);
  return {
    filter: filterName(filter),
    kind,
    offset: page.offset,
    got: keys.length,
    pks: keys.filter((key) => key !== null),
    isLast: page.shape === "envelope" && page.next === null,
    fetchedAt: Math.round(fetchedAt),
  };
}

/**
 * Keeps what a page brought, where it belongs to no chain. Nothing in a quote says that it is curated: of such a list one
 * answer alone keeps none.
 */
export function keepPage(
  { store, selection, now }: HarvestContext,
  page: ServedPage,
  filter: Filter,
  kind: WindowKind,
): void {
  const window = windowOf(page, filter, kind, now());
  const quotes = filter.curated ? [] : page.quotes.filter(keeps(selection));
  store.save({ window, quotes, quarantined: page.quarantined });
}
