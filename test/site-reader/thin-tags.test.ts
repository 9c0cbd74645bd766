/** Tags below the threshold: no listing, no link, and still on the card. */
import { expect, test } from "vitest";
import { cacheKeysOf, makeSite } from "../support/site/index.ts";

const quotes = (rare: readonly string[]) => [
  { id: 1, author: "Ada", likes: 9, tags: ["love", ...rare] },
  { id: 2, author: "Ada", likes: 8, tags: ["Love", "wit"] },
  { id: 3, author: "Bo", likes: 7, tags: ["love", "LOVE", "wit"] },
  { id: 4, author: "Bo", likes: 6 },
];
const site = (rare: readonly string[], minTagQuotes: number) =>
  makeSite(quotes(rare), { minTagQuotes });
const shown = (rare: readonly string[], minTagQuotes: number, id: number) => {
  const card = site(rare, minTagQuotes).card(id);
  return [card?.tags.map(({ slug }) => slug), card?.plainTags];
};

test("a threshold of 1 leaves no tag out", () => {
  expect(site(["rare"], 1).tags()).toHaveLength(3);
  expect(shown(["rare"], 1, 1)).toEqual([["love", "rare"], []]);
});

test("a tag below the threshold has no listing and is plain text on its cards", () => {
  const thin = site(["rare", "Rarer <b>"], 2);
  expect(thin.tags().map(({ name }) => name)).toEqual(["love", "wit"]);
  expect([...thin.pages()].filter(({ path }) => path.includes("rare"))).toEqual([]);
  expect(shown(["rare", "Rarer <b>"], 2, 1)).toEqual([["love"], ["rare", "Rarer <b>"]]);
  expect(shown(["rare"], 2, 3)).toEqual([["love", "wit"], []]);
});

test("listings stay whole: members, order and the cards of other quotes", () => {
  const ids = (minTagQuotes: number) => site(["rare"], minTagQuotes).listing("tag", "love", 1).ids;
  expect(ids(3)).toEqual(ids(1));
  expect(ids(3)).toEqual([1, 2, 3]);
  expect(site(["rare"], 3).card(2)?.cacheKey).not.toBe(site(["rare"], 2).card(2)?.cacheKey);
  expect(site(["rare"], 2).card(2)?.cacheKey).toBe(site(["rare"], 1).card(2)?.cacheKey);
});

test("a card whose plain tags change is another card", () => {
  const before = cacheKeysOf(site(["rare"], 2));
  const after = cacheKeysOf(site(["seldom"], 2));
  expect(after["/quote/1/"]).not.toBe(before["/quote/1/"]);
  expect(after["/author/bo/"]).toBe(before["/author/bo/"]);
});
