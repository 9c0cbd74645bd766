/**
 * What pages are given: plain values, ready to show, one object for each kind of page.
 *
 * Slugs and page numbers are the only keys: a route lists them, and each page then asks for its own rows. Names are
 * upstream text and are shown as text, never put into an address.
 */
import type { BuildEntry } from "../contract/build-entry.ts";
import type { MergedNames, NightFact } from "../contract/night.ts";
import type { PictureCounts } from "../thumbnails/lookup.ts";
import type { Language } from "../contract/languages.ts";
import type { Picture } from "../contract/picture.ts";
import type { Quote } from "../contract/quote.ts";
import type { ListingKind } from "../contract/term.ts";

import type { FIXED_PATHS } from "../plan/paths.ts";

export type { ListingKind };

/** A link to a listing: `/tag/<slug>/`, `/author/<slug>/`, `/language/<slug>/`. */
export interface TermLink {
  /** The commonest spelling; a language's own code. */
  readonly name: string;
  readonly slug: string;
}

/** A link with the number of quotes behind it. */
export interface TermCount extends TermLink {
  readonly quotes: number;
}

export interface LanguageCount extends TermCount {
  readonly language: Language;
}

/** Whom a quote is attributed to; the name is null where nobody is named, and the slug then `unknown`. */
export interface Attribution {
  readonly name: string | null;
  readonly slug: string;
}

export interface CardData {
  /** Over all that a card shows: equal digests, equal cards. Reading it costs nothing, also where the rest is not read yet. */
  readonly digest: string;
  readonly quote: Quote;
  /**
   * Path of the quote's own link: its own page, or its place in its author's listing where it has none.
   */
  readonly permalink: string;
  /**
   * Likes as a reader sees them: below 100 exact, above cut to two significant figures (1,234 is 1,200). A page is made
   * again only when a shown figure changes, so show this one and not `quote.likes`.
   */
  readonly likes: number;
  readonly language: Language;
  readonly author: Attribution;
  readonly tags: readonly TermLink[];
  /** Tags with too few quotes for a listing: shown, and no link. */
  readonly plainTags: readonly string[];
  readonly picture: Picture | null;
}

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

/** Tags and authors that stand most often beside a term's quotes, in the order of the alphabet. */
export interface Related {
  readonly tags: readonly TermLink[];
  readonly authors: readonly TermLink[];
}

/** What a route needs to list its pages; never quotes. */
export interface ListingPath {
  readonly slug: string;
  /** From 1; page 1 is the bare address. */
  readonly page: number;
  /** From 0 up to 1: pages with like numbers show many of the same quotes. A route's `near`. */
  readonly near: number;
  /** Over all that the page shows of the collection: a route's `cacheKey`. */
  readonly digest: string;
}

/** The same for a quote's own page, where it has one. */
export interface QuotePath {
  readonly id: number;
  readonly digest: string;
}

/**
 * Totals, and how fresh and how whole the data is.
 *
 * They change every night: a listing page that showed them would be made again each time, so show them on the home page,
 * the indexes and `/about/`.
 */
export interface Summary {
  readonly quotes: number;
  /** Named authors, quotes without author left out. */
  readonly authors: number;
  readonly tags: number;
  readonly languages: number;
  /** `complete:proved`, `complete:sliced`, `best-effort` or `partial`; null where the snapshot does not say. */
  readonly label: string | null;
  /** When the harvest ended, ISO 8601 in UTC; null where the snapshot does not say. */
  readonly dataAsOf: string | null;
  /** The service's host; null where the snapshot does not say. */
  readonly source: string | null;
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

/** A group of `/authors/<slug>/`: a letter of any script, `漢` for all Han characters, `#` for digits and signs. */
export interface InitialLink {
  readonly label: string;
  readonly slug: string;
}

export interface Initial extends InitialLink {
  readonly authors: number;
  /** Pages of the group: `/authors/<slug>/`, `/authors/<slug>/2/`, … */
  readonly pages: number;
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

/** What the harvest did, for `/about/`. */
export interface HarvestFacts {
  readonly label: string;
  readonly assumption: string | null;
  /** ISO 8601, UTC. */
  readonly started: string;
  readonly finished: string;
  readonly requests: number;
  readonly waits: number;
  readonly waitedMs: number;
  readonly retries: number;
  readonly duplicates: number;
  readonly repaired: number;
  readonly removed: number;
  readonly quarantined: number;
}

export interface AboutPage {
  readonly summary: Summary;
  readonly harvest: HarvestFacts | null;
  readonly languages: readonly LanguageCount[];
}

/** The page about the last build: this snapshot's harvest, and the builds that had ended when it was made. */
export interface BuildPage {
  readonly summary: Summary;
  readonly harvest: HarvestFacts | null;
  /** Null for a snapshot that an older version made. */
  readonly night: NightFact | null;
  readonly merged: MergedNames;
  readonly pictures: PictureCounts;
  /** At most 30, oldest first. */
  readonly history: readonly BuildEntry[];
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
