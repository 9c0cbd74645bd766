/** What is on disk is of a refused run, of another selection or of another service: nothing false is published of it. */
import { expect, test } from "vitest";
import type { WireQuote } from "../../../src/contract/quote.ts";
import { openPublished } from "../../../src/snapshot/index.ts";
import { FALSE_ANSWERS, answer, isList, once, type FalseAnswer } from "./table.ts";
import { begin, beginSmall, expectKept, expectWhole, isComplete } from "./nights.ts";
import { libraryOf, FalseService, quoteAt, type OrderName } from "./service.ts";

const SIZE = 370;
const EVERYTHING = { languages: [], tags: [], curated: false };

test("--allow-shrink publishes what it read itself, not a run that was refused", async () => {
  const nights = await beginSmall();
  await nights.run();
  const all = nights.service.quotes;
  nights.service.quotes = all.slice(0, 80);
  expect((await nights.run()).status).toBe(65);
  nights.service.quotes = all;
  const ended = await nights.run({ allowShrink: true });
  expect(ended).toMatchObject({ status: 0, published: true });
  expect(isComplete(ended)).toBe(true);
  expectWhole(nights);
});

test("an empty night, then --allow-shrink on a healthy one: the collection is whole", async () => {
  const nights = await beginSmall();
  await nights.run();
  nights.service.script = (asked, service) =>
    asked.list >= 5 ? FALSE_ANSWERS["empty, next null"](asked, service) : null;
  await nights.run();
  nights.service.script = () => null;
  expect(await nights.run({ allowShrink: true })).toMatchObject({ status: 0, published: true });
  expectWhole(nights);
});

test("--allow-shrink publishes nothing of a list that it did not read to a confirmed end", async () => {
  const nights = await beginSmall();
  await nights.run();
  const before = nights.published();
  nights.service.script = once(5, FALSE_ANSWERS["full page, next null"]);
  await nights.run({ allowShrink: true });
  expectKept(nights, before);
});

test("another base URL and a cut night: one snapshot never holds quotes of two services", async () => {
  const nights = await beginSmall();
  await nights.run();
  const first = nights.published();
  const other = libraryOf(SIZE).map((quote) => ({
    ...quote,
    quote: `Other words: ${quote.quote}`,
  }));
  nights.service = await FalseService.start({ quotes: other, cap: 25 });
  for (const maxRequests of [5, 5, null]) {
    await nights.run({ maxRequests });
    const now = nights.published();
    const foreign = now.filter(({ quote }) => quote.startsWith("Other words")).length;
    expect([0, now.length]).toContain(foreign);
    if (foreign === 0) expect(now).toEqual(first);
  }
});

test("another base URL with few quotes, perhaps mistyped, replaces a collection with --allow-shrink alone", async () => {
  const nights = await beginSmall();
  await nights.run();
  nights.service = await FalseService.start({ quotes: libraryOf(80), cap: 25 });
  expect((await nights.run()).message).toMatch(/^Cannot replace 370 quotes of .* by 80 of /);
  expect(nights.keys()).toHaveLength(SIZE);
  expect(await nights.run({ allowShrink: true })).toMatchObject({ status: 0, published: true });
  expectWhole(nights);
});

async function beginCurated(cap = 25, isCurated = (pk: number): boolean => pk % 6 === 0) {
  const nights = await begin(SIZE, cap);
  nights.service.curated = new Set(nights.service.keys().filter(isCurated));
  const strangers = () => nights.keys().filter((pk) => !nights.service.curated.has(pk));
  return { nights, strangers, selection: { ...EVERYTHING, curated: true } };
}

test("curated quotes alone, on a budget: no other is ever published", async () => {
  const { nights, strangers, selection } = await beginCurated(5);
  for (const maxRequests of [null, 10, 12, 4, 4, 4, 10, null]) {
    nights.service.quotes.push(quoteAt(SIZE + 1 + nights.number));
    await nights.run({ maxRequests }, { selection });
    expect(strangers()).toEqual([]);
  }
  expect(nights.keys()).toHaveLength(nights.service.curated.size);
});

/** Answers the n-th request for curated quotes as though the filter were not there. */
const uncurated =
  (n: number): FalseAnswer =>
  (asked, service) =>
    asked.list === n && asked.query.get("curated") === "1"
      ? answer(service.page(asked.url, ["curated"]))
      : null;

const isThird = (pk: number): boolean => pk % 3 === 0;
const isEarly = (pk: number): boolean => pk <= 60;
const isLate = (pk: number): boolean => pk > SIZE - 60;
const isLiked = (_: number, likes: number): boolean => likes > 20;

/** Which quotes are curated where not every sixth is, and which of them vanish before the fifth answer. */
type Curation = readonly [
  isCurated?: (pk: number) => boolean,
  vanishes?: (pk: number, likes: number) => boolean,
];

test.each<[OrderName, string, first: number, last: number, ...Curation]>([
  ["by key", "", 1, 10],
  ["newest first", "", 1, 10],
  ["by likes", "", 1, 30],
  ["by key", " of the first that there were", 4, 8, isEarly],
  ["newest first", " of the first that there were", 4, 8, isLate],
  ["by key", " while a link is repaired", 6, 9, isThird, isEarly],
  ["newest first", " while a link is repaired", 6, 9, isThird, isLate],
  ["by likes", " while a link is repaired", 6, 9, isThird, isLiked],
])(
  "curated quotes alone, %s%s: one answer from %i to %i that ignores the filter adds none",
  async (order, _, first, last, isCurated, vanishes) => {
    for (let n = first; n <= last; n++) {
      const { nights, strangers, selection } = await beginCurated(25, isCurated);
      const { service } = nights;
      service.order = order;
      service.script = (asked, pages) => {
        if (vanishes === undefined || asked.list !== 5) return uncurated(n)(asked, pages);
        const isGone = ({ pk, likes }: WireQuote): boolean =>
          service.curated.has(pk) && vanishes(pk, likes);
        service.quotes = service.quotes.filter((quote) => !isGone(quote));
        return service.truth(asked.url);
      };
      await nights.run({ concurrency: 1 }, { selection });
      expect([n, strangers()]).toEqual([n, []]);
    }
  },
);

test("curated quotes alone: empty pages in the middle of the list of all are no end of it", async () => {
  const { nights, selection } = await beginCurated();
  const empty = [{ next: "/?offset=999", previous: null, results: [] }, [], { results: [] }];
  nights.service.script = (asked) =>
    isList(asked) && asked.offset > 0 && !asked.query.has("curated")
      ? answer(empty.shift() ?? asked.truth.body)
      : null;
  expect(await nights.run({}, { selection })).toMatchObject({ status: 0, published: true });
});

test("curated quotes alone, set later on a site with partial nights, takes effect", async () => {
  const { nights, strangers, selection } = await beginCurated();
  await nights.run();
  await nights.run({ maxRequests: 5 });
  const statuses: number[] = [];
  while (statuses.length < 20 && (strangers().length > 0 || statuses.length === 0)) {
    statuses.push((await nights.run({ maxRequests: 5 }, { selection })).status);
  }
  expect(statuses).not.toContain(65);
  expect(strangers()).toEqual([]);
  expect(nights.keys()).toHaveLength(nights.service.curated.size);
});

test("curated quotes of two languages, one of which has no quotes at all, are published", async () => {
  const { nights, strangers, selection } = await beginCurated();
  const { service } = nights;
  const ended = await nights.run({}, { selection: { ...selection, languages: ["en", "te"] } });
  expect(ended).toMatchObject({ status: 0, published: true });
  expect(strangers()).toEqual([]);
  const listed = service.quotes.filter(
    ({ pk, language }) => language === "en" && service.curated.has(pk),
  );
  expect(nights.keys()).toHaveLength(listed.length);
});

test("a service that ignores `curated` is a configuration that cannot be had: 78", async () => {
  const { nights, selection } = await beginCurated();
  nights.service.ignored = ["curated"];
  const ended = await nights.run({}, { selection });
  expect(ended).toMatchObject({ status: 78, published: false });
  expect(ended.message).toMatch(/curated/i);
  // Nothing that it answered then counts once it heeds the filter.
  nights.service.ignored = [];
  expect(await nights.run({}, { selection })).toMatchObject({ status: 0, published: true });
  expect(nights.keys()).toHaveLength(nights.service.curated.size);
});

test("a quote that lost its tag is dropped from a selection by tag, at no lasting cost", async () => {
  const nights = await beginSmall();
  const selection = { ...EVERYTHING, tags: ["tag-1", "tag-2", "tag-3"] };
  const first = await nights.run({}, { selection });
  const carrying = (): number[] =>
    nights.service.quotes
      .filter(({ tags }) => tags.some((tag) => selection.tags.includes(tag)))
      .map(({ pk }) => pk);
  expect(nights.keys()).toEqual(carrying());
  nights.service.quotes = nights.service.quotes.map((quote) =>
    quote.pk % 244 === 1 ? { ...quote, tags: ["another"] } : quote,
  );
  // What could not be asked for on the first night is asked for on the next.
  for (let night = 0; night < 3; night++) await nights.run({}, { selection });
  expect(nights.keys()).toEqual(carrying());
  expect((await nights.run({}, { selection })).requests).toBeLessThanOrEqual(first.requests + 3);
});

test.each([null, 8])(
  "a wider selection, with %s calls a night, makes no quote new",
  async (maxRequests) => {
    const nights = await beginSmall();
    await nights.run({}, { selection: { ...EVERYTHING, languages: ["en"] } });
    while (!isComplete(await nights.run({ maxRequests }))) expect(nights.number).toBeLessThan(9);
    expectWhole(nights);
    nights.service.quotes.push(quoteAt(SIZE + 1));
    await nights.run();
    using snapshot = openPublished(nights.stateDir);
    expect(snapshot?.newDays(9).map(({ ids }) => [...ids()])).toEqual([[SIZE + 1]]);
  },
);

test("a quote whose language changes between the walks of two languages stays, and one that is gone leaves", async () => {
  const nights = await beginSmall();
  const { service } = nights;
  const selection = { ...EVERYTHING, languages: ["fr", "en"] };
  const selected = (): number[] =>
    service.quotes
      .filter(({ language }) => language !== "he" && language !== "de")
      .map(({ pk }) => pk);
  await nights.run({ concurrency: 1 }, { selection });
  let moves = true;
  service.script = (asked) => {
    if (!moves || asked.query.get("lang") !== "en") return null;
    moves = false;
    service.quotes = service.quotes
      .filter(({ pk }) => pk !== 5)
      .map((quote) => (quote.pk === 3 ? { ...quote, language: "fr" } : quote));
    return service.truth(asked.url);
  };
  await nights.run({ concurrency: 1 }, { selection });
  expect(nights.keys()).toEqual(expect.arrayContaining(selected()));
  await nights.run({ concurrency: 1 }, { selection });
  expect(nights.keys()).toEqual(selected());
});
