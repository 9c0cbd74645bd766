/**
 * Deals quotes out to the records of the search index.
 *
 * Pagefind writes a file for each record, and loads the list of all records before the first search: a record for each
 * quote makes 100,000 files, one for each author's listing still 45,000. So a record holds some dozens of quotes of one
 * language, whole pages of authors' listings, each page put where the hash of its address says: a new quote changes one
 * record and not all that follow.
 */
import { hash } from "node:crypto";
import { blocksOf, sizeOf, type Block, type QuoteToIndex } from "./blocks.ts";

export interface SearchRecord {
  /** Sorts records, and names them in the index; another where the record holds anything else. */
  readonly key: string;
  readonly blocks: readonly Block[];
}

/** Most blocks of a record. */
const BLOCKS = 8;

/**
 * Size of a record's texts, in UTF-16 units, at most and down to half of it. The larger, the more records are found that
 * do not hold all words in one block; the smaller, the longer the list of records.
 *
 * @param all of the whole collection
 */
function recordSize(all: number): number {
  return Math.min(80_000, Math.max(10_000, 8 * Math.sqrt(all)));
}

/** @param quotes in the order of the listings, which stays the order within a record */
export function recordsOf(quotes: Iterable<QuoteToIndex>): SearchRecord[] {
  const byLanguage = new Map<string, QuoteToIndex[]>();
  let all = 0;
  for (const quote of quotes) {
    const of = byLanguage.get(quote.language) ?? [];
    byLanguage.set(quote.language, of);
    of.push(quote);
    all += sizeOf(quote);
  }
  return [...byLanguage]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([language, of]) => recordsOfLanguage(language, of, recordSize(all)));
}

function recordsOfLanguage(
  language: string,
  quotes: readonly QuoteToIndex[],
  size: number,
): SearchRecord[] {
  const all = quotes.reduce((sum, quote) => sum + sizeOf(quote), 0);
  // A power of two, so that growth seldom moves anything.
  const buckets = 2 ** Math.max(0, Math.ceil(Math.log2(all / size)));
  const dealt = new Map<number, QuoteToIndex[]>();
  for (const quote of quotes) {
    const bucket = Number.parseInt(hash("sha256", quote.page).slice(0, 8), 16) % buckets;
    const of = dealt.get(bucket) ?? [];
    dealt.set(bucket, of);
    of.push(quote);
  }
  return [...dealt]
    .sort(([a], [b]) => a - b)
    .map(([bucket, of]) => {
      const blocks = blocksOf(language, of, BLOCKS);
      // Pagefind calls its files by what it was given: whatever stands in ours has to be part of that.
      const mark = hash("sha256", JSON.stringify(blocks.map(({ pages }) => pages))).slice(0, 12);
      return { key: `/${language}/${bucket}/${mark}/`, blocks };
    });
}
