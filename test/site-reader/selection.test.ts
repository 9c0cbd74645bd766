/** Which quotes have a page of their own, which can be embedded, which are hidden, and which tags have no listing. */
import { expect, test } from "vitest";
import { cacheKeysOf, makeSite } from "../support/site/index.ts";

const LIKED = Array.from({ length: 12 }, (_, index) => ({
  id: index + 1,
  likes: [5, 9, 9, 1, 7, 0, 3, 3, 2, 8, 4, 6][index] ?? 0,
  author: "One Author",
}));

const linksOf = (quotePages: number) => {
  const site = makeSite(LIKED, { quotePages, perPage: 5 });
  return {
    site,
    pages: site.pagesOf("quote").map(({ term }) => Number(term)),
    links: LIKED.map(({ id }) => site.card(id)?.permalink),
  };
};

test.each([
  [12, LIKED.map(({ id }) => id)],
  [3, [2, 3, 10]],
  [2, [2, 3]],
  [0, []],
])("of 12 quotes the %i most liked have a page of their own, ties by pk", (quotePages, ids) => {
  expect(linksOf(quotePages).pages.toSorted((a, b) => a - b)).toEqual(ids);
});

test("the others link to their place in their author's listing", () => {
  const { site, links } = linksOf(2);
  for (const { id } of LIKED.filter(({ id }) => id !== 2 && id !== 3)) {
    const [, page = "1"] =
      /^\/author\/one-author\/(?:(\d+)\/)?#q\d+$/.exec(links[id - 1] ?? "") ?? [];
    expect(site.listing("author", "one-author", Number(page)).ids).toContain(id);
    expect(links[id - 1]).toMatch(new RegExp(`#q${id}$`));
  }
});

test("a card is another when its link is, and the same when its page did not shift", () => {
  const keyOf = (site: ReturnType<typeof makeSite>, id: number) => site.card(id)?.cacheKey;
  const before = linksOf(2).site;
  const after = makeSite([...LIKED, { id: 99, likes: 8, author: "One Author" }], {
    quotePages: 2,
    perPage: 5,
  });
  const moved = LIKED.filter(
    ({ id }) => before.card(id)?.permalink !== after.card(id)?.permalink,
  ).map(({ id }) => id);
  expect(moved.length).toBeGreaterThan(0);
  expect(LIKED.map(({ id }) => id).filter((id) => keyOf(before, id) !== keyOf(after, id))).toEqual(
    moved,
  );
});

const NAMED = [
  { id: 1, likes: 9, author: "Molière", tags: ["love"], language: "fr" },
  { id: 2, likes: 8, author: "Ada", tags: ["Life"], language: "en" },
  { id: 3, likes: 7, author: "Ada", tags: ["work"], language: "en" },
  { id: 4, likes: 6, author: null, tags: [], language: "en" },
];

const idsWith = (hidden: { pks?: number[]; authors?: string[]; tags?: string[] }): number[] =>
  makeSite(NAMED, { hidden: { pks: [], authors: [], tags: [], ...hidden } })
    .top(10)
    .map(({ quote }) => quote.id);

test.each([
  ["nothing", {}, [1, 2, 3, 4]],
  ["a quote by its pk", { pks: [3, 99] }, [1, 2, 4]],
  ["an author under any spelling", { authors: ["MOLIERE"] }, [2, 3, 4]],
  ["a tag under any spelling", { tags: ["life"] }, [1, 3, 4]],
  ["all of them", { pks: [4], authors: ["ada"], tags: ["Love"] }, []],
])("openSiteWith() hides %s", (_, hidden, expected) => {
  expect(idsWith(hidden)).toEqual(expected);
});

test("openSiteWith() plans no page and no term of what is hidden", () => {
  const site = makeSite(NAMED, { hidden: { pks: [], authors: ["Molière"], tags: [] } });
  const paths = Array.from(site.pages(), ({ path }) => path);
  expect(paths).not.toContain("/author/moliere/");
  expect(paths).not.toContain("/language/fr/");
  expect(paths).not.toContain("/quote/1/");
  expect(paths).toContain("/author/ada/");
  expect(site.summary().quotes).toBe(3);
  expect(site.card(1)).toBeUndefined();
});

const NINE = Array.from({ length: 9 }, (_, index) => ({ id: index + 1, likes: index * 10 }));

const termsWith = (options: Parameters<typeof makeSite>[1]) =>
  Array.from(makeSite(NINE, options).embedPages(), ({ term }) => term);

test("embedPages() has the most liked quotes with a page of their own, and today's", () => {
  expect(termsWith({ embeds: 3 })).toEqual(["today", "7", "8", "9"]);
  expect(termsWith({ embeds: 99 })).toHaveLength(10);
  expect(termsWith({ embeds: 99, quotePages: 2 })).toEqual(["today", "8", "9"]);
  expect(termsWith({ embeds: 0 })).toEqual([]);
  expect(termsWith({ embeds: 3, hidden: { pks: [9], authors: [], tags: [] } })).not.toContain("9");
});

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

test.each([
  [undefined, null],
  [[], null],
  [[99], null],
  [[2, 99], [2]],
])(
  "of the curated quotes %j the search offers %j: none where the site shows none",
  (ids, shown) => {
    using site = makeSite([{ id: 1 }, { id: 2 }], {}, ids === undefined ? {} : { curated: ids });
    const curated = site.curatedIds();
    expect(curated && [...curated]).toEqual(shown);
  },
);
