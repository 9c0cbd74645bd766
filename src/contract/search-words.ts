/**
 * Words as the search index knows them: what is indexed and what is asked for go through the same door.
 *
 * Marks are dropped, so `é` finds `e`, and pointed Arabic or Hebrew finds unpointed. Vowel signs of Devanagari, Bengali
 * and Telugu are marks too: both sides lose them alike, and what was found is compared with the true text afterwards.
 */

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

/** A quote as the index keeps it, in the order of the fields: kept short, since there are hundreds in a file. */
export type IndexedQuote = readonly [
  text: string,
  author: string | null,
  /** The service's code. */
  language: string,
  /** Slugs. */
  tags: readonly string[],
];

/** The word that stands for a tag in the index: no word of a text looks like it. */
export function tagWord(slug: string): string {
  return `zqt${searchWords(slug).join("")}`;
}

/** The word that stands for a language. */
export function languageWord(code: string): string {
  return `zql${code.toLowerCase().replace(/[^a-z0-9]/g, "")}`;
}

/** Longest quote, in UTF-16 units, of each step that readers may ask for; above the last is long. */
export const LENGTHS = { short: 80, medium: 240 } as const;
