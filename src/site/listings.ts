/** Listings, and the indexes `/tags/`, `/languages/` and `/authors/`. */
import type { AuthorFacts } from "../contract/author-facts.ts";
import { languageOf, type Language } from "../contract/languages.ts";
import {
  factsFinder,
  feedQuotes,
  type CardRow,
  UNKNOWN_SLUG,
  type ListingKind,
  type ListingLabel,
  type ListingRow,
  type PageKind,
  type PlannedPage,
} from "../plan/index.ts";
import type { CardData, CardReads, TermLink } from "./cards.ts";
import type { Sources } from "./sources.ts";

/** A link with the number of quotes of the listing. */
export interface TermCount extends TermLink {
  readonly quotes: number;
}

export interface LanguageCount extends TermCount {
  readonly language: Language;
}

/** Authors that `/authors/` shows besides the initials. */
const LARGEST_AUTHORS = 96;

/** Feeds of tags, and of authors, that `/feeds/` shows. */
const FEEDS = 48;

/** Leaves out the author of unattributed quotes. */
function counts(listings: readonly ListingRow[]): TermCount[] {
  return listings.flatMap(({ name, slug, members: quotes }) =>
    name === null ? [] : [{ name, slug, quotes }],
  );
}

function initialOf({ name, slug, members, pages }: ListingRow): Initial {
  return { label: name ?? slug, slug, authors: members, pages };
}

export type ListingReads = ReturnType<typeof listingReads>;

export interface ListingPage {
  readonly kind: ListingKind;
  /** Null for the author of unattributed quotes. */
  readonly name: string | null;
  readonly slug: string;
  /** Of a language's listing; null for the others. */
  readonly language: Language | null;
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  /** Quotes of the whole listing. */
  readonly total: number;
  /** Ids of the quotes on the page, most liked first, ties by id. */
  readonly ids: readonly number[];
  /** Codes of the languages of these quotes. */
  readonly languages: readonly string[];
  readonly cards: readonly CardData[];
  /** What the site says of an author, on the first page; null elsewhere. */
  readonly facts: AuthorFacts | null;
}

/** An initial of authors. */
export interface Initial {
  /** As readers see it. */
  readonly label: string;
  readonly slug: string;
  readonly authors: number;
  readonly pages: number;
}

export interface AuthorsIndex {
  readonly total: number;
  readonly initials: readonly Initial[];
  /** The authors with most quotes, at most 96. */
  readonly largest: readonly TermCount[];
  /** Number of quotes without author; `/author/unknown/` does not exist if there are none. */
  readonly unattributed: number;
}

export interface InitialPage {
  readonly initial: Initial;
  /** From 1. */
  readonly page: number;
  /** By name. */
  readonly authors: readonly TermCount[];
  readonly initials: readonly Pick<Initial, "label" | "slug">[];
}

export interface RelatedListings {
  readonly tags: readonly TermLink[];
  readonly authors: readonly TermLink[];
}

const SEARCH_TAGS = 200;
/** In UTF-16 units. */
const LONGEST_SEARCH_TAG = 32;

export function listingReads(
  { plan, perPage, authors = new Map() }: Sources,
  { lazyCard }: CardReads,
) {
  const factsOf = factsFinder(authors);
  let languages: readonly LanguageCount[] | undefined;
  return {
    /** The largest listings of a kind, or all, that have a name. */
    largest,

    tags: (): TermCount[] => largest("tag"),

    /** The tags by which a search is filtered: the largest with short names, so that its page is small. */
    searchTags: (): TermCount[] =>
      largest("tag")
        .filter(({ name }) => name.length <= LONGEST_SEARCH_TAG)
        .slice(0, SEARCH_TAGS),

    // Cached: every page of a language names all of them.
    languages: languagesOf,

    /** For `/authors/`. */
    authors: (): AuthorsIndex => ({
      total: plan.count("author"),
      initials: plan.listings("initial").map(initialOf),
      largest: largest("author", LARGEST_AUTHORS),
      unattributed: plan.listing("author", UNKNOWN_SLUG)?.members ?? 0,
    }),

    /** The planned pages of a kind, in order, for `getStaticPaths()`. */
    pagesOf: (kind: PageKind): PlannedPage[] => [...plan.pages(kind)],

    /**
     * Reads a page of a listing.
     *
     * @param page from 1
     * @returns with the `ids` of its quotes, the codes of their `languages`, and the `total` of the whole listing; the name
     *   is null for the author of unattributed quotes
     * @throws {RangeError} when there is no such page
     */
    listing: (kind: ListingKind, slug: string, page: number): ListingPage => {
      const listing = plan.listing(kind, slug);
      const shown = plan.quotesOn(kind, slug, page);
      if (listing === undefined || shown === undefined) noSuchPage(kind, slug, page);
      const { name, pages, members: total } = listing;
      const language = kind === "language" ? languageOf(name ?? slug) : null;
      const { ids, languages } = shown;
      const cards = ids.map(lazyCard);
      // Later pages do not show them.
      const facts = kind === "author" && page === 1 ? factsOf(name) : null;
      return { kind, name, slug, language, page, pages, total, ids, languages, cards, facts };
    },

    /** What the site says of an author; null for nothing. */
    factsOf,

    /** The largest authors, and whether the site says something of them. */
    authorsWithFacts: (most: number) =>
      largest("author", most).map((author) => ({ ...author, facts: factsOf(author.name) })),

    /** The language of nine tenths of the quotes on a page of a listing; that of a language's listing; null without one. */
    languageOn: (kind: ListingKind, slug: string, page: number): string | null =>
      kind === "language" ? slug : (plan.quotesOn(kind, slug, page)?.mainLanguage ?? null),

    /** The listings with feeds and a file of the API. */
    feedListings: (kind: ListingKind): ListingLabel[] =>
      plan.listings(kind, undefined, feedQuotes(kind)),

    /** The largest listings with feeds. Without numbers of quotes, so that the page of feeds seldom changes. */
    feedIndex: () => {
      const feeds = (kind: ListingKind) =>
        plan.listings(kind, FEEDS + 1, feedQuotes(kind)).map(({ name, slug }) => ({ name, slug }));
      const withFeed = new Set(
        plan.listings("language", undefined, feedQuotes("language")).map(({ slug }) => slug),
      );
      const ofLanguages = languagesOf().filter(({ slug }) => withFeed.has(slug));
      return {
        languages: ofLanguages.map(({ slug, language }) => ({ slug, language })),
        tags: links(feeds("tag")).slice(0, FEEDS),
        authors: links(feeds("author")).slice(0, FEEDS),
      };
    },

    /** Number of quotes in a listing; 0 if there is no such listing. */
    sizeOf: (kind: ListingKind, slug: string): number => plan.listing(kind, slug)?.members ?? 0,

    /** Every page of an author, with the ids of its quotes: each quote is on exactly one. */
    authorPages: () => plan.authorPages(),

    /** The most liked quotes of a listing, with the cache keys of their cards. */
    mostLikedIn: (kind: ListingKind, slug: string, most: number): CardRow[] => {
      const pages = Array.from({ length: Math.ceil(most / perPage) }, (_, page) => page + 1);
      const ids = pages.flatMap((page) => plan.quotesOn(kind, slug, page)?.ids ?? []);
      return ids.slice(0, most).flatMap((id) => plan.card(id) ?? []);
    },

    /** The id of a listing's quote. @param place from 0, most liked first */
    quoteIn: (kind: ListingKind, slug: string, place: number): number | undefined => {
      const page = Math.floor(place / perPage) + 1;
      return plan.quotesOn(kind, slug, page)?.ids[place % perPage];
    },

    /** The listings that the first page of a listing links to. */
    related: (kind: ListingKind, slug: string): RelatedListings => {
      const id = plan.listing(kind, slug)?.id ?? 0;
      return { tags: links(plan.related(id, "tag")), authors: links(plan.related(id, "author")) };
    },

    /** A page of an initial, its authors by name. @throws {RangeError} when there is no such page */
    initial: (slug: string, page: number): InitialPage => {
      const row = plan.listing("initial", slug);
      const authors = plan.authors(slug, page);
      if (row === undefined || authors.length === 0) noSuchPage("initial", slug, page);
      const initials = plan.listings("initial").map(initialOf);
      return {
        initial: initialOf(row),
        page,
        authors: counts(authors),
        /** All groups, without counts, so that one more author does not change every page. */
        initials: initials.map(({ label, slug: to }) => ({ label, slug: to })),
      };
    },
  };

  function languagesOf(): readonly LanguageCount[] {
    return (languages ??= largest("language").map((term) => {
      return { ...term, language: languageOf(term.name) };
    }));
  }

  function largest(kind: ListingKind, most = Number.MAX_SAFE_INTEGER - 1): TermCount[] {
    // One more, since the author of unattributed quotes is left out.
    return counts(plan.listings(kind, most + 1)).slice(0, most);
  }
}

function links(labels: readonly ListingLabel[]): TermLink[] {
  return labels.flatMap(({ name, slug }) => (name === null ? [] : [{ name, slug }]));
}

/** Routes list only planned pages, so this is a bug. */
function noSuchPage(kind: string, slug: string, page: number): never {
  throw new RangeError(`Cannot read ${kind} ${slug}, page ${page}: no such page`);
}
