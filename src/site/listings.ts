/** The pages of `/tag/…`, `/author/…` and `/language/…`, and those of `/authors/<initial>/`. */
import { languageOf, type Language } from "../contract/languages.ts";
import {
  feedQuotes,
  type ListingKind,
  type ListingLabel,
  type PageKind,
  type PlannedPage,
} from "../plan/index.ts";
import type { CardData, CardReads, TermLink } from "./cards.ts";
import { initialOf, type Initial, type InitialLink, type TermCount } from "./indexes.ts";
import type { Sources } from "./sources.ts";

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
  /** Of the quotes on the page, in order. */
  readonly ids: readonly number[];
  readonly cards: readonly CardData[];
}

/** Tags and authors that share the most quotes with a listing, in the order of the alphabet. */
export interface Related {
  readonly tags: readonly TermLink[];
  readonly authors: readonly TermLink[];
}

/** One page of a group of authors, in the order of their names. */
export interface InitialPage {
  readonly initial: Initial;
  readonly page: number;
  readonly authors: readonly TermCount[];
  /** All groups, for the row of letters; without counts, so that one more author does not change every page. */
  readonly initials: readonly InitialLink[];
}

export function listingReads({ plan, perPage }: Sources, { lazyCard }: CardReads) {
  return {
    /** Every page of a kind that follows from the collection, in their order: what a route lists. */
    pagesOf: (kind: PageKind): PlannedPage[] => [...plan.pages(kind)],

    /** @throws {RangeError} when there is no such page */
    listing: (kind: ListingKind, slug: string, page: number): ListingPage => {
      const listing = plan.listing(kind, slug);
      const shown = plan.quotesOn(kind, slug, page);
      if (listing === undefined || shown === undefined) noSuchPage(kind, slug, page);
      const { name, pages, members: total } = listing;
      const language = kind === "language" ? languageOf(name ?? slug) : null;
      const cards = shown.ids.map(lazyCard);
      return { kind, name, slug, language, page, pages, total, ...shown, cards };
    },

    /** The listings with feeds and a file of the API. */
    feedListings: (kind: ListingKind): ListingLabel[] =>
      plan.listings(kind, undefined, feedQuotes(kind)),

    /** Quotes in a listing; 0 where there is none. */
    sizeOf: (kind: ListingKind, slug: string): number => plan.listing(kind, slug)?.members ?? 0,

    /** Every page of an author with the ids of its quotes: each quote is on exactly one. */
    authorPages: () => plan.authorPages(),

    /** The id of the quote in a place of a listing, from 0: most liked first. */
    quoteIn: (kind: ListingKind, slug: string, place: number): number | undefined => {
      const page = Math.floor(place / perPage) + 1;
      return plan.quotesOn(kind, slug, page)?.ids[place % perPage];
    },

    /** What the first page of a listing offers to go on with. */
    related: (kind: ListingKind, slug: string): Related => {
      const id = plan.listing(kind, slug)?.id ?? 0;
      return { tags: links(plan.related(id, "tag")), authors: links(plan.related(id, "author")) };
    },

    /** @throws {RangeError} when there is no such page */
    initial: (slug: string, page: number): InitialPage => {
      const row = plan.listing("initial", slug);
      const authors = plan.authors(slug, page);
      if (row === undefined || authors.length === 0) noSuchPage("initial", slug, page);
      const initials = plan.listings("initial").map(initialOf);
      return {
        initial: initialOf(row),
        page,
        authors: authors.flatMap(({ name, slug: to, members: quotes }) =>
          name === null ? [] : [{ name, slug: to, quotes }],
        ),
        initials: initials.map(({ label, slug: to }) => ({ label, slug: to })),
      };
    },
  };
}

function links(labels: readonly ListingLabel[]): TermLink[] {
  return labels.flatMap(({ name, slug }) => (name === null ? [] : [{ name, slug }]));
}

/** A route lists its pages from the plan: asking for another is a bug. */
function noSuchPage(kind: string, slug: string, page: number): never {
  throw new RangeError(`Cannot read ${kind} ${slug}, page ${page}: no such page`);
}
