/** Turns the keys of pages into what a route lists, and back: page 1 has no number in its address. */
import { UNDETERMINED } from "../contract/languages.ts";
import { listingPath, quotePath } from "../site/address.ts";
import { linkCard } from "../site/link-card.ts";
import { staleSince } from "../site/stale.ts";
import type { LanguageCount, ListingKind, ListingPath, QuotePath } from "../site/types.ts";
import type { Alternate } from "./page-props.ts";

export interface ListingRoute {
  readonly params: { readonly slug: string; readonly page: string | undefined };
  /** What the page shows that is no source file: the same key, the same page. */
  readonly cacheKey: string;
}

/** @param also what these pages show besides the listing itself */
export function termRoutes(
  kind: ListingKind,
  paths: readonly ListingPath[],
  also = "",
): ListingRoute[] {
  return listingRoutes(paths, ({ slug, page }) => also + cardOf(listingPath(kind, slug, page)));
}

/** @param also what a page shows besides the listing itself */
export function listingRoutes(
  paths: readonly ListingPath[],
  also: (path: ListingPath) => string = () => "",
): ListingRoute[] {
  const rest = staleSince() ?? "";
  return paths.map((path) => ({
    params: { slug: path.slug, page: path.page === 1 ? undefined : String(path.page) },
    cacheKey: path.digest + rest + also(path),
  }));
}

export function pageNumber(page: string | undefined): number {
  return page === undefined ? 1 : Number(page);
}

/** First pages of languages stand for each other; later pages have no counterpart. */
export function alternatesOf(languages: readonly LanguageCount[], page: number): Alternate[] {
  if (page !== 1) return [];
  return languages
    .filter(({ language }) => language.tag !== UNDETERMINED)
    .map(({ slug, language }) => ({ hreflang: language.tag, path: listingPath("language", slug) }));
}

export interface QuoteRoute {
  readonly params: { readonly id: string };
  readonly cacheKey: string;
}

export function quoteRoutes(paths: readonly QuotePath[]): QuoteRoute[] {
  const rest = staleSince() ?? "";
  return paths.map(({ id, digest }) => ({
    params: { id: String(id) },
    cacheKey: digest + rest + cardOf(quotePath(id)),
  }));
}

/** The card is no part of a page's digest: which pages have one depends on all the others. */
function cardOf(path: string): string {
  return linkCard(path)?.src ?? "";
}

/** The languages there are, in a word. */
export function codesOf(languages: readonly LanguageCount[]): string {
  return languages.map(({ slug }) => slug).join();
}
