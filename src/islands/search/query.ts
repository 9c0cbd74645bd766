/** The query of a search, its terms, and the score of a card. */
import { searchedWords } from "../../util/fold.ts";
import type { IndexedCard } from "./pagefind.ts";

/** Shortest and longest quote of each length filter, in UTF-16 units. */
const LENGTHS = { "": [0, 1e6], short: [0, 80], medium: [81, 240], long: [241, 1e6] } as const;

export type LengthStep = keyof typeof LENGTHS;

export interface Query {
  /** Text as typed. */
  readonly text: string;
  /** Name of a tag as cards show it; empty for any. */
  readonly tag: string;
  readonly length: LengthStep;
  /** Ids of curated quotes, where the query is for these only. */
  readonly among: ReadonlySet<number> | null;
}

/** A word of the query. */
export interface Term {
  readonly word: string;
  /** Number of words before it. */
  readonly at: number;
}

/** Words of the longest name: a longer phrase is one of a quote. */
const NAME_WORDS = 3;

/** From this likeness on, a found word counts as a form of the word of the query. */
const ALIKE = 0.5;

/** Least likeness of a word that begins with the word of the query. */
const PREFIX_LIKENESS = 0.75;

const QUOTED = /^\s*["“”„«»『「].+["“”«»』」]\s*$/su;
/** Quotation marks, and bidi controls, which a copied right-to-left quote begins with. */
const MARKS = /["“”„«»『』「」\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/**
 * Splits a text into terms without repeats, longest first: long words are rare, and a rare word matches few pages.
 *
 * @param language BCP 47 tag; some languages have no spaces between words
 */
export function termsOf(text: string, language: string): Term[] {
  const plain = text.replace(MARKS, " ");
  const words = /^(?:zh|ja|th)\b/.test(language)
    ? Array.from(new Intl.Segmenter(language, { granularity: "word" }).segment(plain))
        .filter(({ isWordLike }) => isWordLike)
        .map(({ segment }) => segment)
    : plain.split(/\s+/u).filter((word) => word !== "");
  return words
    .map((word, at) => ({ word, at }))
    .filter(({ word }, at) => words.indexOf(word) === at)
    .sort((a, b) => countLetters(b) - countLetters(a));
}

/** Counts letters without marks, which include the vowels of Indic scripts; the index drops them too. */
function countLetters({ word }: Term): number {
  return searchedWords(word).join("").replace(/\p{M}/gu, "").length;
}

/**
 * Scores a card, higher is better; 0 where it does not match. A word that was found by its stem counts as found.
 *
 * @param queried terms of the index query
 */
export function scoreOf(query: Query, queried: readonly Term[], card: IndexedCard): number {
  if (!passes(query, card)) return 0;
  const words = searchedWords(query.text);
  const text = searchedWords(card.words.join(card.joiner));
  const author = searchedWords(card.author);
  const phrase = holds(text, words);
  if (QUOTED.test(query.text)) return phrase || holds(author, words) ? 5 : 0;
  if (words.length > 0 && words.join(" ") === author.join(" ")) return 6;
  if (phrase && words.length > NAME_WORDS) return 5;
  if (words.length > 0 && words.every((word) => author.includes(word))) return 4;
  const likeness = (word: string) =>
    Math.max(0, ...card.foundWords.map((found) => likenessOf(word, found)));
  if (queried.some(({ word }) => likeness(word) < ALIKE)) return 0;
  if (phrase) return 3;
  const present = new Set([...text, ...author]);
  const shares = words.map((word) => (present.has(word) ? 1 : likeness(word)));
  return 1 + shares.reduce((sum, share) => sum + share, 0) / Math.max(1, words.length);
}

function passes({ tag, length, among }: Query, { id, words, joiner, tags }: IndexedCard): boolean {
  const units = words.join(joiner).length;
  const [shortest, longest] = LENGTHS[length];
  return (
    (tag === "" || holds(searchedWords(tags), searchedWords(tag))) &&
    shortest <= units &&
    units <= longest &&
    (among === null || among.has(id))
  );
}

/**
 * Compares a word of the query with a word that the index found, from 0 to 1. Words of one stem share most of their pairs of
 * letters. Where the index has no word of the stem, it finds shorter words that the word of the query begins with.
 */
function likenessOf(queryWord: string, found: string): number {
  const word = searchedWords(queryWord).join("");
  // The index finds a word without letters only as it is.
  if (word === "") return 1;
  const parts = searchedWords(found);
  return Math.max(...[...parts, parts.join("")].map((part) => dice(word, part)));
}

/** Dice's coefficient of pairs of letters. The reader may still be typing, so a prefix counts as much alike. */
function dice(word: string, part: string): number {
  const [a, b] = [pairsOf(word), pairsOf(part)];
  const shared = [...a].filter((pair) => b.has(pair)).length;
  const share = (2 * shared) / (a.size + b.size);
  return part.startsWith(word) ? Math.max(share, PREFIX_LIKENESS) : share;
}

function pairsOf(word: string): Set<string> {
  const letters = Array.from(` ${word}`);
  return new Set(letters.slice(1).map((letter, at) => (letters[at] ?? "") + letter));
}

/** Whether a text has the words as a phrase. */
function holds(text: readonly string[], words: readonly string[]): boolean {
  return words.length > 0 && ` ${text.join(" ")} `.includes(` ${words.join(" ")} `);
}
