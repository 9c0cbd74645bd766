/** Addresses, without the site's base path: the one place that knows how a page is called. */
import type { ListingKind, TermKind } from "./term.ts";

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

/** Page 1 is the bare address; the others start at 2. */
export function listingPath(kind: ListingKind, slug: string, page = 1): string {
  return numbered(`/${kind}/${slug}/`, page);
}

/** A page of the authors' index. */
export function initialPath(slug: string, page = 1): string {
  return numbered(`/authors/${slug}/`, page);
}

/** A page of a listing or of the authors' index. */
export function termPath(kind: TermKind, slug: string, page = 1): string {
  return kind === "initial" ? initialPath(slug, page) : listingPath(kind, slug, page);
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

function numbered(path: string, page: number): string {
  return page === 1 ? path : `${path}${page}/`;
}
