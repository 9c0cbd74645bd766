/** The query of a search, its terms, and the score of a card. */
import { BETWEEN_WORDS, searchedWords } from "../../util/fold.ts";
import type { IndexedCard } from "./pagefind.ts";
import { RANKS, scoreFor, SHARED, sharesBeginning, type Place, type Rank } from "./ranking.ts";

/** Shortest and longest quote of each length filter, in UTF-16 units. */
const LENGTHS = { "": [0, 1e6], short: [0, 80], medium: [81, 240], long: [241, 1e6] } as const;

export type LengthStep = keyof typeof LENGTHS;

export interface Query {
  /** Text as `readTyped()` gives it. */
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

const QUOTED = /^\s*["“”„«»『「].+["“”«»』」]\s*$/su;
export const isQuoted = (text: string): boolean => QUOTED.test(text);

/** Quotation marks, and bidi controls, which a copied right-to-left quote begins with. */
export const MARKS = /["“”„«»『』「」\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** Dashes, slashes and dots between words, which the index takes for one word: `love—hate`. */
export const JOINERS = /[–—…/]+/gu;

/**
 * Splits a text into terms without repeats, longest first: long words are rare, and a rare word matches few pages. Punctuation and
 * symbols separate words, but hyphens, dots and apostrophes inside of a word, which the index keeps in one word.
 *
 * @param language BCP 47 tag; some languages have no spaces between words
 */
export function termsOf(text: string, language: string): Term[] {
  const words = /^(?:zh|ja|th)\b/.test(language)
    ? Array.from(
        new Intl.Segmenter(language, { granularity: "word" }).segment(text.replace(MARKS, " ")),
      )
        .filter(({ isWordLike }) => isWordLike)
        .map(({ segment }) => segment)
    : splitWords(text);
  return words
    .map((word, at) => ({ word, at }))
    .filter(({ word }, at) => words.indexOf(word) === at && searchedWords(word).length > 0)
    .sort((a, b) => countLetters(b) - countLetters(a));
}

/** Splits a text into words at spaces, and at the punctuation between words. */
export const splitWords = (text: string): string[] =>
  text.replace(MARKS, " ").split(/\s+/u).flatMap(wordsIn);

/** A dash between spaces is none, and has a place of its own in a page. */
function wordsIn(part: string): string[] {
  const words = part.split(BETWEEN_WORDS).filter((word) => word !== "");
  return words.length > 0 || part === "" ? words : [part];
}

/** Counts letters without marks, which include the vowels of Indic scripts; the index drops them too. */
function countLetters({ word }: Term): number {
  return searchedWords(word).join("").replace(/\p{M}/gu, "").length;
}

/**
 * Scores a card by the tables of `ranking.ts`, higher is better; 0 where it does not match.
 *
 * @param queried terms of the index query: the card must have each of them
 * @param stems those of them whose stem the language has: words that the index found for them are forms of them
 */
export function scoreOf(
  query: Query,
  queried: readonly Term[],
  stems: ReadonlySet<Term>,
  card: IndexedCard,
): number {
  if (!passes(query, card)) return 0;
  const plain = card.words.join(card.joiner);
  const [text, author, words] = [plain, card.author, query.text].map(searchedWords) as [
    string[],
    string[],
    string[],
  ];
  const place = placeOf(words, text, author);
  if (isQuoted(query.text)) {
    return holds(text, words) || holds(author, words) ? scoreFor("exact", "sentence", 1) : 0;
  }
  const all = [...text, ...author, ...searchedWords(card.tags)];
  const typed = bare(`${plain} ${card.author} ${card.tags}`);
  const found = card.foundWords.map((word) => searchedWords(word).join(""));
  let rank: Rank = "exact";
  for (const term of queried) {
    const own = rankOf(term, queried, { all, typed, found, isStem: stems.has(term) });
    if (own === "similar" && place !== "name" && place !== "sentence") return 0;
    if (RANKS[own].points < RANKS[rank].points) rank = own;
  }
  const present = new Set(all);
  const share = words.filter((word) => present.has(word)).length / Math.max(1, words.length);
  // A name or a sentence is found by its words, not by the spelling of one.
  return scoreFor(rank === "similar" ? "folded" : rank, place, share);
}

/** The terms of which a card has neither the word nor one that begins alike. */
export function lackedBy(
  { words, joiner, author, tags }: IndexedCard,
  terms: readonly Term[],
): readonly Term[] {
  if (terms.length === 0) return terms;
  const all = searchedWords(`${words.join(joiner)} ${author} ${tags}`);
  return terms.filter(({ word }) => {
    const own = searchedWords(word);
    const key = own.join("");
    return !holds(all, own) && !all.some((one) => sharesBeginning(one, key, SHARED.form));
  });
}

function placeOf(
  words: readonly string[],
  text: readonly string[],
  author: readonly string[],
): Place {
  if (words.length === 0) return "apart";
  if (words.join(" ") === author.join(" ")) return "name";
  const isTogether = holds(text, words);
  if (isTogether && words.length > NAME_WORDS) return "sentence";
  if (words.every((word) => author.includes(word))) return "author";
  return isTogether ? "phrase" : "apart";
}

interface CardWords {
  /** Folded words of quote, author and tags. */
  readonly all: readonly string[];
  /** The same text with its accents. */
  readonly typed: string;
  /** Folded words that the index found. */
  readonly found: readonly string[];
  readonly isStem: boolean;
}

function rankOf(
  term: Term,
  queried: readonly Term[],
  { all, typed, found, isStem }: CardWords,
): Rank {
  const words = searchedWords(term.word);
  if (holds(all, words)) {
    return typed.includes(bare(term.word)) ? "exact" : "folded";
  }
  const key = words.join("");
  const isForm = (word: string): boolean =>
    word.startsWith(key) ||
    sharesBeginning(word, key, SHARED.form) ||
    (isStem && queried.every((other) => other === term || closer(word, key, keyOf(other))));
  return found.some(isForm) ? "stem" : "similar";
}

const keyOf = ({ word }: Term): string => searchedWords(word).join("");

/** Whether a found word shares more of its beginning with one word of the query than with another. */
const closer = (word: string, key: string, other: string): boolean =>
  shared(word, key) > 0 && shared(word, key) >= shared(word, other);

/** Number of letters at the beginning of both words. */
function shared(a: string, b: string): number {
  let count = 0;
  while (count < a.length && a[count] === b[count]) count++;
  return count;
}

/** A text in lower case without punctuation, as the index has its words. */
export const bare = (text: string): string =>
  text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[\p{P}\p{S}]+/gu, "");

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

/** Whether a text has the words as a phrase. */
function holds(text: readonly string[], words: readonly string[]): boolean {
  return words.length > 0 && ` ${text.join(" ")} `.includes(` ${words.join(" ")} `);
}
