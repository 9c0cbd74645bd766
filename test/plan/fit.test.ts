import fc from "fast-check";
import { expect, test } from "vitest";
import { NO_LIMITS as NONE } from "../../src/contract/host.ts";
import {
  describeExcess,
  excesses,
  fitToHost,
  sureExcesses,
  surelyFits,
} from "../../src/plan/estimate/limits.ts";
import {
  sizeOfSite,
  typicalShape,
  type SiteSize,
  type SizeSettings,
} from "../../src/plan/estimate/size.ts";

const ASKED: SizeSettings = {
  perPage: 50,
  quotePages: 20_000,
  embeds: 0,
  cards: 500,
  minTagQuotes: 1,
};
/** The least that settings can make of a collection. */
const SMALLEST: SizeSettings = {
  perPage: 500,
  quotePages: 0,
  embeds: 0,
  cards: 0,
  minTagQuotes: 1_000_000,
};
const TRAITS = { days: 1, votes: false };
const SITE = { files: 1_000, folders: 900, bytes: 5_000_000, largestFile: 90_000, mostFiles: 300 };

function sizeOf(quotes: number): (settings: SizeSettings) => SiteSize {
  const shape = typicalShape(quotes);
  return (settings) => sizeOfSite(shape, settings, TRAITS);
}

test.each([
  ["files", 999, "1,000 files, where 999 are allowed"],
  ["entries", 1_899, "1,900 files and folders, where 1,899 are allowed"],
  ["bytes", 4_900_000, "5 MB, where 4.9 MB are allowed"],
  ["fileBytes", 89_999, "a file of 0.1 MB, where 0.1 MB are allowed"],
  ["folderFiles", 299, "a folder of 300 files, where 299 are allowed"],
] as const)("excesses() finds a site over its %s, and says so", (limit, most, said) => {
  const over = excesses(SITE, { ...NONE, [limit]: most });
  expect(over.map(describeExcess)).toEqual([expect.stringContaining(said)]);
  expect(excesses(SITE, { ...NONE, [limit]: most * 2 })).toEqual([]);
});

test("an estimate a little over a limit refuses nothing, and a little under it fits nothing for certain", () => {
  expect(sureExcesses(SITE, { ...NONE, files: 990 })).toEqual([]);
  expect(sureExcesses(SITE, { ...NONE, files: 900 })).toEqual([
    { limit: "files", most: 900, is: 1_000 },
  ]);
  expect(surelyFits(SITE, { ...NONE, files: 1_010 })).toBe(false);
  expect(surelyFits(SITE, { ...NONE, files: 1_020 })).toBe(true);
});

test.each([
  ["enough files: nothing", 1_000, 20_000, []],
  ["a few files: fewer cards", 11_000, 16_400, ["cards"]],
  ["some thousand files: fewer quotes with a page", 30_000, 20_000, ["cards", "quotePages"]],
  ["all but the listings: neither", 30_000, 11_200, ["cards", "quotePages"]],
  ["more: larger pages", 30_000, 9_500, ["cards", "quotePages", "perPage"]],
])("fitToHost() gives up no more than it must for %s", (_, quotes, files, changed) => {
  const settings = fitToHost(ASKED, { ...NONE, files }, sizeOf(quotes));
  const names = Object.keys(ASKED) as (keyof SizeSettings)[];
  const given = names.filter((name) => settings?.[name] !== ASKED[name]);
  expect(given.toSorted()).toEqual(changed.toSorted());
});

test("fitToHost() gives up pages to embed and Open Graph images before pages of quotes", () => {
  const asked = { ...ASKED, embeds: 1_000, quotePages: 900 };
  const size = sizeOf(1_000);
  const without = size({ ...asked, embeds: 0, cards: 0 }).files;
  const files = Math.ceil(without * 1.02) - 100;
  const fitted = fitToHost(asked, { ...NONE, files }, size);
  expect(fitted).toMatchObject({ embeds: 0, cards: 0, perPage: ASKED.perPage });
  expect(fitted?.quotePages).toBeGreaterThan(700);
});

test("fitToHost() thins tags last, and says null where nothing helps", () => {
  const many = typicalShape(5_000);
  const shape = { ...many, terms: { ...many.terms, tag: new Array<number>(9_000).fill(1) } };
  const size = (settings: SizeSettings): SiteSize => sizeOfSite(shape, settings, TRAITS);
  expect(fitToHost(ASKED, { ...NONE, files: 6_000 }, size)).toMatchObject({ minTagQuotes: 2 });
  expect(fitToHost(ASKED, { ...NONE, files: 100 }, size)).toBeNull();
});

test("fitToHost() always fits, and never asks for more than was asked", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 60_000 }),
      fc.integer({ min: 200, max: 60_000 }),
      fc.option(fc.integer({ min: 5_000_000, max: 600_000_000 })),
      (quotes, files, bytes) => {
        const limits = { ...NONE, files, bytes };
        const settings = fitToHost(ASKED, limits, sizeOf(quotes));
        if (settings === null) {
          expect(surelyFits(sizeOf(quotes)(SMALLEST), limits)).toBe(false);
          return;
        }
        expect(surelyFits(sizeOf(quotes)(settings), limits)).toBe(true);
        expect(settings.cards).toBeLessThanOrEqual(ASKED.cards);
        expect(settings.quotePages).toBeLessThanOrEqual(ASKED.quotePages);
        expect(settings.perPage).toBeGreaterThanOrEqual(ASKED.perPage);
      },
    ),
    { numRuns: 25 },
  );
});
