/** The pages of a site and their addresses, without the site's base path. */

export type ListingKind = "tag" | "author" | "language";

/** The kinds with numbered pages: listings of quotes, and the authors of an initial. */
export type TermKind = ListingKind | "initial";

/** The addresses that do not depend on the collection. Hosts look for the file `/404.html`; other pages are a folder's index. */
export const FIXED_PATHS = {
  home: "/",
  today: "/today/",
  tomorrow: "/today/next/",
  calendar: "/today/calendar/",
  new: "/new/",
  feeds: "/feeds/",
  languages: "/languages/",
  tags: "/tags/",
  authors: "/authors/",
  search: "/search/",
  favourites: "/favourites/",
  random: "/random/",
  api: "/api/",
  about: "/about/",
  build: "/about/build/",
  offline: "/offline/",
  notFound: "/404.html",
} as const;

/** The general pages, which each language of the collection that has messages has too, below its code: `/ar/today/`. */
export const GENERAL_KINDS = [
  ...(["home", "today", "languages", "tags", "authors"] as const),
  ...(["search", "favourites", "random", "about"] as const),
] as const satisfies readonly (keyof typeof FIXED_PATHS)[];

/**
 * Names at the top of a site: no general page is below a code that is one of them. Slugs of tags, authors and languages are
 * below `/tag/`, `/author/` and `/language/`, so none can be a code at the top.
 */
export const TOP_NAMES: ReadonlySet<string> = new Set([
  ...Object.values(FIXED_PATHS).map((path) => path.split("/")[1] ?? ""),
  ...["tag", "author", "language", "quote", "embed", "letters", "pagefind"],
]);

/** @param code of a language, in lower case */
export const generalPath = (code: string, kind: (typeof GENERAL_KINDS)[number]): string =>
  `/${code}${FIXED_PATHS[kind]}`;

export type PageKind = keyof typeof FIXED_PATHS | TermKind | "quote" | "day" | "embed";

export interface PlannedPage {
  /** Without the base path; ends in a slash, except `/404.html`. */
  readonly path: string;
  readonly kind: PageKind;
  /** Slug of a listing, id of a quote or `today`, date of a day; empty for pages of `FIXED_PATHS`. */
  readonly term: string;
  /** From 1. */
  readonly number: number;
  /** Digest of all that the page shows of the collection: with one bundle and settings, equal keys mean equal bytes. */
  readonly cacheKey: string;
}

/** A page of a listing or of the authors' index. The address of page 1 has no number. */
export function termPath(kind: TermKind, slug: string, page = 1): string {
  const path = `/${kind === "initial" ? "authors" : kind}/${slug}/`;
  return page === 1 ? path : `${path}${page}/`;
}

/** The path of a page of a listing, without the base path. @param page from 1 */
export const listingPath: (kind: ListingKind, slug: string, page?: number) => string = termPath;

export const initialPath = (slug: string, page = 1): string => termPath("initial", slug, page);

/** The path of a quote's own page, without the base path. Not every quote has one: links use the `permalink` of a card. */
export const quotePath = (id: number): string => `/quote/${id}/`;

/** The path of a day's quotes, without the base path. @param date `YYYY-MM-DD` */
export const dayPath = (date: string): string => `/today/${date}/`;

/** @param id of a quote in digits, or `today` */
export const embedPath = (id: string): string => `/embed/${id}/`;

/** The file of the output folder that is served at an address. */
export function fileOf(path: string): string {
  return path.endsWith("/") ? `${path.slice(1)}index.html` : path.slice(1);
}
