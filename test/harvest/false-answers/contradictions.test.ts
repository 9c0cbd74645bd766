/** One false answer among changes of the collection: the answers around it contradict it, so nothing is called complete that is not. */
import { expect, test } from "vitest";
import type { WireQuote } from "../../../src/contract/quote.ts";
import type { WirePage } from "../../support/service/index.ts";
import {
  isFiltered,
  isList,
  FALSE_ANSWERS,
  answer,
  once,
  type Asked,
  type FalseAnswer,
} from "./table.ts";
import { begin, beginNights, expectWhole, isComplete } from "./nights.ts";
import { libraryOf, quoteAt } from "./service.ts";

const SIZE = 400;
const ORDERS = ["by key", "newest first"] as const;
type Order = (typeof ORDERS)[number];

const pageIn = ({ truth }: Asked): WirePage => truth.body as WirePage;
const keyAt = (asked: Asked, place: number): number | undefined =>
  (pageIn(asked).results as WireQuote[])[place]?.pk;

const withFarKey =
  (order: Order): FalseAnswer =>
  (asked) => {
    const results = pageIn(asked).results as WireQuote[];
    const last = { ...results.at(-1), pk: order === "by key" ? 1e15 : 1 };
    return answer({ ...pageIn(asked), results: [...results.slice(0, -1), last] });
  };

const lastPage: FalseAnswer = ({ url }, service) => {
  const last = new URL(url);
  last.searchParams.set("offset", String(SIZE - 6));
  return answer(service.page(last, []));
};

test.each(
  ORDERS.flatMap((order) => [
    [order, 5, withFarKey(order), 7] as const,
    [order, 1, lastPage, 12] as const,
  ]),
)(
  "%s, answer %i seems to reach far ahead, and then 60 quotes are deleted: what is complete is whole",
  async (order, at, falseAnswer, deletion) => {
    const nights = await begin(SIZE, 25);
    const { service } = nights;
    service.order = order;
    service.script = (asked, pages) => {
      // No request by length shows what the list hides.
      if (isFiltered(asked)) return answer({ detail: "unknown filter" }, 400);
      if (asked.list === at) return falseAnswer(asked, pages);
      if (asked.list !== deletion) return null;
      const isGone = (pk: number): boolean => (order === "by key" ? pk <= 60 : pk > SIZE - 60);
      service.quotes = service.quotes.filter(({ pk }) => !isGone(pk));
      return service.truth(asked.url);
    };
    if (isComplete(await nights.run({ concurrency: 1 }))) expectWhole(nights);
  },
);

test("two answers to one request that hide different rows do not confirm each other", async () => {
  const nights = await begin(SIZE, 25);
  nights.service.script = (asked) => {
    if (asked.list !== 5 && asked.list !== 6) return null;
    const results = pageIn(asked).results.filter((_, at) => at % 4 !== asked.list % 4);
    return answer({ ...pageIn(asked), results });
  };
  expect(isComplete(await nights.run({ concurrency: 1 }))).toBe(true);
  expectWhole(nights);
});

// The pages are linked and full: the offsets of later rows show the quote, or the length of the list.
test.each(
  ORDERS.flatMap((order) => [
    [order, 3, 3, 0] as const,
    [order, 9, 9, 0] as const,
    [order, 3, 5, 0] as const,
    [order, 3, 3, 7] as const,
  ]),
)(
  "%s, answers %i to %i come from a replica that lacks a quote, one is deleted at %i: none is missing",
  async (order, from, to, deletion) => {
    const nights = await begin(SIZE, 25);
    const { service } = nights;
    service.order = order;
    let lacks: number | undefined;
    service.script = (asked, pages) => {
      const isFirst = ({ pk }: WireQuote): boolean => pk === (order === "by key" ? 1 : SIZE);
      if (asked.list === deletion) service.quotes = service.quotes.filter((one) => !isFirst(one));
      if (asked.list < from || asked.list > to) return null;
      lacks ??= keyAt(asked, 12);
      return answer(pages.page(asked.url, [], lacks));
    };
    expect(isComplete(await nights.run({ concurrency: 1 }))).toBe(true);
    expectWhole(nights);
  },
);

test.each(["newest first", "by likes"] as const)(
  "%s, a list in one page: a stale first answer with as many quotes hides no new one",
  async (order) => {
    for (const gone of [7, 20]) {
      const nights = await beginNights({ quotes: libraryOf(20), order });
      const { service } = nights;
      service.night();
      service.quotes = service.quotes.filter(({ pk }) => pk !== gone);
      service.quotes.push(quoteAt(21, { likes: 99 }));
      service.script = once(1, FALSE_ANSWERS["stale replica"]);
      expect(isComplete(await nights.run({ concurrency: 1 }))).toBe(true);
      expectWhole(nights);
    }
  },
);

test.each(ORDERS)(
  "%s, 20 quotes are deleted, and the page that repairs the link lacks one",
  async (order) => {
    const nights = await begin(SIZE, 50);
    const { service } = nights;
    service.order = order;
    service.script = (asked, pages) => {
      const isFirst = (pk: number): boolean => (order === "by key" ? pk <= 20 : pk > SIZE - 20);
      if (asked.list === 5) service.quotes = service.quotes.filter(({ pk }) => !isFirst(pk));
      if (asked.list !== 9) return service.truth(asked.url);
      return answer(pages.page(asked.url, [], keyAt(asked, 30)));
    };
    expect(isComplete(await nights.run({ concurrency: 1 }))).toBe(true);
    expectWhole(nights);
  },
);

test("newest first, four calls and one new quote a night, one answer lacks a quote: none is missing", async () => {
  const nights = await begin(SIZE, 25);
  const { service } = nights;
  service.order = "newest first";
  const before = service.keys();
  let asked = 0;
  service.script = (one, pages) => {
    if (!isList(one) || ++asked !== 17) return null;
    return answer(pages.page(one.url, [], keyAt(one, 12)));
  };
  while (!isComplete(await nights.run({ maxRequests: 4 }))) {
    expect(nights.number).toBeLessThan(20);
    service.quotes.push(quoteAt(SIZE + nights.number));
  }
  expect(nights.keys()).toEqual(expect.arrayContaining(before));
});

test("three answers lack a quote, and one record that cannot be read does not make up for it", async () => {
  const nights = await begin(SIZE, 25);
  let lacks: number | undefined;
  nights.service.script = (asked, pages) => {
    if (!isList(asked)) return null;
    const isFalse = asked.list >= 9 && asked.list <= 11;
    if (isFalse) lacks ??= keyAt(asked, 12);
    const page = isFalse ? pages.page(asked.url, [], lacks) : pageIn(asked);
    const results = (page.results as WireQuote[]).map((row) =>
      row.pk === SIZE - 1 ? { ...row, quote: 7 } : row,
    );
    return answer({ ...page, results });
  };
  expect(isComplete(await nights.run({ concurrency: 1 }))).toBe(true);
  expect(nights.missing()).toEqual([SIZE - 1]);
});

test("by likes, a quote moves past the walk while one is deleted: a slice without it is read again", async () => {
  for (let n = 11; n <= 18; n++) {
    const nights = await begin(SIZE, 75);
    const { service } = nights;
    service.order = "by likes";
    let moved = 0;
    service.script = (asked, pages) => {
      if (asked.list === n) return answer(pages.page(asked.url, [], moved));
      if (asked.list !== 4) return null;
      moved = keyAt(asked, 20) ?? 0;
      const [first] = pages.page(new URL("/", asked.url), []).results as WireQuote[];
      service.quotes = service.quotes
        .filter(({ pk }) => pk !== first?.pk)
        .map((quote) => (quote.pk === moved ? { ...quote, likes: 99 } : quote));
      return service.truth(asked.url);
    };
    expect(isComplete(await nights.run({ concurrency: 1 })), `answer ${n}`).toBe(true);
    expectWhole(nights);
  }
});

test("by likes, the only quote of its language is on no page: slices by language are not complete", async () => {
  const hidden = 59;
  const quotes = Array.from({ length: 130 }, (_, at) => {
    const language = at + 1 === hidden ? "nl" : ["en", "fr", "de"][at % 3];
    return quoteAt(at + 1, { quote: `As long as all: ${1_000 + at}`, language: language ?? "" });
  });
  const nights = await beginNights({ quotes, cap: 50, order: "by likes" });
  // Without requests in advance, the second answer is the page of the hidden quote, each night.
  nights.service.script = (asked, pages) =>
    asked.list === 2 ? answer(pages.page(asked.url, [], hidden)) : null;
  for (let night = 0; night < 2; night++) {
    const ended = await nights.run({ concurrency: 1 });
    expect(nights.missing()).toEqual(isComplete(ended) ? [] : [hidden]);
  }
  nights.service.script = () => null;
  expect(isComplete(await nights.run())).toBe(true);
  expectWhole(nights);
});

test("offsets are refused from 450 on: one stale slice hides no new quote", async () => {
  for (const n of [10, 17, 20]) {
    const nights = await begin(600);
    nights.service.night();
    nights.service.quotes.push(quoteAt(601), quoteAt(602));
    nights.service.script = (asked, pages) => {
      if (!isList(asked)) return null;
      if (asked.offset > 450) return answer({ errno: 400, errmsg: "offset too large" }, 400);
      return asked.list === n ? FALSE_ANSWERS["stale replica"](asked, pages) : null;
    };
    expect(isComplete(await nights.run({ concurrency: 1 })), `answer ${n}`).toBe(true);
    expectWhole(nights);
  }
});

test.each([
  ["null", () => null],
  ["a key with an empty text", (row: WireQuote) => ({ ...row, quote: "" })],
])("%s in place of records, in one answer: the harvest is whole and proved", async (_, spoil) => {
  for (let n = 1; n <= 12; n += 1) {
    const nights = await begin(200, 25);
    nights.service.script = (asked) => {
      if (asked.list !== n) return null;
      const rows = pageIn(asked).results as WireQuote[];
      const results = rows.map((row, at) => (at % 5 === 2 ? spoil(row) : row));
      return answer({ ...pageIn(asked), results });
    };
    const ended = await nights.run({ concurrency: 1 });
    expect(ended, `answer ${n}`).toMatchObject({ label: "complete:proved" });
    expectWhole(nights);
  }
});
