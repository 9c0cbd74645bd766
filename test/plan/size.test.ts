import { expect, test } from "vitest";
import { shapeOf, sizeOfSite } from "../../src/plan/size.ts";
import { countNames } from "../support/real-quotes.ts";
import { makeSite } from "../support/make-site.ts";

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
  100,
);

test("sizeOfSite() counts the pages that the plan then has", () => {
  const planned: Record<string, number> = {};
  for (const { kind } of makeSite(QUOTES, { perPage: 3 }).pages()) {
    planned[kind] = (planned[kind] ?? 0) + 1;
  }
  const { pages, files } = sizeOfSite(SHAPE, {
    perPage: 3,
    authorsPerPage: 240,
    quotePages: 20_000,
  });
  expect(pages).toMatchObject({
    tag: planned["tag"],
    author: planned["author"],
    language: planned["language"],
    initial: planned["initial"],
    quote: 40,
  });
  expect(files).toBeGreaterThan(Object.values(planned).reduce((sum, count) => sum + count));
});

test("sizeOfSite() grows with the words and with each page", () => {
  const bytes = (textBytes: number, perPage: number): number =>
    sizeOfSite({ ...SHAPE, textBytes }, { perPage, authorsPerPage: 240, quotePages: 20_000 }).bytes;
  expect(bytes(200, 3)).toBeGreaterThan(bytes(100, 3));
  expect(bytes(100, 3)).toBeGreaterThan(bytes(100, 50));
});

test("sizeOfSite() of nothing is a site of its fixed pages", () => {
  const none = shapeOf({ tag: [], author: [], language: [] }, [], 0);
  const { pages } = sizeOfSite(none, { perPage: 3, authorsPerPage: 240, quotePages: 20_000 });
  expect(pages).toEqual({ tag: 0, author: 0, language: 0, initial: 0, quote: 0, fixed: 12 });
});
