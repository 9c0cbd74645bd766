/** What is asked for, and how well a card answers it. */
import type { IndexedCard } from "./pagefind.ts";

/** Shortest and longest quote, in UTF-16 units, of each step that readers may ask for. */
const LENGTHS = { "": [0, 1e6], short: [0, 80], medium: [81, 240], long: [241, 1e6] } as const;

export type LengthStep = keyof typeof LENGTHS;

export interface Query {
  /** As typed. */
  readonly text: string;
  /** Name of a tag, as cards show it. */
  readonly tag: string;
  readonly length: LengthStep;
  /** Quotes that a person chose, where only these will do. */
  readonly among: ReadonlySet<number> | null;
}

/** A word of the query as the index is asked for it, and how many words come before it. */
export interface Term {
  readonly word: string;
  readonly at: number;
}

/** Words of the longest name: more that follow each other are taken from a quote. */
const NAME = 3;

/** From here on a found word is taken for a form of the one asked for. */
const ALIKE = 0.5;
const BEGUN = 0.75;

const QUOTED = /^\s*["“”„«»『「].+["“”«»』」]\s*$/su;
/** Also bidi controls, which a copied right-to-left quote begins with. */
const MARKS = /["“”„«»『』「」\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/**
 * The terms of a text, each once, the longest first: long words are rare, and a rare word leaves few pages to read.
 *
 * @param language BCP 47 tag: some languages write no spaces between words
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
    .sort((a, b) => lettersOf(b) - lettersOf(a));
}

/** Marks are no letters: vowels of Indic scripts are, and the index drops both. */
function lettersOf({ word }: Term): number {
  return plainWords(word).join("").length;
}

/** Letters and numbers of a text, word by word, without case and marks: `é` equals `e`. */
export function plainWords(text: string): string[] {
  const folded = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** How well a card answers, higher is better; 0 when it does not. A word found by its stem counts as found. */
export function scoreOf(query: Query, asked: readonly Term[], card: IndexedCard): number {
  if (!passes(query, card)) return 0;
  const words = plainWords(query.text);
  const text = plainWords(card.words.join(card.joiner));
  const author = plainWords(card.author);
  const phrase = holds(text, words);
  if (QUOTED.test(query.text)) return phrase || holds(author, words) ? 5 : 0;
  if (words.length > 0 && words.join(" ") === author.join(" ")) return 6;
  if (phrase && words.length > NAME) return 5;
  if (words.length > 0 && words.every((word) => author.includes(word))) return 4;
  const likeness = (word: string) =>
    Math.max(0, ...card.foundWords.map((found) => likenessOf(word, found)));
  if (asked.some(({ word }) => likeness(word) < ALIKE)) return 0;
  if (phrase) return 3;
  const there = new Set([...text, ...author]);
  const shares = words.map((word) => (there.has(word) ? 1 : likeness(word)));
  return 1 + shares.reduce((sum, share) => sum + share, 0) / Math.max(1, words.length);
}

function passes({ tag, length, among }: Query, { id, words, joiner, tags }: IndexedCard): boolean {
  const units = words.join(joiner).length;
  const [shortest, longest] = LENGTHS[length];
  return (
    (tag === "" || holds(plainWords(tags), plainWords(tag))) &&
    shortest <= units &&
    units <= longest &&
    (among === null || among.has(id))
  );
}

/**
 * How much a word that the index found is like a word asked for, from 0 to 1: the share of their pairs of letters that
 * both have. Words of one stem have most in common; where the index has no word of the stem it answers with a shorter
 * word that the asked one begins with.
 */
function likenessOf(asked: string, found: string): number {
  const word = plainWords(asked).join("");
  // A sign is found as it is.
  if (word === "") return 1;
  const parts = plainWords(found);
  return Math.max(...[...parts, parts.join("")].map((part) => dice(word, part)));
}

/** Dice's coefficient of pairs of letters; a word that may not be finished yet is much like what it begins. */
function dice(word: string, part: string): number {
  const [a, b] = [pairsOf(word), pairsOf(part)];
  const shared = [...a].filter((pair) => b.has(pair)).length;
  const share = (2 * shared) / (a.size + b.size);
  return part.startsWith(word) ? Math.max(share, BEGUN) : share;
}

function pairsOf(word: string): Set<string> {
  const letters = Array.from(` ${word}`);
  return new Set(letters.slice(1).map((letter, at) => (letters[at] ?? "") + letter));
}

/** Whether a text has the words, one after the other. */
function holds(text: readonly string[], words: readonly string[]): boolean {
  return words.length > 0 && ` ${text.join(" ")} `.includes(` ${words.join(" ")} `);
}
