/** What pages are given. */
import { expect, test } from "vitest";
import { readSiteConfig } from "../../src/settings/site-config.ts";
import { ogRequests } from "../../src/site/index.ts";
import { makeSite, standIns } from "../support/site/index.ts";

const EVIL = "</script><img src=x onerror=alert(1)>";

const site = makeSite(
  [
    { id: 1, likes: 1_234, author: "Molière", tags: ["Love", "love", "wit"], language: "fr" },
    { id: 2, likes: 20, author: "Moliere", tags: ["love"], image: "https://x.example/2" },
    { id: 3, likes: 10, author: "Moliere", tags: ["love", EVIL], language: "be" },
    { id: 4, likes: 10, author: null, tags: [], language: "en" },
    { id: 5, likes: 10, author: EVIL, tags: ["../../etc/passwd"], language: "en" },
    { id: 6, likes: 0, author: "Толстой", tags: ["Self help"], language: "ru" },
  ],
  { perPage: 2, pictures: standIns(2) },
  { tagList: [{ name: "Self help", slug: "selfhelp" }] },
);

test("card() names author and tags as their listings do, and each tag once", () => {
  expect(site.card(1)).toMatchObject({
    likes: 1_200,
    author: { name: "Moliere", slug: "moliere" },
    tags: [
      { name: "love", slug: "love" },
      { name: "wit", slug: "wit" },
    ],
    language: { tag: "fr" },
    picture: null,
  });
  expect(site.card(2)?.picture).toEqual({ kind: "stand-in", width: 2, height: 2 });
  expect(site.card(3)?.language.tag).toBe("bn");
  expect(site.card(4)?.author).toEqual({ name: null, slug: "unknown" });
  expect(site.card(6)?.tags).toEqual([{ name: "Self help", slug: "selfhelp" }]);
  expect(site.card(7)).toBeUndefined();
});

test("ogRequests() has as many quotes, authors and tags as the site's file allows", () => {
  const names = Array.from({ length: 130 }, (_, id) => ({
    ...{ id: id + 1, author: `Author ${id}`, tags: [`tag ${id}`] },
  }));
  const keys = [...ogRequests(makeSite(names), readSiteConfig({ cards: 500 }))].map(({ key }) =>
    key.replace(/(?<=.\/).*/, ""),
  );
  expect(Object.groupBy(keys, (kind) => kind)).toMatchObject({
    "quote/": { length: 130 },
    "author/": { length: 125 },
    "tag/": { length: 125 },
  });
});

test("cardEntries() gives each card once, in parts, as card() gives it", () => {
  const large = makeSite(
    Array.from({ length: 200 }, (_, place) => ({ id: place * 3 + 1, tags: [`tag ${place % 9}`] })),
    { hidden: { pks: [4, 595], authors: [], tags: [] } },
  );
  const parts = [1, 2, 3].map((index) =>
    Array.from(
      large.cardEntries({ index, count: 3 }, () => false),
      ([, , props]) => props?.card,
    ),
  );
  const ids = parts.flat().map((card) => card?.quote.id ?? 0);

  for (const part of parts) expect(part.length).toBeGreaterThan(0);
  expect(ids).toHaveLength(198);
  expect(new Set(ids).size).toBe(198);
  expect(parts.flat()).toEqual(ids.map((id) => large.card(id)));
  const all = [
    ...large.cardEntries(
      { index: 1, count: 1 },
      (id, key) => id === 1 && key === large.card(1)?.cacheKey,
    ),
  ];
  expect(all.filter(([, , props]) => props === null)).toEqual([[1, large.card(1)?.cacheKey, null]]);
});

test("listing() gives cards that behave as those of card() do", () => {
  const lazy = () => site.listing("author", "moliere", 1).cards[0] ?? expect.fail("no card");
  const card = site.card(1) ?? expect.fail("no card");
  const { id, ...rest } = lazy();
  const { id: _, ...expected } = card;
  expect(id).toBe(1);
  expect(rest).toEqual(expected);
  expect({ ...lazy() }).toEqual(card);
  expect(JSON.stringify(lazy())).toBe(JSON.stringify(card));
  expect(Object.entries(lazy())).toEqual(Object.entries(card));
  for (const name of [...Object.keys(card), "served", "toString"]) {
    expect([name, name in lazy()]).toEqual([name, name in card]);
    expect(Object.getOwnPropertyDescriptor(lazy(), name)).toEqual(
      Object.getOwnPropertyDescriptor(card, name),
    );
  }
});

test("listing() gives a page with its place in the whole", () => {
  const { cards, ...page } = site.listing("author", "moliere", 2);
  const author = { kind: "author", name: "Moliere", slug: "moliere", language: null };
  expect(page).toEqual({
    ...author,
    facts: null,
    ids: [3],
    languages: ["be"],
    page: 2,
    pages: 2,
    total: 3,
  });
  expect(cards.map(({ quote }) => quote.id)).toEqual([3]);
  expect(site.listing("language", "be", 1).language?.tag).toBe("bn");
  expect(site.listing("author", "unknown", 1).name).toBeNull();
});

test.each([
  ["moliere", 3],
  ["moliere", 0],
  ["moliere", 1.5],
  ["nobody", 1],
  [EVIL, 1],
])("listing() of author %j, page %j, is a bug of the caller", (slug, page) => {
  expect(() => site.listing("author", slug, page)).toThrow(RangeError);
});

test("summary() counts what there is", () => {
  const read = { label: "complete:proved", dataAsOf: "2026-11-20T02:03:00.000Z" };
  const counts = { quotes: 6, copies: 0, authors: 3, tags: 5, languages: 4 };
  const source = "quotes.example";
  expect(site.summary()).toEqual({ ...counts, ...read, asOfDay: "2026-11-20", source });
  expect(site.lastBuild().harvest).toMatchObject({ requests: 12, waits: 1 });
});

test("indexes come largest first, and authors by initial", () => {
  const languages = site.languages().map(({ slug, quotes }) => `${slug} ${quotes}`);
  expect(languages).toEqual(["en 3", "be 1", "fr 1", "ru 1"]);
  expect(site.tags()[0]).toEqual({ name: "love", slug: "love", quotes: 3 });
  expect(site.authors()).toMatchObject({ total: 3, unattributed: 1 });
  expect(site.authors().largest[0]).toEqual({ name: "Moliere", slug: "moliere", quotes: 3 });
  const initials = site.authors().initials.map(({ label, authors }) => `${label} ${authors}`);
  expect(initials).toEqual(["M 1", "S 1", "Т 1"]);
  expect(site.initial("т", 1)).toMatchObject({ authors: [{ name: "Толстой", quotes: 1 }] });
  expect(site.pagesOf("initial")).toHaveLength(3);
});

test("home() shows six of the most liked: one of an author, two of a language, none by today's author", () => {
  const languages = ["en", "fr", "de", "it"];
  const home = makeSite(
    Array.from({ length: 24 }, (_, index) => ({
      id: index + 1,
      likes: 100 - index,
      author: `Author ${Math.floor(index / 2)}`,
      language: languages[Math.floor(index / 6)] ?? "en",
    })),
  ).home();
  const authors = home.top.map(({ author }) => author.slug);
  expect(home.top).toHaveLength(6);
  expect(new Set([...authors, home.today?.card.author.slug]).size).toBe(7);
  const inLanguage = Map.groupBy(home.top, ({ quote }) => quote.language);
  expect([...inLanguage.values()].map((cards) => cards.length)).toEqual([2, 2, 2]);
  const likes = home.top.map(({ likes: shown }) => shown);
  expect(likes).toEqual(likes.toSorted((a, b) => b - a));
});

test("home() of another language shows its most liked of two pages: of each author one first, and none twice", () => {
  const of = (language: string, from: number) =>
    ["A", "A", "B", "B", "C", "A", "D"].map((author, index) => {
      return { id: from + index, likes: 100 - index, author, language };
    });
  const french = of("fr", 11);
  const home = makeSite([...of("en", 1), ...french]).home("fr");
  const above = home.today?.card;
  expect(above?.quote.language).toBe("fr");
  // The first of each author, but for the author of the quote above; then the others of the two pages.
  const first = [11, 13, 15].filter((id) => french[id - 11]?.author !== above?.author.name);
  const others = [11, 12, 13, 14, 15, 16].filter((id) => id !== above?.id && !first.includes(id));
  expect(home.top.map(({ id }) => id)).toEqual([...first, ...others]);
});

test("quotesOn() has the quotes of a page, where the plan knows them", () => {
  const on = Array.from(site.pages(), (page) => [page.path, site.quotesOn(page)]);
  const author = { ids: [1, 2], languages: ["fr", "en"] };
  const expected = { "/": undefined, "/author/moliere/": author, "/quote/6/": { ids: [6] } };
  expect(Object.fromEntries(on)).toMatchObject(expected);
});

test("tags that differ by case alone are one: in lists the more frequent spelling, on a card one word", () => {
  const drafts = [["future"], ["future"], ["future", "Future"], ["inspire"], ["Inspirational"]].map(
    (tags, index) => ({ id: index + 1, tags }),
  );
  const names = (site: ReturnType<typeof makeSite>) => site.tags().map(({ name }) => name);
  const site = makeSite(drafts);
  expect(names(site)).toEqual(["future", "Inspirational", "inspire"]);
  expect(site.card(3)?.tags.map(({ name }) => name)).toEqual(["future"]);
  const plain = makeSite(drafts, { minTagQuotes: 9 });
  expect(plain.card(3)?.plainTags).toHaveLength(1);
});
