/** How many files other than pages a site has, where the number follows from the collection. */

/** Fewest quotes of a tag or an author that has feeds and a file of the API. */
export const FEED_QUOTES = 50;

/** Addresses in a file of the sitemap. The protocol allows 50,000 and 50 MB a file; smaller files are read sooner. */
export const ADDRESSES_PER_FILE = 20_000;

/** Most sets to choose quotes from by chance: more than a reader goes through. */
const MOST_SETS = 256;

/** Quotes of such a set, at least, where there are more sets than one. */
const FEWEST_OF_SET = 32;

/**
 * Sets of quotes to choose from by chance: a power of two, which seldom changes.
 *
 * @param quotes that have a page of their own
 */
export function randomSetCount(quotes: number): number {
  if (quotes === 0) return 0;
  let sets = 1;
  while (sets * 2 <= MOST_SETS && quotes >= sets * 2 * FEWEST_OF_SET) sets *= 2;
  return sets;
}
