/**
 * How large a site will be, before it is made: pages by kind from the sizes of the listings, bytes by what pages of the
 * default theme weigh.
 */
import type { ListingKind } from "../contract/term.ts";
import { FIXED_PATHS } from "./paths.ts";

export interface SiteShape {
  readonly quotes: number;
  /** Quotes on a listing page. */
  readonly perPage: number;
  /** Authors on a page of their index. */
  readonly authorsPerPage: number;
  /** Quotes of each term, by kind; names that will become one may be counted apart. */
  readonly terms: Readonly<Record<ListingKind, Iterable<number>>>;
  /** Mean size of a quote's words in UTF-8, in bytes. */
  readonly textBytes: number;
}

export interface SiteSize {
  readonly pages: Readonly<Record<ListingKind | "quote" | "initial" | "fixed", number>>;
  /** Pages, and the files that every site has besides them. */
  readonly files: number;
  /** Within a tenth for the default theme; thumbnails and the search index come on top. */
  readonly bytes: number;
}

/** What the default theme writes, in bytes. */
const WEIGHT = { page: 4_600, card: 640, author: 95 };

/** Style sheets, typefaces, scripts, feed, sitemap, robots.txt and build.json. */
const OTHER_FILES = 40;
const OTHER_BYTES = 1_500_000;

/** Initials that a collection has, at most: each starts a page of the index. */
const INITIALS = 30;

export function sizeOfSite(shape: SiteShape): SiteSize {
  const { quotes, perPage, authorsPerPage, terms } = shape;
  const kinds = {
    tag: pagesOf(terms.tag, perPage),
    author: pagesOf(terms.author, perPage),
    language: pagesOf(terms.language, perPage),
  };
  const authors = kinds.author.terms;
  const pages = {
    tag: kinds.tag.pages,
    author: kinds.author.pages,
    language: kinds.language.pages,
    quote: quotes,
    initial: Math.min(authors, INITIALS) + Math.floor(authors / authorsPerPage),
    fixed: Object.keys(FIXED_PATHS).length,
  };
  const all = Object.values(pages).reduce((sum, count) => sum + count, 0);
  const cards = kinds.tag.quotes + kinds.author.quotes + kinds.language.quotes + quotes;
  const bytes =
    all * WEIGHT.page +
    cards * (WEIGHT.card + shape.textBytes) +
    authors * WEIGHT.author +
    OTHER_BYTES;
  return { pages, files: all + OTHER_FILES, bytes: Math.round(bytes) };
}

function pagesOf(
  sizes: Iterable<number>,
  perPage: number,
): { terms: number; pages: number; quotes: number } {
  const sum = { terms: 0, pages: 0, quotes: 0 };
  for (const quotes of sizes) {
    sum.terms++;
    sum.pages += Math.ceil(quotes / perPage);
    sum.quotes += quotes;
  }
  return sum;
}
