/** Copies: quotes of one author and language whose texts fold alike are one card. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { NO_CORRECTIONS } from "../../src/contract/corrections.ts";
import type { PageReader } from "../../src/site/index.ts";
import { cacheKeysOf, makeSite } from "../support/site/index.ts";
import { makeSnapshot, type QuoteDraft } from "../support/snapshot/index.ts";

const TEXT = "The unexamined life is not worth living.";
const QUOTES: QuoteDraft[] = [
  { id: 1, text: TEXT, author: "Plato", likes: 3, tags: ["life"] },
  { id: 2, text: "“the unexamined life — is not worth living”", author: "PLATO", likes: 9 },
  { id: 3, text: TEXT.toUpperCase(), author: "plato", likes: 9, tags: ["thought"] },
  { id: 4, text: TEXT, author: "Socrates", likes: 1 },
  { id: 5, text: TEXT, author: "Plato", likes: 1, language: "fr" },
  { id: 6, text: "The unexamined life is not worth having.", author: "Plato", likes: 2 },
  { id: 7, text: "!!!", author: "Plato", likes: 1 },
  { id: 8, text: "???", author: "Plato", likes: 1 },
];

const folded = (quotes = QUOTES, options: Parameters<typeof makeSite>[1] = {}, draft = {}) =>
  makeSite(quotes, { copies: "fold", ...options }, draft);

const idsIn = (site: PageReader, kind: "author" | "language" | "tag", slug: string): number[] => {
  const { pages } = site.listing(kind, slug, 1);
  return Array.from({ length: pages }, (_, at) => site.listing(kind, slug, at + 1).ids).flat();
};

test("the most liked of the copies, ties by pk, stands in listings with its own likes; other words, authors and languages stay", () => {
  using site = folded();
  expect(idsIn(site, "author", "plato")).toEqual([2, 6, 5, 7, 8]);
  expect(idsIn(site, "language", "en")).toEqual([2, 6, 4, 7, 8]);
  expect(site.card(2)).toMatchObject({ likes: 9, permalink: "/quote/2/" });
  expect(site.summary()).toMatchObject({ quotes: 6, copies: 2, authors: 2, tags: 0 });
  expect(site.top(9).map(({ id }) => id)).toEqual([2, 6, 4, 5, 7, 8]);
  // A tag that a copy alone has is no listing: it would be empty.
  expect(site.page("/tag/thought/")).toBeUndefined();
  expect(site.card(3)?.plainTags).toEqual(["thought"]);
  expect(site.authors().largest).toMatchObject([
    { name: "Plato", quotes: 5 },
    { name: "Socrates", quotes: 1 },
  ]);
});

test("a copy keeps its page, which names the page of the quote that is shown, and links to it and its place", () => {
  using site = folded();
  const paths = site.pagesOf("quote").map(({ path }) => path);
  expect(paths).toHaveLength(QUOTES.length);
  const card = site.card(1) ?? expect.fail();
  expect(card).toMatchObject({ likes: 3, permalink: "/quote/1/" });
  const more = site.moreFor(card);
  expect(more).toMatchObject({ original: "/quote/2/", place: "/author/plato/#q2" });
  expect(more.ofAuthor[0]?.id).toBe(2);
  expect(site.moreFor(site.card(2) ?? card).original).toBeNull();
  // The pages of other quotes lead to no copy.
  for (const id of [2, 4, 5, 6, 7, 8]) {
    const { ofAuthor, ofTags, previous, next } = site.moreFor(site.card(id) ?? card);
    const linked = [...ofAuthor, ...ofTags].map((one) => `/quote/${one.id}/`);
    for (const path of [...linked, previous, next])
      expect(["/quote/1/", "/quote/3/"]).not.toContain(path);
  }
});

test("copies beyond the quotes with pages of their own lead to the place of the quote that is shown", () => {
  using site = folded(QUOTES, { quotePages: 1 });
  expect(site.pagesOf("quote").map(({ path }) => path)).toEqual(["/quote/2/"]);
  expect(site.card(1)?.permalink).toBe("/quote/2/");
  using none = folded(QUOTES, { quotePages: 0 });
  expect(none.card(1)?.permalink).toBe("/author/plato/#q2");
});

test("new quotes, days, curated quotes and pages to embed have the quote that is shown", () => {
  const firstSeen = { 1: "2026-11-20T02:03:00.000Z", 6: "2026-11-20T02:03:00.000Z" };
  using site = folded(QUOTES, { embeds: 3 }, { firstSeen, curated: [1, 6] });
  expect(site.newQuotes().flatMap(({ cards }) => cards.map(({ id }) => id))).toEqual([6]);
  expect([...(site.curatedIds() ?? [])]).toEqual([2, 6]);
  // Other sites show the pages of copies, which therefore stay.
  expect(Array.from(site.embedPages(), ({ term }) => term)).toEqual(["today", "1", "2", "3"]);
  expect([...site.copyPairs()]).toEqual([
    [1, 2],
    [3, 2],
  ]);
});

test("a day on which a copy was shown shows the quote in its place", () => {
  const alone = makeSnapshot({ quotes: QUOTES.slice(0, 1) });
  using before = folded(undefined, { stateDir: alone.stateDir });
  before.storeToday();
  makeSnapshot({ quotes: QUOTES, stateDir: alone.stateDir });
  using after = folded(undefined, { stateDir: alone.stateDir, date: "2026-11-22" });
  const { cards, isMissing } = after.dayPage("2026-11-21");
  expect([cards.map(({ id }) => id), isMissing]).toEqual([[2], false]);
});

test("the owner may take quotes for copies that differ in a word, and choose which is shown", () => {
  const copies = new Map([
    [6, [1]],
    [8, [7, 4, 99]],
  ]);
  using site = folded(QUOTES, { corrections: { ...NO_CORRECTIONS, copies } });
  expect(idsIn(site, "author", "plato")).toEqual([6, 5, 8]);
  expect(site.originalOf(3)).toBe(6);
  expect(site.corrected().remarks).toEqual([
    "copy 4 of quote 8: it has another author or language",
    "copy 99 of quote 8: the site shows no quote 99",
  ]);
});

test("a hidden quote is no original, and choices that form a loop are one group", () => {
  const hidden = { pks: [2], authors: [], tags: [] };
  using site = folded(QUOTES, { hidden });
  expect(site.originalOf(1)).toBe(3);
  expect(site.corrected().hidden).toBe(1);
  const copies = new Map([
    [1, [6]],
    [6, [7]],
    [7, [1]],
  ]);
  using loop = folded(QUOTES, { corrections: { ...NO_CORRECTIONS, copies } });
  expect(idsIn(loop, "author", "plato")).toEqual([1, 5, 8]);
});

test("with copies: show, and without any copy, nothing differs", () => {
  using shown = makeSite(QUOTES, { copies: "show" });
  using standard = makeSite(QUOTES);
  expect(cacheKeysOf(shown)).toEqual(cacheKeysOf(standard));
  expect(idsIn(shown, "author", "plato")).toHaveLength(7);
  expect(shown.summary()).toMatchObject({ quotes: 8, copies: 0 });
  const different = QUOTES.map((quote) => ({ ...quote, text: `Sentence ${quote.id}` }));
  using one = makeSite(different, { copies: "show" });
  using other = makeSite(different, { copies: "fold" });
  expect(cacheKeysOf(other)).toEqual(cacheKeysOf(one));
});

test("every quote is in the listings of its names or is a copy of one that is, whatever the collection", () => {
  const draft = fc.record({
    text: fc.constantFrom("One.", "one", "“ONE”", "Two!", "two", "!", "?", "Ünö", "uno"),
    author: fc.constantFrom("Plato", "PLATO", "Socrates", null),
    language: fc.constantFrom("en", "EN", "fr", "und"),
    likes: fc.integer({ min: -2, max: 2 }),
    tags: fc.uniqueArray(fc.constantFrom("a", "A", "b")),
  });
  fc.assert(
    fc.property(
      fc.array(draft, { minLength: 1, maxLength: 12 }),
      fc.nat(4),
      (drafts, quotePages) => {
        using site = folded(
          drafts.map((quote, at) => ({ ...quote, id: at + 1 })),
          { quotePages },
        );
        const copies = new Map(site.copyPairs());
        const listed = site.languages().flatMap(({ slug }) => idsIn(site, "language", slug));
        expect(listed.toSorted((a, b) => a - b)).toEqual(
          drafts.map((_, at) => at + 1).filter((id) => !copies.has(id)),
        );
        for (const [id, original] of copies) {
          expect(copies.has(original)).toBe(false);
          const [copy, shown] = [drafts[id - 1], drafts[original - 1]];
          expect(copy?.language.toLowerCase()).toBe(shown?.language.toLowerCase());
          expect(shown?.likes).toBeGreaterThanOrEqual(copy?.likes ?? 0);
        }
        for (const kind of ["author", "tag", "language"] as const)
          for (const { slug, quotes } of site.largest(kind))
            expect(idsIn(site, kind, slug)).toHaveLength(quotes);
      },
    ),
    { numRuns: 60 },
  );
});
