/**
 * Windows of the collection, each read with one request: the walk makes them, and the snapshot stores them.
 *
 * A window holds the keys of all records served, also of quotes that the selection leaves out: the proofs of the walk
 * need them.
 */
import type { Page } from "./body.ts";
import type { Quote } from "./quote.ts";

/** What to harvest; an empty list means everything. */
export interface Selection {
  readonly languages: readonly string[];
  readonly tags: readonly string[];
  readonly curated: boolean;
}

/** Filters that the service applies to a list of quotes; null for no filter. */
export interface Filter {
  readonly language: string | null;
  readonly tag: string | null;
  readonly curated: boolean;
  /** In the service's own unit of length, which the contract does not name. */
  readonly minLength: number | null;
  readonly maxLength: number | null;
  /** Most liked first (docs/contract.md, section 4.1): an order that a walk must not rely on. */
  readonly mostLiked: boolean;
}

/** The whole collection. */
export const EVERYTHING: Filter = {
  language: null,
  tag: null,
  curated: false,
  minLength: null,
  maxLength: null,
  mostLiked: false,
};

/** Whether a filter has a bound of length: its list is a slice of another. */
export const isSlice = ({ minLength, maxLength }: Filter): boolean =>
  minLength !== null || maxLength !== null;

/** Name of a filter in the working database: equal filters have equal names. */
export function filterName(filter: Filter): string {
  const { language, tag, curated, minLength, maxLength, mostLiked } = filter;
  return JSON.stringify([language, tag, curated, minLength, maxLength, mostLiked]);
}

/** The filter of a name. */
export function filterNamed(name: string): Filter {
  const [language, tag, curated, minLength, maxLength, mostLiked] = JSON.parse(name) as [
    ...[Filter["language"], Filter["tag"], Filter["curated"]],
    ...[Filter["minLength"], Filter["maxLength"], Filter["mostLiked"]],
  ];
  return { language, tag, curated, minLength, maxLength, mostLiked };
}

/** Why a window was read. */
export type WindowKind = "walk" | "repair" | "audit" | "slice" | "probe" | "fresh";

/** One page as it was served, with the offset that was requested. */
export interface ServedPage extends Omit<
  Page<Quote>,
  "items" | "dropped" | "unread" | "named" | "vacant"
> {
  readonly offset: number;
  /** Rows that hold no record and count as served; none when absent. */
  readonly vacant?: readonly number[];
  readonly quotes: readonly Quote[];
  /** Rows that stand at the same place of every page, and were taken out of this one; none when absent. */
  readonly furniture?: number;
}

/** Rows of a page, also those without a readable record. */
export const countRecords = ({ quotes, quarantined, vacant = [] }: ServedPage): number =>
  quotes.length + quarantined.length + vacant.length;

/** One window of a chain (docs/walk.md, section 2). */
export interface Window {
  /** Name of the filter. */
  readonly filter: string;
  readonly kind: WindowKind;
  readonly offset: number;
  /** Records served, quarantined ones included. */
  readonly got: number;
  /** Keys in the order served. */
  readonly pks: readonly number[];
  /** Whether it is an envelope whose `next` is null. */
  readonly isLast: boolean;
}

/**
 * Requests one page of quotes.
 *
 * @param attempts "once" for a request that may fail by itself, which is not repeated
 */
export type GetQuotes = (
  filter: Filter,
  offset: number,
  limit: number,
  attempts?: "once",
) => Promise<ServedPage>;

/** Requests the quote of the day in a language, or in any (null); an empty array when the service has none. */
export type GetQuoteOfTheDay = (language: string | null) => Promise<readonly Quote[]>;
