/** What every part of the harvest works with. */
import type { ReportHarvest } from "../contract/harvest-result.ts";
import type { Quote } from "../contract/quote.ts";
import type { WalkStore } from "../contract/walk-store.ts";
import {
  filterName,
  type Filter,
  type GetQuotes,
  type ServedPage,
  type Window,
  type WindowKind,
} from "../contract/window.ts";

export interface HarvestContext {
  readonly get: GetQuotes;
  readonly store: WalkStore;
  /** Quotes to ask for in one request. */
  readonly pageSize: number;
  /** Requests in flight, 1 to 4. */
  readonly concurrency: number;
  /** Records that neighbouring windows share to begin with (harvest.md §5.2). */
  readonly overlap: number;
  /** Whether a quote belongs to the selection: a service may ignore a filter. */
  readonly keeps: (quote: Quote) => boolean;
  readonly report: ReportHarvest;
  readonly now: () => number;
  /** Whether a list of which these are a part was found to be in the order of its keys: then this one is, if it looks it. */
  readonly byKey?: boolean;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** Quotes asked for in one request when nobody says: generous, since services clamp it (harvest.md §5.1). */
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
  return {
    filter: filterName(filter),
    kind,
    offset: page.offset,
    got: page.quotes.length + page.quarantined.length,
    pks: page.quotes.map(({ id }) => id),
    isLast: page.next === null,
    fetchedAt,
  };
}

/** Keeps what a page brought, where it belongs to no chain. */
export function keepPage(
  context: HarvestContext,
  page: ServedPage,
  filter: Filter,
  kind: WindowKind,
): Window {
  const window = windowOf(page, filter, kind, context.now());
  const quotes = page.quotes.filter(context.keeps);
  context.store.save({ window, quotes, quarantined: page.quarantined });
  return window;
}
