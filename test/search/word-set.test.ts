/** The words of texts, against the pattern that says what a word is; of the real quotes where REAL_QUOTES names their folder. */
import { expect, test } from "vitest";
import { WordSet } from "../../src/search/word-set.ts";
import { plainLower } from "../../src/util/fold.ts";
import { seeded } from "../support/run/index.ts";
import { realQuotes } from "../support/snapshot/index.ts";

const wordsOf = (texts: readonly string[]): string[] => {
  const words = new WordSet();
  for (const text of texts) words.add(text);
  return words.sorted();
};

/** A word of the index: letters, digits and marks, and between them apostrophes, hyphens, dashes and dots. */
const WORD = /[\p{L}\p{N}\p{M}]+(?:['’‐‑–—…./-]+[\p{L}\p{N}\p{M}]+)*/gu;

const expected = (texts: readonly string[]): string[] =>
  [...new Set(texts.flatMap((text) => plainLower(text).match(WORD) ?? []))].sort();

test.each([
  ["accents and case", "Être ou ne pas ÊTRE", ["ne", "ou", "pas", "être"]],
  ["punctuation inside", "Un chef-d’œuvre…n’est", ["chef-d’œuvre…n’est", "un"]],
  ["punctuation at the ends", "-‘a’- 'tis—", ["a", "tis"]],
  ["marks of vowels", "জীবন সুন্দর", ["জীবন", "সুন্দর"]],
  ["letters of two units", "𐌰𐌱 a𝐛c", ["a𝐛c", "𐌰𐌱"]],
  ["pictures between letters", "love🙂you", ["love", "you"]],
  ["half of a character", "a\uD83Db\uDE42", ["a", "b"]],
  ["digits", "3.14 and 1984", ["1984", "3.14", "and"]],
  ["no word", "… — !", []],
])("%s", (_, text, words) => {
  expect(wordsOf([text])).toEqual(words);
  expect(expected([text])).toEqual(words);
});

test("a word that begins or ends as another is its own", () => {
  expect(wordsOf(["ab abc bc", "abc abcd"])).toEqual(["ab", "abc", "abcd", "bc"]);
});

test("two words of one length and one hash are two", () => {
  expect(wordsOf(["aя bа"])).toEqual(["aя", "bа"]);
});

test("texts of random characters, and more words than it has room for at first", () => {
  const random = seeded(7);
  const letters = [..."abcdeéßж本'’-. \n\u00AD\u0301🙂𝐛"];
  const texts = Array.from({ length: 3_000 }, () =>
    Array.from({ length: 40 }, () => letters[Math.floor(random() * letters.length)]).join(""),
  );
  const words = wordsOf(texts);
  expect(words.length).toBeGreaterThan(8_000);
  expect(words).toEqual(expected(texts));
});

test("real quotes", () => {
  const texts = realQuotes().map(({ quote }) => quote);
  expect(wordsOf(texts)).toEqual(expected(texts));
});
