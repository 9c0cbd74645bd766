/**
 * Words as the search index knows them: what is indexed and what is asked for go through the same door.
 *
 * Marks are dropped, so `é` finds `e`, and pointed Arabic or Hebrew finds unpointed. Vowel signs of Devanagari, Bengali
 * and Telugu are marks too: both sides lose them alike, and what was found is compared with the true text afterwards.
 */
import { fnv1a } from "./hash.ts";

/** Scripts without blanks between words: each character is a word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

/** A longer word is cut: nobody types it out, and an index of it helps nobody. In UTF-16 units. */
const LONGEST = 40;

export function searchWords(text: string): string[] {
  const folded = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return (folded.replace(UNSPACED, " $& ").match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    word.slice(0, LONGEST),
  );
}

/** Letters of a word that the index knows, in UTF-16 units: more would tell few words apart and cost as many bytes. */
const INDEXED = 8;

export function indexedWord(word: string): string {
  return word.slice(0, INDEXED);
}

/** What words begin with that stand for something else than themselves. */
const SIGN = "zq";

export function isSign(word: string): boolean {
  return word.startsWith(SIGN);
}

/** How many pairs of words are told apart; those that are not cost a look at the true text. */
const PAIRS = 2 ** 20;

/** Of so many pairs that follow each other, at least one is in the index. */
const WINDOW = 3;

/** The words that stand for every two words that follow each other. */
export function pairsOf(words: readonly string[]): string[] {
  return words.slice(1).map((word, index) => pairWord(words[index] ?? "", word));
}

/**
 * Those of the pairs that stand for a text: of each `WINDOW` of them the longest. A phrase is found by one of these,
 * where its words alone stand in every other record; whoever knows a part of the text chooses the same ones in it.
 *
 * @returns longest first, since long words are rare
 */
export function pairsFor(words: readonly string[]): string[] {
  const pairs = words.slice(1).map((word, index) => {
    const before = words[index] ?? "";
    return { sign: pairWord(before, word), length: before.length + word.length };
  });
  const chosen = new Map<string, number>();
  for (let from = 0; from + WINDOW <= pairs.length; from++) {
    const window = pairs.slice(from, from + WINDOW);
    const { sign, length } = window.reduce((a, b) =>
      b.length > a.length || (b.length === a.length && b.sign > a.sign) ? b : a,
    );
    chosen.set(sign, length);
  }
  return [...chosen].sort(([, a], [, b]) => b - a).map(([sign]) => sign);
}

function pairWord(a: string, b: string): string {
  const number = fnv1a(`${a} ${b}`) % PAIRS;
  return `${SIGN}p${number.toString(36).padStart(4, "0")}`;
}

/** The word that stands for a tag in the index: no word of a text looks like it. */
export function tagWord(slug: string): string {
  return `${SIGN}t${searchWords(slug).join("")}`;
}

/** The word that stands for being curated. */
export const CURATED_WORD = `${SIGN}c`;

/** The word that stands for a language. */
export function languageWord(code: string): string {
  return `${SIGN}l${code.toLowerCase().replace(/[^a-z0-9]/g, "")}`;
}

/** Longest quote, in UTF-16 units, of each step that readers may ask for; above the last is long. */
export const LENGTHS = { short: 80, medium: 240 } as const;
