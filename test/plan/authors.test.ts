/** What a site says of authors: where it is shown, and that one page alone is rendered again for it. */
import { expect, test } from "vitest";
import type { AuthorFacts } from "../../src/contract/author-facts.ts";
import { listingThings } from "../../src/site/jsonld.ts";
import { cacheKeysOf, makeSite } from "../support/site/index.ts";

const FACTS: AuthorFacts = {
  bio: "American naturalist.",
  years: "1817–1862",
  wikidata: "Q131149",
  link: "https://thoreau.example/",
  portrait: "/authors/thoreau.jpg",
};
const QUOTES = Array.from({ length: 5 }, (_, n) => ({
  ...{ id: n + 1, likes: 9 - n, author: n === 4 ? "Plato" : "Henry David Thoreau" },
}));

test("the first page of an author has the facts, by any spelling of the name", () => {
  using site = makeSite(QUOTES, { authors: new Map([["henry david THOREAU", FACTS]]) });
  const slug = "henry-david-thoreau";
  expect(site.listing("author", slug, 1).facts).toEqual(FACTS);
  expect(site.listing("author", slug, 2).facts).toBeNull();
  expect(site.listing("author", "plato", 1).facts).toBeNull();
  const [, person] = listingThings(site.listing("author", slug, 1), "Henry David Thoreau", "/x/");
  expect(person).toMatchObject({
    description: "American naturalist.",
    sameAs: ["https://www.wikidata.org/entity/Q131149", "https://thoreau.example/"],
  });
});

test("a changed fact gives another key to the first page of its author alone", () => {
  const keysWith = (bio: string | null) => {
    const authors =
      bio === null ? new Map() : new Map([["Henry David Thoreau", { ...FACTS, bio }]]);
    using site = makeSite(QUOTES, { authors });
    return cacheKeysOf(site);
  };
  const [none, one, other] = [null, "One.", "Other."].map(keysWith);
  for (const [a, b] of [
    [none, one],
    [one, other],
  ] as const) {
    const changed = Object.keys(a ?? {}).filter((path) => a?.[path] !== b?.[path]);
    expect(changed).toEqual(["/author/henry-david-thoreau/"]);
  }
});

test("facts of an author without quotes are named, and the largest authors without facts are found", () => {
  using site = makeSite(QUOTES, {
    authors: new Map([
      ["Nobody", FACTS],
      ["Plato", FACTS],
    ]),
  });
  expect(site.corrected().remarks).toEqual(['facts of "Nobody": no quote has this author']);
  expect(site.authorsWithFacts(9).map(({ name, facts }) => [name, facts === null])).toEqual([
    ["Henry David Thoreau", true],
    ["Plato", false],
  ]);
});
