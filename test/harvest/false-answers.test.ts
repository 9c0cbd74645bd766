/**
 * One false answer never changes what is published as complete, and never removes a quote. Over a real socket, with
 * the harvest command's own entry; each row is a false answer that was seen.
 */
import { expect, test } from "vitest";
import { isFiltered, isList, LIES, type Lie, type LieName } from "../support/lies.ts";
import {
  beginNights,
  expectKept,
  expectWhole,
  expectWholeOrNothing,
  isComplete,
  type Nights,
} from "../support/lying-nights.ts";
import { libraryOf } from "../support/lying-service.ts";

const SIZE = 1_606;

const begin = (size = SIZE, cap = 100): Promise<Nights> =>
  beginNights({ quotes: libraryOf(size), cap });

/** Tells the n-th answer to a request for quotes falsely, once. */
const once =
  (n: number, lie: Lie): Lie =>
  (asked, service) =>
    asked.list === n ? lie(asked, service) : null;

/** Every answer from the n-th request for quotes on. */
const from =
  (n: number, lie: Lie): Lie =>
  (asked, service) =>
    asked.list >= n ? lie(asked, service) : null;

test("a healthy service of 1,606 quotes in pages of 100 costs at most 24 requests", async () => {
  const nights = await begin();
  const ended = await nights.run();
  expect(ended).toMatchObject({ status: 0, label: "complete:proved", published: true });
  expectWhole(nights);
  expect(ended.requests).toBeLessThanOrEqual(24);
});

/** One false answer that a harvest gets over in the same night. */
const ONCE: readonly LieName[] = [
  "bare object",
  "bare array",
  "full page, next null",
  "no next",
  "page cut, next null",
  "page cut, next kept",
  "empty, next null",
  "empty, next kept",
  "rows hidden",
  "offset ignored",
  "not found",
  "bad request",
  "server error",
  "HTML with 200",
  "error with 200",
];

/** Where the very first answer is one of these, the service may be taken for unavailable. */
const REFUSALS: readonly LieName[] = [
  "not found",
  "bad request",
  "server error",
  "HTML with 200",
  "error with 200",
];

test.each(ONCE)("%s, once in the walk: the first harvest is whole", async (name) => {
  const nights = await begin();
  nights.service.script = once(5, LIES[name]);
  const ended = await nights.run();
  expectWholeOrNothing(nights, ended);
  nights.service.script = () => null;
  expect(await nights.run()).toMatchObject({ status: 0, published: true });
  expectWhole(nights);
});

test.each(ONCE)("%s at the first request: the first harvest is whole or none", async (name) => {
  const nights = await begin();
  nights.service.script = once(1, LIES[name]);
  expectWholeOrNothing(nights, await nights.run(), REFUSALS.includes(name) ? [69] : []);
});

test.each(ONCE)("%s, once on a second night: nothing is removed", async (name) => {
  const nights = await begin();
  await nights.run();
  const before = nights.published();
  for (const at of [1, 5, 17, 18, 19]) {
    nights.service.script = once(at, LIES[name]);
    const ended = await nights.run();
    expectKept(nights, before);
    expect([0, 69, 75]).toContain(ended.status);
  }
});

test.each([1, 3, 6, 12])(
  "from request %i on every list is empty: a first harvest says 75, a second night removes nothing",
  async (at) => {
    const first = await begin();
    first.service.script = from(at, LIES["empty, next null"]);
    const ended = await first.run();
    expect(ended.published).toBe(false);
    // An empty service from the first request on is refused, as it always was.
    expect(at === 1 ? [65, 75] : [75]).toContain(ended.status);
    const second = await begin();
    await second.run();
    const before = second.bytes();
    second.service.script = from(at, LIES["empty, next null"]);
    const night = await second.run();
    expectWhole(second);
    if (!night.published) expect(second.bytes()).toBe(before);
    expect(isComplete(night)).toBe(false);
  },
);

test("filtered lists are empty for a night: nothing is removed, and the next night is complete", async () => {
  const nights = await begin();
  await nights.run();
  nights.service.script = LIES["filter index empty"];
  for (const order of ["by key", "as written", "random ties"] as const) {
    nights.service.order = order;
    await nights.run();
    expectWhole(nights);
  }
  nights.service.script = () => null;
  expect(isComplete(await nights.run())).toBe(true);
  expectWhole(nights);
});

test("four empty pages in a row that each have a next are no end", async () => {
  const nights = await begin(1_106 + 500);
  // Rows hidden after the page was cut: five whole pages of them.
  const shown = (at: number): boolean => at < 700 || at >= 1_200;
  nights.service.script = (asked) => {
    const page = asked.truth.body as { results: unknown[] };
    if (!isList(asked) || isFiltered(asked)) return null;
    return {
      status: 200,
      body: { ...page, results: page.results.filter((_, at) => shown(asked.offset + at)) },
    };
  };
  const ended = await nights.run();
  expect(isComplete(ended) && nights.keys().length < 1_106).toBe(false);
  expect(ended.published).toBe(false);
});

test("one 404 in mid-walk of a service without a length filter is a fault, not an end", async () => {
  for (const at of [2, 5, 12]) {
    const nights = await begin();
    nights.service.ignored = ["minlength", "maxlength"];
    nights.service.script = once(at, LIES["not found"]);
    expectWholeOrNothing(nights, await nights.run());
  }
});

test.each([true, false])(
  "offsets past 1,000 silently empty, length filter heeded: %s",
  async (heeded) => {
    const nights = await begin();
    if (!heeded) nights.service.ignored = ["minlength", "maxlength"];
    nights.service.script = (asked, service) =>
      isList(asked) && asked.offset >= 1_000 - 100 ? windowOf1000(asked, service) : null;
    const ended = await nights.run();
    if (isComplete(ended)) expectWhole(nights);
    if (heeded) expect(isComplete(ended)).toBe(true);
    else expectWholeOrNothing(nights, ended);
  },
);

/** Rows past the thousandth do not exist, as in a search index with a result window. */
const windowOf1000: Lie = (asked) => {
  const page = asked.truth.body as { results: unknown[]; next: string | null };
  const room = Math.max(0, 1_000 - asked.offset);
  const full = page.results.length >= room;
  const next = full ? null : page.next;
  return { status: 200, body: { ...page, results: page.results.slice(0, room), next } };
};
