/** The collection that the embedded service comes with: the first impression of a site, and what most tests harvest. */
import { expect, test } from "vitest";
import { LANGUAGES } from "../../src/contract/languages.ts";
import { embeddedCollection } from "../../src/service/collection.ts";
import { TRANSLATIONS } from "../../src/service/texts.ts";

const quotes = embeddedCollection();

function largest(names: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Math.max(...counts.values());
}

test("embeddedCollection() has 985 quotes, each once, with pks from 1 and text that is whole", () => {
  expect(quotes.map(({ pk }) => pk)).toEqual(Array.from({ length: 985 }, (_, index) => index + 1));
  expect(new Set(quotes.map(({ quote }) => quote)).size).toBe(985);
  expect(quotes.filter(({ quote }) => !/^[^\uFFFD<]{5,1000}$/su.test(quote))).toEqual([]);
});

test("embeddedCollection() speaks every language of the contract, the same lines in each", () => {
  const codes = Object.keys(LANGUAGES);
  const spoken = codes.map((code) => quotes.filter(({ language }) => language === code));
  const titles = new Set(Object.values(TRANSLATIONS).map(([, title]) => title as string));
  const lines = spoken.map((own) => own.filter(({ author }) => titles.has(author ?? "")));
  expect(lines.map(({ length }) => length)).toEqual(codes.map(() => 7));
  const findTags = (own: typeof quotes) => own.map(({ tags }) => tags);
  for (const own of lines) expect(findTags(own)).toEqual(findTags(lines[0] ?? []));
});

test("no author and no text is more than a tenth of the collection", () => {
  expect(largest(quotes.flatMap(({ author }) => author ?? []))).toBeLessThan(98.5);
  const titles = new Set(Object.values(TRANSLATIONS).map(([, title]) => title as string));
  expect(quotes.filter(({ author }) => titles.has(author ?? "")).length).toBeLessThan(98.5);
});
