/** The collection that comes along: its size, its languages, and that none of its authors fills it. */
import { expect, test } from "vitest";
import { LANGUAGES } from "../../src/contract/languages.ts";
import { embeddedCollection } from "../../src/service/collection/collection.ts";
import { TRANSLATIONS } from "../../src/service/collection/declaration.ts";

const quotes = embeddedCollection();

test("has 985 quotes, each once, with pks from 1", () => {
  expect(quotes.map(({ pk }) => pk)).toEqual(Array.from({ length: 985 }, (_, index) => index + 1));
  expect(new Set(quotes.map(({ quote }) => quote)).size).toBe(985);
});

test("no author has more than a tenth of it, the Declaration in all languages included", () => {
  const declaration = new Set(Object.values<{ readonly title: string }>(TRANSLATIONS).map(({ title }) => title));
  const byAuthor = new Map<string, number>();
  for (const { author } of quotes) {
    const name = author === null || !declaration.has(author) ? (author ?? "") : "declaration";
    byAuthor.set(name, (byAuthor.get(name) ?? 0) + 1);
  }
  expect(Math.max(...byAuthor.values())).toBeLessThanOrEqual(quotes.length / 10);
});

test.each(Object.entries(LANGUAGES))("has words of its own authors in %s", (code, { script }) => {
  const own = quotes.filter(({ language }) => language === code);
  expect(own.length).toBeGreaterThanOrEqual(25);
  expect(new Set(own.map(({ author }) => author)).size).toBeGreaterThanOrEqual(4);
  // A row below the wrong heading would be in another script.
  const letters = {
    latin: /\p{Script=Latin}/u,
    cyrillic: /\p{Script=Cyrillic}/u,
    hebrew: /\p{Script=Hebrew}/u,
    arabic: /\p{Script=Arabic}/u,
    devanagari: /\p{Script=Devanagari}/u,
    bengali: /\p{Script=Bengali}/u,
    telugu: /\p{Script=Telugu}/u,
  }[script];
  expect(own.filter(({ quote }) => !letters.test(quote))).toEqual([]);
});

test("a line of verse stands on a line of its own, and no separator of the file is left", () => {
  const lines = quotes.filter(({ language }) => language !== "en");
  expect(lines.some(({ quote }) => quote.includes("\n"))).toBe(true);
  expect(lines.filter(({ quote, author }) => /[|/]/.test(`${quote}${author}`))).toEqual([]);
});
