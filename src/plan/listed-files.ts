/** Which files a plan has beside its pages: feeds and API files of listings, files of random quotes, parts of the sitemap. */
import type { ListingKind } from "./paths.ts";

/** Addresses in one file of the sitemap. The protocol allows 50,000 and 50 MB; crawlers read smaller files sooner. */
export const ADDRESSES_PER_FILE = 20_000;

/** The fewest quotes with which a listing gets feeds and a file of the API. */
export const feedQuotes = (kind: ListingKind): number => (kind === "language" ? 0 : 50);

export const hasFeed = (kind: ListingKind, quotes: number): boolean => quotes >= feedQuotes(kind);

/**
 * Number of files with random quotes, of at least 32 quotes each if there are several.
 *
 * A power of two seldom changes; 256 are more than a reader goes through.
 */
export function randomSetCount(quotes: number): number {
  return quotes === 0 ? 0 : 2 ** Math.min(8, Math.max(0, Math.floor(Math.log2(quotes / 32))));
}

/** Number of files with random quotes of one language: a reader goes through some 300 before a file comes again. */
export function languageSetCount(quotes: number): number {
  return Math.min(8, randomSetCount(quotes));
}
