/** The plan against a plain model: every quote once in each listing it belongs to, in the order of the design. */
import fc from "fast-check";
import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { FIXED_PATHS, type ListingKind } from "../../src/plan/paths.ts";
import { fold } from "../../src/util/fold.ts";
import type { PageReader } from "../../src/site/index.ts";
import { makeSite } from "../support/site/index.ts";
import { makeSnapshot, realQuotes } from "../support/snapshot/index.ts";

interface Draft {
  readonly id: number;
  readonly likes: number;
  readonly author: string | null;
  readonly tags: readonly string[];
  readonly language: string;
}

const quotesArb = fc.uniqueArray(
  fc.record({
    id: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constant(Number.MAX_SAFE_INTEGER)),
    likes: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: -3, max: 3 }) },
      { weight: 1, arbitrary: fc.constantFrom(Number.MAX_SAFE_INTEGER, -(2 ** 40), 2 ** 47) },
    ),
    author: fc.constantFrom(null, "Molière", "Moliere", "MOLIERE", "?", "!", "Unknown", "Толстой"),
    tags: fc.uniqueArray(fc.constantFrom("Love", "love", "LOVE", "wit", "c++", "?"), {
      maxLength: 5,
    }),
    language: fc.constantFrom("en", "he", "be", "xx", "con"),
  }),
  { selector: ({ id }) => id, maxLength: 40 },
);

/** Listings by the definition: names that fold together are one, and one without letters is its own. */
function expected(quotes: readonly Draft[], namesOf: (quote: Draft) => readonly (string | null)[]) {
  const listings = new Map<string, number[]>();
  const sorted = [...quotes].sort((a, b) => b.likes - a.likes || a.id - b.id);
  for (const quote of sorted) {
    const keys = namesOf(quote).map((name) => (name === null ? "" : fold(name) || name));
    for (const key of new Set(keys)) listings.set(key, [...(listings.get(key) ?? []), quote.id]);
  }
  return [...listings.values()].map((ids) => ids.join()).sort();
}

function listed(site: PageReader, kind: ListingKind): string[] {
  const listings = new Map<string, number[]>();
  for (const { term: slug, number } of site.pagesOf(kind)) {
    const ids = site.listing(kind, slug, number).cards.map(({ quote }) => quote.id);
    listings.set(slug, [...(listings.get(slug) ?? []), ...ids]);
  }
  return [...listings.values()].map((ids) => ids.join()).sort();
}

function expectListings(quotes: readonly Draft[], perPage: number): void {
  const { stateDir } = makeSnapshot({ quotes });
  const site = makeSite([], { stateDir, perPage });
  expect(listed(site, "author")).toEqual(expected(quotes, ({ author }) => [author]));
  expect(listed(site, "tag")).toEqual(expected(quotes, ({ tags }) => tags));
  expect(listed(site, "language")).toEqual(expected(quotes, ({ language }) => [language]));
  expect(
    site
      .pagesOf("quote")
      .map(({ term }) => Number(term))
      .toSorted(),
  ).toEqual(quotes.map(({ id }) => id).toSorted());
  site.close();
  rmSync(stateDir, { recursive: true });
}

test("every quote occurs once in each of its listings, most liked first, ties by id", () => {
  fc.assert(fc.property(quotesArb, fc.integer({ min: 1, max: 7 }), expectListings), {
    numRuns: 40,
  });
});

test("every real quote occurs once in each of its listings", () => {
  const quotes = realQuotes()
    .filter((_, index) => index % 40 === 0)
    .map(({ author, tags, language }, index) => ({
      id: index + 1,
      likes: (index * 7_919) % 100,
      author: author === "" ? null : author,
      tags,
      language,
    }));
  expectListings(quotes, 50);
});

test("an empty collection has its fixed pages and nothing else", () => {
  const site = makeSite([]);
  expect(site.home()).toMatchObject({ top: [], tags: [], authors: [], languages: [] });
  expect(Array.from(site.pages(), ({ path }) => path)).toEqual(Object.values(FIXED_PATHS));
});
