/** What a quote's own page offers to go on with: others of its author or tag, and the same ones however votes fall. */
import { expect, test } from "vitest";
import { cacheKeysOf, makeSite } from "../support/make-site.ts";
import type { QuoteDraft } from "../support/make-snapshot.ts";

const QUOTES: readonly QuoteDraft[] = [
  ...Array.from({ length: 7 }, (_, index) => ({
    id: index + 1,
    author: "Ada",
    likes: 70 - index,
    tags: ["wit"],
  })),
  { id: 10, author: "Bo", tags: ["wit"], likes: 9 },
  { id: 11, author: "Cy", tags: [], likes: 8 },
  { id: 12, author: null, tags: [], likes: 7 },
  { id: 13, author: null, tags: [], likes: 6 },
];

const siteOf = (quotes = QUOTES, quotePages = 20) => makeSite(quotes, { perPage: 6, quotePages });

function offersOf(site: ReturnType<typeof siteOf>, id: number) {
  const card = site.card(id);
  const more = card === undefined ? null : site.moreFor(card);
  return more === null
    ? null
    : { name: more.name, path: more.path, ids: more.cards.map(({ quote }) => quote.id) };
}

test.each([
  ["the next four of its author", 2, "Ada", "/author/ada/#q2", [3, 4, 5, 6]],
  ["the first of its author behind the last", 5, "Ada", "/author/ada/#q5", [6, 1, 2, 3]],
  ["the author's most liked to one of a later page", 7, "Ada", "/author/ada/2/#q7", [1, 2, 3, 4]],
  ["those of its tag where the author has no other", 10, "wit", "/tag/wit/", [1, 2, 3, 4]],
  ["the others without author", 12, null, "/author/unknown/#q12", [13]],
] as const)("moreFor() offers %s", (_, id, name, path, ids) => {
  expect(offersOf(siteOf(), id)).toEqual({ name, path, ids });
});

test("moreFor() offers nothing to a quote that shares neither author nor tag", () => {
  expect(offersOf(siteOf(), 11)).toBeNull();
});

function changedBy(change: (quote: QuoteDraft) => QuoteDraft | []): string[] {
  const [before, after] = [QUOTES, QUOTES.flatMap(change)].map((quotes) =>
    cacheKeysOf(siteOf(quotes)),
  );
  return Object.keys(after ?? {})
    .filter((path) => path.startsWith("/quote/") && before?.[path] !== after?.[path])
    .sort();
}

test("votes change no other quote's page while the author's first page keeps its quotes", () => {
  expect(changedBy((quote) => (quote.id === 6 ? { ...quote, likes: 99 } : quote))).toEqual([
    "/quote/6/",
  ]);
});

test("a quote that moves to another page of its author changes its own page, and those that offer it", () => {
  const pages = changedBy((quote) => (quote.id === 7 ? { ...quote, likes: 99 } : quote));
  expect(pages).toContain("/quote/6/");
  expect(pages).toContain("/quote/7/");
  expect(pages).toContain("/quote/5/");
  expect(pages).not.toContain("/quote/1/");
});

test.each([
  ["words", { text: "Other words." }, ["/quote/10/", "/quote/4/"]],
  ["language", { language: "fr" }, ["/quote/10/", "/quote/4/"]],
])("other %s of a quote change the pages that offer it", (_, edit, expected) => {
  const pages = changedBy((quote) => (quote.id === 4 ? { ...quote, ...edit } : quote));
  expect(pages).toEqual(expect.arrayContaining(expected));
  expect(pages).not.toContain("/quote/12/");
});

test("a page changes where the link of an offered quote leads elsewhere", () => {
  const [many, few] = [20, 4].map((quotePages) => cacheKeysOf(siteOf(QUOTES, quotePages)));
  expect(few?.["/quote/1/"]).not.toBe(many?.["/quote/1/"]);
});
