/** The pages of a site and their addresses, without the site's base path. */

/** The three ways through the collection. */
export type ListingKind = "tag" | "author" | "language";

/** What has numbered pages: a listing of quotes, or the authors of an initial. */
export type TermKind = ListingKind | "initial";

/**
 * The addresses that do not depend on the collection. `/404.html` is a file of its own name, since hosts look for it;
 * every other page is a folder's index.
 */
export const FIXED_PATHS = {
  home: "/",
  today: "/today/",
  calendar: "/today/calendar/",
  new: "/new/",
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

/** `quote` is a quote's own page, `embed` the one to embed, `day` that of a day's quotes; those of `FIXED_PATHS` are one page each. */
export type PageKind = keyof typeof FIXED_PATHS | TermKind | "quote" | "day" | "embed";

export interface PlannedPage {
  /** Without the base path; ends in a slash, but for `/404.html`. */
  readonly path: string;
  readonly kind: PageKind;
  /** Slug of the listing; a quote's id in digits, or `today`; a date; empty for the pages that are one each. */
  readonly term: string;
  /** From 1. */
  readonly number: number;
  /** Over all that the page shows of the collection: equal keys, equal bytes, given the same bundle and settings. */
  readonly cacheKey: string;
}

/** A page of a listing or of the authors' index. Page 1 is the bare address; the others start at 2. */
export function termPath(kind: TermKind, slug: string, page = 1): string {
  const path = `/${kind === "initial" ? "authors" : kind}/${slug}/`;
  return page === 1 ? path : `${path}${page}/`;
}

export const listingPath: (kind: ListingKind, slug: string, page?: number) => string = termPath;

/** A page of the authors' index. */
export function initialPath(slug: string, page = 1): string {
  return termPath("initial", slug, page);
}

export function quotePath(id: number): string {
  return `/quote/${id}/`;
}

/** @param date `YYYY-MM-DD` */
export function dayPath(date: string): string {
  return `/today/${date}/`;
}

/** @param id of a quote in digits, or `today` */
export function embedPath(id: string): string {
  return `/embed/${id}/`;
}

/** The file of `dist` that an address is served from. */
export function fileOf(path: string): string {
  return path.endsWith("/") ? `${path.slice(1)}index.html` : path.slice(1);
}
