/** Turns the keys of pages into what a route lists, and back: page 1 has no number in its address. */
import { UNDETERMINED } from "../contract/languages.ts";
import {
  ogImage,
  listingPath,
  openSite,
  staleSince,
  type LanguageCount,
  type PlannedPage,
} from "../site/index.ts";
import type { Alternate } from "./page-props.ts";

export interface ListingRoute {
  readonly params: { readonly slug: string; readonly page: string | undefined };
  /** What the page shows that is no source file: the same key, the same page. */
  readonly cacheKey: string;
}

/** @param also what these pages show besides the listing itself */
export function listingRoutes(pages: readonly PlannedPage[], also = ""): ListingRoute[] {
  return pages.map((page) => ({
    params: { slug: page.term, page: page.number === 1 ? undefined : String(page.number) },
    cacheKey: keyOf(page) + also,
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

/** Besides what the plan knows, a quote's page names the page to embed it. */
export function quoteRoutes(pages: readonly PlannedPage[]): QuoteRoute[] {
  return pages.map((page) => ({
    params: { id: page.term },
    cacheKey: keyOf(page) + (openSite().hasEmbed(Number(page.term)) ? "e" : ""),
  }));
}

export function embedRoutes(pages: readonly PlannedPage[]): QuoteRoute[] {
  return pages.map(({ term, cacheKey }) => ({ params: { id: term }, cacheKey }));
}

export interface DayRoute {
  readonly params: { readonly date: string };
  readonly cacheKey: string;
}

export function dayRoutes(pages: readonly PlannedPage[]): DayRoute[] {
  return pages.map((page) => ({ params: { date: page.term }, cacheKey: keyOf(page) }));
}

/** The plan's key, with what it does not know: the page's Open Graph images, and whether the data is stale. */
function keyOf({ path, cacheKey }: PlannedPage): string {
  const square = ogImage(path, "square")?.src ?? "";
  return cacheKey + (staleSince() ?? "") + (ogImage(path)?.src ?? "") + square;
}

/** The languages there are, in a word. */
export function codesOf(languages: readonly LanguageCount[]): string {
  return languages.map(({ slug }) => slug).join();
}
