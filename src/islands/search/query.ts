/**
 * What is asked for, and how well a quote answers it.
 *
 * The index only says which records hold the words; whether a quote does, and in this order, is decided here, on its
 * true text.
 */
import { LENGTHS, searchWords } from "../../contract/search-words.ts";
import type { FoundQuote } from "./blocks.ts";

export type LengthStep = "" | "short" | "medium" | "long";

export interface Query {
  /** As typed. */
  readonly text: string;
  readonly language: string;
  /** Slug. */
  readonly tag: string;
  readonly length: LengthStep;
  /** Whether only quotes that a person chose will do. */
  readonly curated: boolean;
}

export interface ReadQuery {
  /** Of the text, in its order. */
  readonly words: readonly string[];
  /** Whether they must stand together: the reader put them in quotation marks. */
  readonly exact: boolean;
}

const QUOTED = /^\s*["“”„«»『「].+["“”«»』」]\s*$/su;

export function readQuery(text: string): ReadQuery {
  return { words: searchWords(text), exact: QUOTED.test(text) };
}

/** How well a quote answers, higher is better; 0 when it does not. */
export function scoreOf({ words, exact }: ReadQuery, quote: FoundQuote): number {
  const text = searchWords(quote.text);
  const author = searchWords(quote.author ?? "");
  const phrase = holds(text, words);
  if (exact) return phrase ? 5 : 0;
  if (same(author, words)) return 6;
  if (phrase && words.length > 1) return 5;
  if (words.every((word) => author.includes(word))) return 4;
  if (phrase) return 3;
  const all = [...text, ...author];
  if (words.every((word) => all.includes(word))) return 2;
  // The last word may not be finished yet.
  return words.every((word) => all.some((other) => other.startsWith(word))) ? 1 : 0;
}

export function passes({ language, tag, length, curated }: Query, quote: FoundQuote): boolean {
  const step = stepOf(quote.text.length);
  return (
    (language === "" || quote.language === language) &&
    (tag === "" || quote.tags.includes(tag)) &&
    (length === "" || length === step) &&
    (!curated || quote.curated)
  );
}

function stepOf(length: number): LengthStep {
  if (length <= LENGTHS.short) return "short";
  return length <= LENGTHS.medium ? "medium" : "long";
}

function holds(text: readonly string[], words: readonly string[]): boolean {
  const [first] = words;
  if (first === undefined) return false;
  for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1)) {
    if (words.every((word, index) => text[at + index] === word)) return true;
  }
  return false;
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, index) => word === b[index]);
}
