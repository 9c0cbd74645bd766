import { expect, test } from "vitest";
import { grown, shapeOf, sizeOfSite, type SizeSettings } from "../../src/plan/estimate/size.ts";
import { countNames } from "../support/snapshot/index.ts";
import { makeSite } from "../support/site/index.ts";

const QUOTES = Array.from({ length: 40 }, (_, index) => ({
  id: index + 1,
  author: index < 3 ? null : `${index % 2 === 0 ? "Ada" : "ada"} ${index % 7}`,
  tags: index % 3 === 0 ? ["love"] : ["wit", "Self help"],
  language: index % 5 === 0 ? "fr" : "en",
}));

const SHAPE = shapeOf(
  {
    tag: countNames(QUOTES.flatMap(({ tags }) => tags)),
    author: countNames(QUOTES.map(({ author }) => author)),
    language: countNames(QUOTES.map(({ language }) => language)),
  },
  [],
  { textBytes: 100, pictures: 3 },
);

const TRAITS = { days: 1, votes: false };
const SETTINGS: SizeSettings = {
  perPage: 3,
  quotePages: 20_000,
  embeds: 0,
  cards: 0,
  minTagQuotes: 1,
};
const sizeWith = (settings: Partial<SizeSettings>, shape = SHAPE) =>
  sizeOfSite(shape, { ...SETTINGS, ...settings }, TRAITS);

test("sizeOfSite() counts the pages that the plan then has", () => {
  const planned: Record<string, number> = {};
  for (const { kind } of makeSite(QUOTES, { perPage: 3 }).pages()) {
    planned[kind] = (planned[kind] ?? 0) + 1;
  }
  const { pages, files } = sizeWith({});
  expect(pages).toMatchObject({
    tag: planned["tag"],
    author: planned["author"],
    language: planned["language"],
    initial: planned["initial"],
    quote: 40,
  });
  expect(files).toBeGreaterThan(Object.values(planned).reduce((sum, count) => sum + count));
});

test("sizeOfSite() leaves tags out that have too few quotes for a listing", () => {
  // "love" has 14 quotes, the two others 26 each.
  expect(sizeWith({ minTagQuotes: 15 }).pages.tag).toBe(sizeWith({}).pages.tag - 5);
  expect(sizeWith({ minTagQuotes: 27 }).pages.tag).toBe(0);
});

test("sizeOfSite() grows with the words, the pages, the cards and the pictures", () => {
  const bytes = sizeWith({}).bytes;
  expect(sizeWith({}, { ...SHAPE, textBytes: 200 }).bytes).toBeGreaterThan(bytes);
  expect(sizeWith({ perPage: 50 }).bytes).toBeLessThan(bytes);
  expect(sizeOfSite(SHAPE, SETTINGS, { ...TRAITS, votes: true }).bytes).toBeGreaterThan(bytes);
  expect(sizeWith({ quotePages: 10 }).files).toBe(sizeWith({}).files - 30);
  // 10 of 40 quotes in two shapes, 5 of 8 authors, 3 tags.
  expect(sizeWith({ cards: 20 }).files).toBe(sizeWith({}).files + 20 + 5 + 3);
  const pictures = sizeWith({}, { ...SHAPE, pictures: 20_000 });
  expect(pictures.files).toBe(sizeWith({}).files + 4 * (20_000 - 3));
  expect(pictures.mostFiles).toBe(80_000);
});

test("sizeOfSite() of nothing is a site of its fixed pages", () => {
  const none = shapeOf({ tag: [], author: [], language: [] }, [], { textBytes: 0, pictures: 0 });
  const { pages } = sizeWith({}, none);
  expect(pages).toEqual({
    tag: 0,
    author: 0,
    language: 0,
    initial: 0,
    quote: 0,
    day: 0,
    embed: 0,
    fixed: 17,
  });
});

test("grown() keeps authors as large as they are, and makes tags and languages larger", () => {
  const twice = grown(SHAPE, 2);
  expect(twice.quotes).toBe(80);
  expect(twice.terms.author).toHaveLength(SHAPE.terms.author.length * 2);
  expect(twice.terms.language).toEqual([64, 16]);
  expect(twice.pictures).toBe(6);
});
