/**
 * What the walk yields and the snapshot takes: windows onto the collection, each read by one request.
 *
 * The walk's arithmetic rests on keys alone, so a window carries the keys of all it was served, also of quotes that
 * the selection then leaves out.
 */
import type { NextLink, PageShape, Quarantined } from "./page.ts";
import type { Quote } from "./quote.ts";

/** What to harvest; an empty list means everything. */
export interface Selection {
  readonly languages: readonly string[];
  readonly tags: readonly string[];
  readonly curated: boolean;
}

/** The service's own filters for one list of quotes; null where it does not filter. */
export interface Filter {
  readonly language: string | null;
  readonly tag: string | null;
  readonly curated: boolean;
  /** In the service's own unit of length, which the contract does not name. */
  readonly minLength: number | null;
  readonly maxLength: number | null;
  /** The most liked first (contract, section 4.1): an order that no walk can rely on. */
  readonly mostLiked: boolean;
}

/** No filter at all: the whole collection. */
export const EVERYTHING: Filter = {
  language: null,
  tag: null,
  curated: false,
  minLength: null,
  maxLength: null,
  mostLiked: false,
};

/** A filter's name in the working database: equal filters have equal names. */
export function filterName(filter: Filter): string {
  return JSON.stringify([
    filter.language,
    filter.tag,
    filter.curated,
    filter.minLength,
    filter.maxLength,
    filter.mostLiked,
  ]);
}

/** Why a window was read. */
export type WindowKind = "walk" | "repair" | "audit" | "slice" | "probe" | "fresh";

/** One page as it was served, with where it was asked for. */
export interface ServedPage {
  readonly offset: number;
  readonly quotes: readonly Quote[];
  readonly quarantined: readonly Quarantined[];
  readonly shape: PageShape;
  readonly next: NextLink | null;
  readonly count: number | null;
}

/** One window of a chain (docs/walk.md, section 2). */
export interface Window {
  /** The name of the filter it was read with. */
  readonly filter: string;
  readonly kind: WindowKind;
  readonly offset: number;
  /** Records served, quarantined ones included. */
  readonly got: number;
  /** Keys in the order served. */
  readonly pks: readonly number[];
  /** Whether the service said that nothing comes after it. */
  readonly isLast: boolean;
  /** Milliseconds since the epoch. */
  readonly fetchedAt: number;
}

/**
 * Asks for one page of quotes.
 *
 * @param attempts "once" for a request that is expected to fail: it is not repeated, and counts as no failure
 */
export type GetQuotes = (
  filter: Filter,
  offset: number,
  limit: number,
  attempts?: "once",
) => Promise<ServedPage>;

/** Asks for the quotes of the day in a language, or in any: one, or none where the service has none. */
export type GetQuoteOfTheDay = (language: string | null) => Promise<readonly Quote[]>;
