/** Which quotes have a page of their own, and where the links of the others lead. */
import { expect, test } from "vitest";
import { makeSite } from "../support/site/index.ts";

const QUOTES = Array.from({ length: 12 }, (_, index) => ({
  id: index + 1,
  likes: [5, 9, 9, 1, 7, 0, 3, 3, 2, 8, 4, 6][index] ?? 0,
  author: "One Author",
}));

const linksOf = (quotePages: number) => {
  const site = makeSite(QUOTES, { quotePages, perPage: 5 });
  return {
    site,
    pages: site.pagesOf("quote").map(({ term }) => Number(term)),
    links: QUOTES.map(({ id }) => site.card(id)?.permalink),
  };
};

test("every quote has a page while there are no more than the setting allows", () => {
  expect(linksOf(12).pages).toHaveLength(12);
  expect(linksOf(12).links[3]).toBe("/quote/4/");
});

test("above it the most liked have one, ties by pk", () => {
  expect(linksOf(3).pages).toEqual([2, 3, 10]);
  expect(linksOf(2).pages).toEqual([2, 3]);
  expect(linksOf(1).pages).toEqual([2]);
  expect(linksOf(0).pages).toEqual([]);
});

test("the others link to their place in their author's listing", () => {
  const { site, links } = linksOf(2);
  for (const { id } of QUOTES.filter(({ id }) => id !== 2 && id !== 3)) {
    const [, page = "1"] =
      /^\/author\/one-author\/(?:(\d+)\/)?#q\d+$/.exec(links[id - 1] ?? "") ?? [];
    expect(site.listing("author", "one-author", Number(page)).ids).toContain(id);
    expect(links[id - 1]).toMatch(new RegExp(`#q${id}$`));
  }
});

test("a card is another when its link is, and the same when its page did not shift", () => {
  const keyOf = (site: ReturnType<typeof makeSite>, id: number) => site.card(id)?.cacheKey;
  const before = linksOf(2).site;
  const after = makeSite([...QUOTES, { id: 99, likes: 8, author: "One Author" }], {
    quotePages: 2,
    perPage: 5,
  });
  const moved = QUOTES.filter(
    ({ id }) => before.card(id)?.permalink !== after.card(id)?.permalink,
  ).map(({ id }) => id);
  expect(moved.length).toBeGreaterThan(0);
  expect(QUOTES.map(({ id }) => id).filter((id) => keyOf(before, id) !== keyOf(after, id))).toEqual(
    moved,
  );
});
