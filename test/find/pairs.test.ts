/** Words, pairs of words and places: what the index is made of and what it is asked for must be the same. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { spotOf } from "../../src/contract/search-index.ts";
import { indexedWord, pairsFor, pairsOf, searchWords } from "../../src/contract/search-words.ts";
import { blocksWith } from "../../src/islands/search/blocks.ts";
import { blocksOf, wordsOf } from "../../src/search/blocks.ts";
import type { QuoteToIndex } from "../../src/search/blocks.ts";
import { layOut } from "../../src/search/layout.ts";

const words = fc.array(fc.constantFrom("a", "to", "be", "the", "love", "люди", "dignity"), {
  minLength: 4,
  maxLength: 40,
});

test("any four words of a text share a pair with the text", () => {
  fc.assert(
    fc.property(words, fc.nat(), fc.nat(), (text, from, length) => {
      const start = from % (text.length - 3);
      const part = text.slice(start, start + 4 + length);
      const chosen = pairsFor(part);
      expect(chosen.length).toBeGreaterThan(0);
      expect(pairsFor(text)).toEqual(expect.arrayContaining(chosen));
    }),
  );
});

test("pairs depend on the order of their words, and are fewer than the words", () => {
  expect(pairsOf(["not", "be"])).not.toEqual(pairsOf(["be", "not"]));
  const text = searchWords("To be, or not to be, that is the question: whether ’tis nobler");
  expect(pairsFor(text).length).toBeLessThan(text.length * 0.7);
});

const quote = (id: number, text: string, author: string): QuoteToIndex => ({
  id,
  text,
  author,
  language: "en",
  tags: ["hope"],
  curated: false,
  page: `/author/${id}/`,
});

/** Where Pagefind finds a word: it counts what stands between blanks. */
function placesOf(html: string, word: string): number[] {
  const tokens = html
    .replace(/<[^>]*>/g, " ")
    .trim()
    .split(/\s+/);
  return tokens.flatMap((token, place) => (token === word ? place : []));
}

test("a place says in which block a word stands, and whether in a name", () => {
  const long = "Sentences of many words fill a block until another has to begin. ".repeat(60);
  const blocks = blocksOf(
    "en",
    [
      quote(1, long, "Voltaire"),
      quote(2, long, "Jane Austen"),
      quote(3, "Rare wallpaper.", "Jane"),
    ],
    8,
  );
  expect(blocks.length).toBeGreaterThan(1);
  const html = layOut(blocks.map(wordsOf));
  const spots = (word: string) => placesOf(html, indexedWord(word)).map(spotOf);
  expect(spots("voltaire")).toMatchObject([{ block: 0, kind: "whole" }]);
  expect(spots("austen")).toMatchObject([{ kind: "name" }]);
  expect(
    spots("jane")
      .map(({ kind }) => kind)
      .sort(),
  ).toEqual(["name", "whole"]);
  const rare = spots("wallpaper");
  expect(new Set(rare.map(({ place }) => place)).size).toBe(1);
  expect(rare.every(({ block, kind }) => block === blocks.length - 1 && kind === "word")).toBe(
    true,
  );

  const handle = { id: "r", words: [...placesOf(html, "rare"), ...placesOf(html, "wallpape")] };
  expect(blocksWith([handle], 2)).toMatchObject([
    { file: `quotes/r.${blocks.length - 1}`, words: 2 },
  ]);
  expect(blocksWith([handle], 3)).toEqual([]);
});

test("a quote of more words than places is found by its first ones", () => {
  const text = Array.from({ length: 9_000 }, (_, index) => `word${index.toString(36)}`).join(" ");
  const html = layOut(blocksOf("en", [quote(1, text, "A")], 8).map(wordsOf));
  expect(placesOf(html, "word0").map(spotOf)).toMatchObject([{ block: 0 }, { block: 0 }]);
  expect(placesOf(html, "word6xz")).toEqual([]);
});
