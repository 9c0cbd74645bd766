/** A cache key changes with what a reader would see change, and with nothing else. */
import { expect, test } from "vitest";
import { shownLikes } from "../../src/plan/card.ts";
import { cacheKeysOf, makeSite, standIns } from "../support/site/index.ts";
import type { QuoteDraft } from "../support/snapshot/index.ts";

const QUOTES: readonly QuoteDraft[] = [
  { id: 1, likes: 5_000, author: "Ada", tags: ["love"], language: "en" },
  { id: 2, likes: 4_000, author: "Ada", tags: ["love", "wit"], language: "en" },
  { id: 3, likes: 3_000, author: "Bo", tags: ["wit"], language: "fr" },
  { id: 4, likes: 2_000, author: "Bo", tags: ["wit"], language: "fr", image: "http://x/4" },
  { id: 5, likes: 1_000, author: null, tags: [], language: "fr" },
];

const LISTING = /^\/(?:tag|author|language|authors\/.|quote)\//;

function changedPages(
  quotes: readonly QuoteDraft[],
  options: Parameters<typeof makeSite>[1] = {},
): string[] {
  const before = cacheKeysOf(makeSite(QUOTES, { perPage: 2 }));
  const after = cacheKeysOf(makeSite(quotes, { perPage: 2, ...options }));
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((path) => LISTING.test(path) && before[path] !== after[path])
    .sort();
}

const edit = (id: number, change: Partial<QuoteDraft>): QuoteDraft[] =>
  QUOTES.map((quote) => (quote.id === id ? { ...quote, ...change } : quote));

test.each<[string, QuoteDraft[], string[]]>([
  ["nothing when nothing changed", [...QUOTES], []],
  ["nothing when a vote shows no difference", edit(3, { likes: 3_004 }), []],
  [
    "the pages of a quote when its likes show one",
    edit(3, { likes: 3_100 }),
    ["/author/bo/", "/language/fr/", "/quote/3/", "/tag/wit/"],
  ],
  [
    "the pages of a quote, and those that offer it, when its words change",
    edit(1, { text: "Other words." }),
    [
      ...["/author/ada/", "/language/en/", "/quote/1/", "/quote/2/", "/quote/3/", "/quote/4/"],
      ...["/quote/5/", "/tag/love/"],
    ],
  ],
  [
    "the pages of a quote when its place among others changes, though what it shows does not",
    edit(4, { likes: 3_001 }).map((quote) => (quote.id === 3 ? { ...quote, likes: 3_000 } : quote)),
    ["/author/bo/", "/language/fr/", "/quote/4/", "/tag/wit/", "/tag/wit/2/"],
  ],
  [
    "every page of a listing that has a page more",
    [...QUOTES, { id: 6, likes: 1, author: "Bo", tags: [], language: "en" }],
    [
      ...["/author/bo/", "/author/bo/2/", "/authors/b/", "/language/en/", "/language/en/2/"],
      ...["/quote/1/", "/quote/2/", "/quote/3/", "/quote/4/", "/quote/5/", "/quote/6/"],
    ],
  ],
  [
    "all that names an author whose spelling changed",
    QUOTES.map((quote) => (quote.author === "Bo" ? { ...quote, author: "BO" } : quote)),
    [
      ...["/author/bo/", "/authors/b/", "/language/fr/", "/quote/1/", "/quote/3/", "/quote/4/"],
      ...["/quote/5/", "/tag/wit/", "/tag/wit/2/"],
    ],
  ],
])("pages() gives another cache key for %s", (_, quotes, paths) => {
  expect(changedPages(quotes)).toEqual(paths);
});

test("pages() gives another cache key for each page of a listing whose total changed", () => {
  const six = [6, 5, 4, 3, 2, 1].map((likes, id): QuoteDraft => ({
    id: id + 1,
    author: "Ada",
    likes,
  }));
  const keys = (quotes: QuoteDraft[]) => cacheKeysOf(makeSite(quotes, { perPage: 2 }));
  const [before, after] = [keys(six), keys([...six, { id: 7, author: "Ada" }])];
  for (const path of ["/author/ada/", "/author/ada/2/"]) expect(after[path]).not.toBe(before[path]);
});

test("pages() gives another cache key for a listing that offers an author in the place of a tag of that name", () => {
  const withSecond = (change: Partial<QuoteDraft>) =>
    Array.from({ length: 4 }, (_, id): QuoteDraft => {
      const isSecond = id > 1;
      return { id: id + 1, likes: 9 - id, tags: ["all"], ...(isSecond ? change : {}) };
    });
  const [tag, author] = [{ tags: ["all", "Hope"] }, { author: "Hope" }].map((change) =>
    cacheKeysOf(makeSite(withSecond(change), { perPage: 2 })),
  );
  expect(tag?.["/tag/all/"]).not.toBe(author?.["/tag/all/"]);
});

test("pages() gives another cache key for a quote whose picture changed", () => {
  expect(changedPages(QUOTES, { pictures: standIns(1) })).toEqual([
    "/author/bo/",
    "/language/fr/",
    "/quote/4/",
    "/tag/wit/2/",
  ]);
});

test("pages() gives another cache key of the day's page on another day", () => {
  const [first, second] = ["2026-11-21", "2026-11-22"].map((date) =>
    cacheKeysOf(makeSite(QUOTES, { date })),
  );
  expect(first?.["/today/"]).not.toBe(second?.["/today/"]);
});

test("shownLikes() is exact below 100, and cut to two figures above", () => {
  const likes = [0, 99, 100, 109, 110, 999, 1_000, 1_234, 9_999_999, -7, -1_234];
  const shown = [0, 99, 100, 100, 110, 990, 1_000, 1_200, 9_900_000, -7, -1_200];
  expect(likes.map(shownLikes)).toEqual(shown);
});
