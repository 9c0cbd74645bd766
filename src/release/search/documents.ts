/**
 * Deals quotes out to the records of the search index.
 *
 * Pagefind writes a file for each record, and loads the list of all records before the first search: a record for each
 * quote makes 100,000 files, one for each author's listing still 45,000. So a record holds some dozens of quotes of one
 * language, whole pages of authors' listings, each page put where the hash of its address says: a new quote changes one
 * record and not all that follow.
 */
import { hash } from "node:crypto";
import {
  languageWord,
  searchWords,
  tagWord,
  type IndexedQuote,
} from "../../contract/search-words.ts";

export interface QuoteToIndex {
  readonly id: number;
  readonly text: string;
  readonly author: string | null;
  readonly language: string;
  /** Slugs. */
  readonly tags: readonly string[];
  /** Path of the author's listing page it stands on. */
  readonly page: string;
}

export interface SearchRecord {
  /** Sorts records, and names them in the index. */
  readonly key: string;
  /** HTML as Pagefind reads it. */
  readonly html: string;
  /** All its words, each once. */
  readonly words: readonly string[];
}

/**
 * Quotes in a record, at most and down to half of it: the more, the longer each record takes to load; the fewer, the
 * longer the list of them. The sum is least where both grow with the root of the collection.
 */
function recordSize(quotes: number): number {
  return Math.min(200, Math.max(20, Math.sqrt(quotes / 25)));
}

/** @param quotes in the order of the listings, which stays the order within a record */
export function recordsOf(quotes: Iterable<QuoteToIndex>): SearchRecord[] {
  const byLanguage = new Map<string, QuoteToIndex[]>();
  let count = 0;
  for (const quote of quotes) {
    const of = byLanguage.get(quote.language) ?? [];
    byLanguage.set(quote.language, of);
    of.push(quote);
    count++;
  }
  return [...byLanguage]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([language, of]) => recordsOfLanguage(language, of, recordSize(count)));
}

function recordsOfLanguage(
  language: string,
  quotes: readonly QuoteToIndex[],
  size: number,
): SearchRecord[] {
  // A power of two, so that growth seldom moves anything.
  const buckets = 2 ** Math.max(0, Math.ceil(Math.log2(quotes.length / size)));
  const dealt = new Map<number, QuoteToIndex[]>();
  for (const quote of quotes) {
    const bucket = Number.parseInt(hash("sha256", quote.page).slice(0, 8), 16) % buckets;
    const of = dealt.get(bucket) ?? [];
    dealt.set(bucket, of);
    of.push(quote);
  }
  return [...dealt]
    .sort(([a], [b]) => a - b)
    .map(([bucket, of]) => ({ key: `/${language}/${bucket}/`, ...contentOf(language, of) }));
}

/**
 * Words stand once a record and in alphabetical order: where a word stands is of no use here, since the page looks at
 * the true text, and sorted places take a third less room.
 */
function contentOf(language: string, quotes: readonly QuoteToIndex[]): Omit<SearchRecord, "key"> {
  const names = new Set<string>();
  const words = new Set<string>([languageWord(language)]);
  const anchors = quotes.map(({ id, text, author, tags, page }) => {
    for (const word of searchWords(author ?? "")) names.add(word);
    for (const word of searchWords(text)) words.add(word);
    for (const tag of tags) words.add(tagWord(tag));
    const kept: IndexedQuote = [text, author, language, tags];
    const title = attribute(JSON.stringify(kept));
    return `<i id="${attribute(`${page}#q${id}`)}" data-pagefind-title="${title}"></i>`;
  });
  const html =
    `<html lang="en"><body data-pagefind-body><p data-pagefind-weight="8">${sorted(names)}</p>` +
    `<p>${sorted(words)}</p>${anchors.join("")}</body></html>`;
  return { html, words: [...words, ...names] };
}

const sorted = (words: ReadonlySet<string>): string => [...words].sort().join(" ");

function attribute(value: string): string {
  return value
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll("\n", "&#10;");
}

/** The words that most records have, commonest first: to search for them says little. */
export function commonWords(records: readonly SearchRecord[], most: number): string[] {
  const counts = new Map<string, number>();
  for (const { words } of records) {
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
    .slice(0, most)
    .map(([word]) => word);
}
