/** What is optional, or one record, never freezes the site; and what fails is asked for in moderation. */
// @module-tag sized
import { expect, test } from "vitest";
import type { WireQuote } from "../../../src/contract/quote.ts";
import { type Call, json } from "../../support/http/index.ts";
import { startHarvests } from "../../support/service/index.ts";
import { isFiltered, isList, answer, type Asked, type FalseAnswer, type Answer } from "./table.ts";
import { begin, beginNights, beginSmall, expectKept, expectWhole } from "./nights.ts";
import { libraryOf } from "./service.ts";
import { seeded, settingsFor } from "../../support/run/index.ts";
import { inTurn } from "../../support/tier.ts";

const TRUE: FalseAnswer = () => null;

/** One of each kind of refusal that the client makes a difference between. A redirect goes to an address of the same origin that does not exist. */
const REFUSALS: readonly Answer[] = [
  answer({ detail: "Invalid token." }, 401),
  answer({ detail: "Not found." }, 404),
  answer({ detail: "A server error occurred." }, 500),
  answer("", 302),
  answer("<!doctype html><title>Quotes</title>"),
];

const pathIs =
  (path: string) =>
  ({ url }: Asked): boolean =>
    url.pathname === path;

const OPTIONAL: readonly (readonly [string, (asked: Asked) => boolean])[] = [
  ["the curated list", ({ query }) => query.get("curated") === "1"],
  ["the tag list", pathIs("/apiv1/tags/")],
  ["the quote of the day", pathIs("/apiv1/qod/")],
  ["the most liked", ({ query }) => query.has("order")],
  ["a probe", ({ query }) => query.has("minlength") || query.has("maxlength")],
  ["every filter", isFiltered],
];

test.each(OPTIONAL.map(([what, asks], at) => [what, asks, at] as const))(
  "%s is refused: every night ends with 0",
  async (_, asks, at) => {
    const nights = await begin(400, 20);
    const { site } = settingsFor(nights.service.url, nights.stateDir);
    const more = { site: { ...site, askCurated: "always" as const } };
    for (const refusal of inTurn(REFUSALS, at)) {
      nights.service.script = (asked) => (asks(asked) ? refusal : null);
      nights.service.quotes = nights.service.quotes.slice(1);
      // On a budget, what changes most is asked for first.
      for (const maxRequests of [null, 12]) {
        const ended = await nights.run({ maxRequests }, more);
        expect(ended).toMatchObject({ status: 0, published: true });
        if (maxRequests === null) expect(ended.label).toBe("complete:proved");
        expectWhole(nights);
      }
    }
  },
);

test("a quote of the day that asks to wait for hours does not keep nights with a budget from the end", async () => {
  const { service, run } = await startHarvests(600);
  await run();
  service.fault = ({ url }) =>
    url.pathname === "/apiv1/qod/"
      ? json({ detail: "busy" }, 503, { "retry-after": "7200" })
      : null;
  const labels: string[] = [];
  for (let day = 1; day <= 4; day++) {
    const now = (): number => Date.now() + day * 86_400_000;
    labels.push((await run({ maxRequests: 15 }, { now })).harvest.label);
  }
  expect(labels).toContain("complete:proved");
});

test("offsets refused on nights with a budget: they end with 0", async () => {
  const nights = await begin(400, 20);
  await nights.run();
  nights.service.script = (asked) =>
    asked.offset > 300 ? answer({ errno: 400, errmsg: "offset too large" }, 400) : null;
  for (const maxRequests of [12, 12, null, 12]) {
    expect((await nights.run({ maxRequests })).status).toBe(0);
    expectWhole(nights);
  }
});

test.each([
  [1, 1_606, 100],
  [700, 1_606, 100],
  [1_606, 1_606, 100],
  // Two windows in flight have the record, and all the answers there are do not allow many retries.
  [370, 370, 25],
  [1, 200, 100],
  [20, 20, 25],
  // The page without the record must be no larger than others, or the end is never met.
  [385, 500, 100],
])(
  "a page with quote %i of %i, in pages of %i, answers 500: that record is skipped",
  async (pk, quotes, cap) => {
    const nights = await begin(quotes);
    nights.service.cap = cap;
    const broken: FalseAnswer = ({ truth }) => {
      const page = truth.body as { results?: { pk?: number }[] };
      return page.results?.some((row) => row.pk === pk) === true
        ? answer({ detail: "A server error occurred." }, 500)
        : null;
    };
    nights.service.script = broken;
    expect(await nights.run()).toMatchObject({ status: 0, published: true });
    expect(nights.missing()).toEqual([pk]);
    nights.service.script = TRUE;
    await nights.run();
    expectWhole(nights);
    const before = nights.published();
    nights.service.script = broken;
    const ended = await nights.run();
    expect(ended).toMatchObject({ status: 0, published: true });
    expect(JSON.stringify(ended.result?.remarks)).toMatch(/500/);
    expectKept(nights, before);
  },
);

test.each(["by likes", "random ties"] as const)(
  "records that answer 500 are skipped in a list %s, which is read in slices",
  async (order) => {
    const random = seeded(3);
    const nights = await beginNights({ quotes: libraryOf(500), order, random });
    const bad = [37, 78, 119];
    nights.service.script = ({ truth }) => {
      const page = truth.body as { results?: { pk?: number }[] };
      const isBad = page.results?.some(({ pk = 0 }) => bad.includes(pk)) === true;
      return isBad ? answer({ detail: "A server error occurred." }, 500) : null;
    };
    const labels = ["complete:sliced", ...(order === "by likes" ? [] : ["best-effort"])];
    let ended = await nights.run();
    // In another order for each request, a record may move while it is searched: then nothing proves the list whole.
    const isDone = (): boolean =>
      labels.includes(ended.label) && nights.missing().length === bad.length;
    for (let night = 0; night < 20 && !isDone(); night++) ended = await nights.run();
    expect(labels).toContain(ended.label);
    expect(nights.missing().sort((a, b) => a - b)).toEqual(bad);
  },
);

test("three of five liked quotes voted down to 0 are no loss of likes, 60 of 60 are", async () => {
  const liked = (count: number, likes: number) => (quote: WireQuote) => ({
    ...quote,
    likes: quote.pk <= count ? likes : 0,
  });
  const few = await begin(300);
  few.service.quotes = few.service.quotes.map(liked(5, 7));
  await few.run();
  few.service.quotes = few.service.quotes.map(liked(2, 7));
  expect(await few.run()).toMatchObject({ status: 0, published: true });
  const many = await begin(300);
  many.service.quotes = many.service.quotes.map(liked(60, 7));
  await many.run();
  const before = many.published();
  many.service.quotes = many.service.quotes.map(liked(0, 0));
  expect((await many.run()).status).toBe(65);
  expect(many.published()).toEqual(before);
});

test("after 5 failures in a row a night sends no more requests, neither probes nor for the tag list", async () => {
  const nights = await beginSmall();
  await nights.run();
  nights.service.quotes = nights.service.quotes.filter(({ pk }) => pk % 40 !== 0);
  const failed: Call[] = [];
  nights.service.script = (asked) => {
    if (!isFiltered(asked) && isList(asked)) return null;
    failed.push(asked);
    return answer({ detail: "A server error occurred." }, 500);
  };
  const before = nights.published();
  const ended = await nights.run();
  expect(ended.status).toBe(0);
  expectKept(nights, before);
  // One more for each other request that was in flight.
  expect(failed.length).toBeLessThanOrEqual(5 + 3);
});
