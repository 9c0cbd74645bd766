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
  /** Records that neighbouring windows share to begin with (docs/walk.md, section 4). */
  readonly overlap: number;
  /** Whether a quote belongs to the selection: a service may ignore a filter. */
  readonly keeps: (quote: Quote) => boolean;
  readonly report: ReportHarvest;
  readonly now: () => number;
  /** Whether a list of which these are a part was found to be in the order of its keys: then this one is, if it looks it. */
  readonly byKey?: boolean;
  /** From 0 to 1. */
  readonly random: () => number;
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
  return {
    filter: filterName(filter),
    kind,
    offset: page.offset,
    got: page.quotes.length + page.quarantined.length,
    pks: keysOf(page),
    isLast: page.shape === "envelope" && page.next === null,
    fetchedAt,
  };
}

/** Keys in the order served; also of records of which only the key can be read: they are there. */
function keysOf({ quotes, quarantined }: ServedPage): number[] {
  const keys: (number | null)[] = quotes.map(({ id }) => id);
  for (const { index, pk } of quarantined) keys.splice(index, 0, pk);
  return keys.filter((key) => key !== null);
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
