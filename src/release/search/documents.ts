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
}

/** Quotes in a record: about this many, and down to half of it. */
const RECORD = 60;

/** @param quotes in the order of the listings, which stays the order within a record */
export function recordsOf(quotes: Iterable<QuoteToIndex>): SearchRecord[] {
  const byLanguage = new Map<string, QuoteToIndex[]>();
  for (const quote of quotes) {
    const of = byLanguage.get(quote.language) ?? [];
    byLanguage.set(quote.language, of);
    of.push(quote);
  }
  return [...byLanguage]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([language, of]) => recordsOfLanguage(language, of));
}

function recordsOfLanguage(language: string, quotes: readonly QuoteToIndex[]): SearchRecord[] {
  // A power of two, so that growth seldom moves anything.
  const buckets = 2 ** Math.max(0, Math.ceil(Math.log2(quotes.length / RECORD)));
  const dealt = new Map<number, QuoteToIndex[]>();
  for (const quote of quotes) {
    const bucket = Number.parseInt(hash("sha256", quote.page).slice(0, 8), 16) % buckets;
    const of = dealt.get(bucket) ?? [];
    dealt.set(bucket, of);
    of.push(quote);
  }
  return [...dealt]
    .sort(([a], [b]) => a - b)
    .map(([bucket, of]) => ({ key: `/${language}/${bucket}/`, html: htmlOf(language, of) }));
}

function htmlOf(language: string, quotes: readonly QuoteToIndex[]): string {
  const parts = quotes.map(({ id, text, author, tags, page }) => {
    const kept: IndexedQuote = [text, author, language, tags];
    const names = searchWords(author ?? "").join(" ");
    const words = [...searchWords(text), ...tags.map(tagWord)].join(" ");
    const where = attribute(`${page}#q${id}`);
    const title = attribute(JSON.stringify(kept));
    return `<div id="${where}" data-pagefind-title="${title}"><p data-pagefind-weight="8">${names}</p><p>${words}</p></div>`;
  });
  return `<html lang="en"><body data-pagefind-body><p>${languageWord(language)}</p>${parts.join("")}</body></html>`;
}

function attribute(value: string): string {
  return value
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll("\n", "&#10;");
}
