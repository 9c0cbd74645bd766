/**
 * What pages are given: plain values, ready to show, one object for each kind of page.
 *
 * Slugs and page numbers are the only keys: a route lists them, and each page then asks for its own rows. Names are
 * upstream text and are shown as text, never put into an address.
 */
import type { Language } from "../contract/languages.ts";
import type { ListingKind } from "../contract/term.ts";
import type { FIXED_PATHS } from "../plan/paths.ts";
import type { CardData } from "./shown/cards.ts";
import type { Summary } from "./shown/facts.ts";
import type { TermCount, LanguageCount, InitialLink, Initial } from "./shown/terms.ts";

export type * from "./shown/cards.ts";
export type * from "./shown/facts.ts";
export type * from "./shown/terms.ts";
export type { ListingKind };

/** One page of `/tag/…`, `/author/…` or `/language/…`. */
export interface ListingPage {
  readonly kind: ListingKind;
  /** Null on the page of quotes without author. */
  readonly name: string | null;
  readonly slug: string;
  /** On the page of a language. */
  readonly language: Language | null;
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  /** Quotes in the whole listing. */
  readonly total: number;
  /** Codes of the languages on the page. */
  readonly languages: readonly string[];
  /** Of the quotes on the page, in order; reading them costs nothing. */
  readonly ids: readonly number[];
  /** Each is read from the snapshot when something other than its digest is asked for. */
  readonly cards: readonly CardData[];
}

/** What a route needs to list its pages; never quotes. */
export interface ListingPath {
  readonly slug: string;
  /** From 1; page 1 is the bare address. */
  readonly page: number;
  /** Over all that the page shows of the collection: a route's `cacheKey`. */
  readonly digest: string;
}

/** The same for a quote's own page, where it has one. */
export interface QuotePath {
  readonly id: number;
  readonly digest: string;
}

export interface HomePage {
  readonly summary: Summary;
  /** The most liked of the collection. */
  readonly top: readonly CardData[];
  /** All of them, largest first. */
  readonly languages: readonly LanguageCount[];
  /** The largest, largest first. */
  readonly tags: readonly TermCount[];
  readonly authors: readonly TermCount[];
}

/** The quote of the day, one for each language. */
export interface TodayPage {
  /** `YYYY-MM-DD`, UTC. */
  readonly date: string;
  /** The site's own language first, then by size. */
  readonly cards: readonly CardData[];
}

/** `/authors/`: the way in. */
export interface AuthorsPage {
  readonly total: number;
  readonly initials: readonly Initial[];
  /** The largest, largest first. */
  readonly largest: readonly TermCount[];
  /** Quotes without author; 0 where there are none, and then `/author/unknown/` does not exist. */
  readonly unattributed: number;
}

/** One page of a group of authors, in the order of their folded names. */
export interface InitialPage {
  readonly initial: Initial;
  readonly page: number;
  readonly authors: readonly TermCount[];
  /** All groups, for the row of letters; without counts, so that one more author does not change every page. */
  readonly initials: readonly InitialLink[];
}

export type PageKind = keyof typeof FIXED_PATHS | ListingKind | "initial" | "quote";

/** A page that the site must have. */
export interface PlannedPage {
  readonly kind: PageKind;
  /** Without the base path; ends in a slash, but for `/404.html`. */
  readonly path: string;
  /** Of the listing or the initial; a quote's id in digits; empty for the fixed pages. */
  readonly slug: string;
  /** From 1. */
  readonly page: number;
  /** Over all that the page shows of the collection, in hexadecimal: while it stays, so does the page's text. */
  readonly digest: string;
}
