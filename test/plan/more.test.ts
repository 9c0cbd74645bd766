/** What a quote's own page offers to go on with: three others, the same ones however votes fall. */
import { expect, test } from "vitest";
import { corpus } from "../../scripts/bench/corpus/corpus.ts";
import { cacheKeysOf, makeSite } from "../support/site/index.ts";
import type { QuoteDraft } from "../support/snapshot/index.ts";

/** Longer than what a link shows of a quote. */
const LONG = "All human beings are born free and equal in dignity and rights. ".repeat(3);

/** Seven of Ada on "wit", and others who share it: "rare" is on fewer quotes, so it comes first. */
const QUOTES: readonly QuoteDraft[] = [
  ...Array.from({ length: 7 }, (_, index) => ({
    id: index + 1,
    author: "Ada",
    likes: 70 - index,
    tags: ["wit"],
  })),
  { id: 10, author: "Bo", tags: ["wit", "rare"], likes: 9 },
  { id: 11, author: "Cy", tags: [], likes: 8 },
  { id: 12, author: null, tags: [], likes: 7 },
  { id: 13, author: null, tags: ["wit"], likes: 6 },
  { id: 14, author: "Di", tags: ["rare", "wit"], likes: 5 },
  { id: 15, author: "Ed", tags: ["wit"], likes: 4, language: "fr" },
  { id: 16, author: "Fay", tags: ["alone"], likes: 4, language: "" },
  { id: 17, author: "Guy", tags: [], likes: 3, language: "fr", text: LONG },
];

const siteOf = (quotes = QUOTES, quotePages = 20) => makeSite(quotes, { perPage: 6, quotePages });

function offersOf(id: number, site = siteOf()) {
  const card = site.card(id);
  if (card === undefined) throw new RangeError(`no quote ${id}`);
  const { ofAuthor, ofTags, others, place, previous, next } = site.moreFor(card);
  const ids = (cards: typeof ofAuthor): number[] => cards.map(({ quote }) => quote.id);
  const idOf = (path: string | null) => (path === null ? null : Number(path.split("/")[2]));
  return [ids(ofAuthor), ids(ofTags), ids(others), place, [idOf(previous), idOf(next)]];
}

test.each([
  ["the next two of its author, and another", 2, [3, 4], [10], [], "/author/ada/#q2", [1, 3]],
  ["the first of its author behind the last", 6, [7, 1], [10], [], "/author/ada/#q6", [5, 7]],
  ["its place on a later page", 7, [1, 2], [10], [], "/author/ada/2/#q7", [6, null]],
  ["the rarest tag first, none twice", 10, [], [14, 13, 1], [], "/author/bo/#q10", [7, 11]],
  ["the others without author", 12, [13], [], [14, 1], "/author/unknown/#q12", [null, 13]],
  [
    "those on its tag beside a single one",
    13,
    [12],
    [14, 1],
    [],
    "/author/unknown/#q13",
    [12, null],
  ],
  [
    "other languages where its own has too few",
    15,
    [],
    [],
    [17, 16, 11],
    "/author/ed/#q15",
    [null, 17],
  ],
  ["its language where it has no tag", 11, [], [], [12, 13, 14], "/author/cy/#q11", [10, 12]],
  ["the first by pk behind the last", 16, [], [], [17, 1, 2], "/author/fay/#q16", [null, null]],
])("moreFor() offers %s", (_, id, ...offers) => {
  expect(offersOf(id)).toEqual(offers);
});

test("moreFor() offers three of the author where no tag has another", () => {
  const site = siteOf(QUOTES.filter(({ author }) => author === "Ada"));
  expect(offersOf(2, site)).toEqual([[3, 4, 5], [], [], "/author/ada/#q2", [1, 3]]);
});

test("moreFor() steps past quotes without a page of their own", () => {
  const likes = (id: number) => (id === 3 ? 1 : 100);
  const quotes = QUOTES.map((quote) => ({ ...quote, likes: likes(quote.id) }));
  expect(offersOf(2, siteOf(quotes, QUOTES.length - 1))[4]).toEqual([1, 4]);
});

test("no quote's page is a dead end, and none offers a quote twice or itself", () => {
  const quotes = Array.from(corpus(400, 1), ({ pk, quote, ...rest }) => ({
    ...{ id: pk, text: quote },
    ...rest,
  }));
  const site = makeSite(quotes, { perPage: 50 });
  const few = quotes.filter(({ id }) => {
    const [ofAuthor, ofTags, others] = offersOf(id, site);
    const offers = new Set([ofAuthor, ofTags, others].flat());
    return offers.size !== 3 || offers.has(id);
  });
  expect(few).toEqual([]);
});

test("the neighbours are the author's, or else the language's", () => {
  const site = siteOf();
  const isOfAuthor = (id: number) => site.moreFor(site.card(id) ?? expect.fail()).isNextOfAuthor;
  expect([isOfAuthor(2), isOfAuthor(11), isOfAuthor(16)]).toEqual([true, false, true]);
});

function changedBy(change: (quote: QuoteDraft) => QuoteDraft | []): string[] {
  const [before, after] = [QUOTES, QUOTES.flatMap(change)].map((quotes) =>
    cacheKeysOf(siteOf(quotes)),
  );
  return Object.keys(after ?? {})
    .filter((path) => path.startsWith("/quote/") && before?.[path] !== after?.[path])
    .sort();
}

test.each([
  ["votes that keep its place: its own", 6, { likes: 99 }, ["6"]],
  [
    "votes that change an author's pages: those that say where they are",
    7,
    { likes: 99 },
    ["6", "7"],
  ],
  ["other words: those that offer it", 4, { text: "Other words." }, ["2", "3", "4"]],
  ["words that a link does not reach: its own", 17, { text: `${LONG} And more.` }, ["17"]],
])("a change of a quote changes few pages. %s", (_, id, edit, pages) => {
  const paths = pages.map((page) => `/quote/${page}/`);
  expect(changedBy((quote) => (quote.id === id ? { ...quote, ...edit } : quote))).toEqual(paths);
});

test("another author of an offered quote changes the pages that name that author", () => {
  const pages = changedBy((quote) => (quote.id === 14 ? { ...quote, author: "Dee" } : quote));
  expect(pages).toEqual(expect.arrayContaining(["/quote/10/", "/quote/12/"]));
  expect(pages).not.toContain("/quote/16/");
});

test("a quote that goes is replaced where it was offered, and nowhere else", () => {
  const pages = changedBy((quote) => (quote.id === 14 ? [] : quote));
  expect(pages).toEqual(expect.arrayContaining(["/quote/10/", "/quote/11/"]));
  expect(pages).not.toContain("/quote/15/");
  expect(pages).not.toContain("/quote/16/");
});

test("a page changes where the link of an offered quote leads elsewhere", () => {
  const [many, few] = [20, 4].map((quotePages) => cacheKeysOf(siteOf(QUOTES, quotePages)));
  expect(few?.["/quote/1/"]).not.toBe(many?.["/quote/1/"]);
});

test("a night that changes one quote in a hundred changes at most four of their own pages each", () => {
  const [before, after] = [0, 0.01].map((share) =>
    Array.from(corpus(2_500, 1, share), ({ pk, quote, ...rest }) => ({
      id: pk,
      text: quote,
      ...rest,
    })),
  );
  const known = new Map(before?.map((quote) => [quote.id, JSON.stringify(quote)]));
  const changed = after?.filter((quote) => known.get(quote.id) !== JSON.stringify(quote)) ?? [];
  const [first, next] = [before, after].map((quotes) =>
    cacheKeysOf(makeSite(quotes ?? [], { perPage: 50, quotePages: 2_500 })),
  );
  const pages = Object.keys(next ?? {}).filter(
    (path) => path.startsWith("/quote/") && first?.[path] !== next?.[path],
  );
  expect(changed.length).toBeGreaterThan(20);
  expect(pages.length).toBeLessThan(4 * changed.length);
});
