/** Ordinary services that are no faithful list (docs/walk.md): bounded, read in slices, and affordable. Each over a socket. */
// @module-tag sized
import { expect, test } from "vitest";
import { idleAllowed } from "../../src/harvest/bound.ts";
import type { WirePage } from "../support/service/index.ts";
import {
  beginNights,
  expectKept,
  expectWhole,
  isComplete,
  type Nights,
} from "./false-answers/nights.ts";
import { libraryOf, type FalseService } from "./false-answers/service.ts";
import { answer, isList, pageIn, type Asked, type FalseAnswer } from "./false-answers/table.ts";
import { inTiers, inTurn } from "../support/tier.ts";

type Script = (service: FalseService) => FalseAnswer;

const limitOf = ({ query }: Asked, { cap }: FalseService): number =>
  Math.min(cap, Number(query.get("limit")) || 5);

/** Whether a request is for the list of all quotes. */
const isUnfiltered = ({ query }: Asked): boolean =>
  [...query.keys()].every((name) => ["limit", "offset"].includes(name));

/** Rows that a service hides after it has cut the page: drafts, or what needs a permission. */
const hides =
  (isHidden: (pk: number) => boolean): FalseAnswer =>
  (asked) => {
    const page = pageIn(asked);
    if (!isList(asked) || page === null) return null;
    const results = page.results.filter((row) => !isHidden(Number((row as { pk?: number }).pk)));
    return answer({ ...page, results });
  };

/** The page at another offset than the one that was requested. */
const at =
  (move: (offset: number, limit: number, rows: number) => number): Script =>
  (service) =>
  (asked) => {
    if (!isList(asked)) return null;
    const url = new URL(asked.url);
    const all = new URL(asked.url);
    all.searchParams.set("offset", "0");
    all.searchParams.set("limit", "1000000");
    const cap = service.cap;
    service.cap = 1e6;
    const rows = service.page(all).results.length;
    service.cap = cap;
    url.searchParams.set("offset", String(move(asked.offset, limitOf(asked, service), rows)));
    return answer(service.page(url));
  };

const counts =
  (by: number): Script =>
  (service) =>
  (asked) => {
    const page = pageIn(asked);
    if (!isList(asked) || page === null) return null;
    return answer({ ...page, count: service.quotes.length + by });
  };

/** Requests of each night, against the pages of the list. */
async function play(nights: Nights, count: number): Promise<number[]> {
  const requests: number[] = [];
  for (let night = 0; night < count; night++) {
    const before = nights.published();
    const ended = await nights.run();
    expect([ended.status, isComplete(ended), ended.message]).toEqual([0, true, ""]);
    expectWhole(nights);
    expectKept(nights, before);
    requests.push(ended.requests);
    // One quote is deleted: it must not stay.
    nights.service.quotes = nights.service.quotes.slice(1);
  }
  return requests;
}

test.each<[string, Script]>([
  ["is rounded down to whole pages", at((offset, limit) => offset - (offset % limit))],
  [
    "is clamped to the last page",
    at((offset, limit, rows) => Math.min(offset, Math.max(0, rows - limit))),
  ],
  ["begins anew past the end", at((offset, _, rows) => (rows === 0 ? 0 : offset % rows))],
  ["ends at a row of which there are more", at((offset) => Math.min(offset, 90))],
  ["is ignored", at(() => 0)],
  ["is the number of a page", at((offset, limit) => offset * limit)],
])("a list whose offset %s is complete in slices, and deletions arrive", async (_, scriptFor) => {
  const nights = await beginNights({ quotes: libraryOf(300), cap: 30 });
  nights.service.script = scriptFor(nights.service);
  const requests = await play(nights, 3);
  expect(Math.max(...requests)).toBeLessThanOrEqual(idleAllowed(300, 30) + 30);
  expect(nights.keys()).toHaveLength(298);
});

test.each([6, 7, 10])(
  "slices of a service of which each %i. answer is 500 are complete",
  async (every) => {
    const nights = await beginNights({ quotes: libraryOf(400), cap: 50 });
    const clamped = at((offset, limit, rows) => Math.min(offset, Math.max(0, rows - limit)));
    let answers = 0;
    nights.service.script = (asked, ...more) => {
      if (isList(asked) && ++answers % every === 0) return answer({ detail: "Oops." }, 500);
      return clamped(nights.service)(asked, ...more);
    };
    await play(nights, 2);
  },
);

test("a refusal of the last pages, which were served, ends a run that goes on", async () => {
  const nights = await beginNights({ quotes: libraryOf(300), cap: 30 });
  await play(nights, 1);
  // One place answers the first request alone, and no smaller one.
  const isLast = ({ query, offset }: Asked): boolean => !query.has("minlength") && offset > 270;
  let seen = 0;
  nights.service.script = (asked) =>
    isList(asked) && isLast(asked) && ++seen > 2 ? answer({}, 404) : null;
  const ended = await nights.run();
  expect([0, 75], ended.message).toContain(ended.status);
  nights.service.script = () => null;
  await play(nights, 1);
});

test.each<[where: string, from: number, to: number, cap: number]>([
  ["in the middle", 60, 240, 20],
  ["in the middle, in small pages", 100, 160, 10],
  ["at the end", 150, 300, 20],
  ["before the last quotes", 150, 296, 20],
])("more empty pages %s than a few hide no quote", async (_, from, to, cap) => {
  const nights = await beginNights({ quotes: libraryOf(300), cap });
  const isHidden = (pk: number): boolean => pk > from && pk <= to;
  nights.service.script = hides(isHidden);
  for (let night = 0; night < 2; night++) {
    const ended = await nights.run();
    expect([ended.status, isComplete(ended), ended.message]).toEqual([0, true, ""]);
    const shown = nights.service.quotes.filter(({ pk }) => !isHidden(pk)).map(({ pk }) => pk);
    expect(nights.keys()).toEqual(shown);
    nights.service.quotes = nights.service.quotes.slice(1);
  }
});

test.each<[status: number, order: "by key" | "newest first" | "by likes"]>([
  [403, "by key"],
  [404, "newest first"],
  [400, "by key"],
  [451, "newest first"],
  [403, "by likes"],
])("one record that is answered by %i, %s, hides no other", async (status, order) => {
  const nights = await beginNights({ quotes: libraryOf(300), cap: 30, order });
  const isBlocked = (row: unknown): boolean => (row as { pk?: number }).pk === 130;
  nights.service.script = (asked) => {
    const isIn = isList(asked) && pageIn(asked)?.results.some(isBlocked) === true;
    return isIn ? answer({ detail: "Blocked." }, status) : null;
  };
  for (let night = 0; night < 3; night++) {
    const ended = await nights.run();
    expect([ended.status, isComplete(ended), ended.message]).toEqual([0, true, ""]);
    const shown = nights.service.quotes.filter((quote) => !isBlocked(quote)).map(({ pk }) => pk);
    expect(nights.keys()).toEqual(shown.sort((a, b) => a - b));
    nights.service.quotes = nights.service.quotes.filter(({ pk }) => pk !== 20 * (night + 1));
  }
});

test.each([400, 403, 404])(
  "larger pages of one place that are answered by %i are read smaller",
  async (status) => {
    const nights = await beginNights({ quotes: libraryOf(300), cap: 30 });
    await play(nights, 1);
    nights.service.script = (asked) => {
      const isPlain = isUnfiltered(asked);
      const isThere = isPlain && asked.offset >= 250 && asked.offset <= 280;
      return isThere && Number(asked.query.get("limit")) > 12 ? answer({}, status) : null;
    };
    await play(nights, 2);
  },
);

test("a limit above the largest that brings the default page is asked for smaller, once for all nights", async () => {
  const nights = await beginNights({ quotes: libraryOf(900), cap: 100 });
  nights.service.script = (asked, service) => {
    if (!isList(asked) || Number(asked.query.get("limit")) <= 100) return null;
    const url = new URL(asked.url);
    url.searchParams.set("limit", "10");
    return answer(service.page(url, []));
  };
  const requests = await play(nights, 3);
  expect(Math.max(...requests)).toBeLessThanOrEqual(2 * 9 + EVIDENCE);
  const isAbove = ({ url }: { url: URL }): boolean => Number(url.searchParams.get("limit")) > 100;
  expect(nights.service.journal.filter(isAbove).length).toBeLessThanOrEqual(2);
});

test("slices that cost too much leave what the walk has read", async () => {
  const nights = await beginNights({ quotes: libraryOf(300), cap: 5 });
  nights.service.script = hides((pk) => pk > 100 && pk <= 140);
  const ended = await nights.run();
  expect([ended.status, ended.label]).toEqual([0, "best-effort"]);
  expect(nights.keys()).toHaveLength(260);
});

test("a short answer for a slice that a cache keeps is no second answer", async () => {
  const nights = await beginNights({ quotes: libraryOf(300), cap: 30 });
  const { service } = nights;
  service.script = at(() => 0)(service);
  await play(nights, 2);
  const ignored = at(() => 0)(service);
  let kept: string | null = null;
  service.script = (asked, ...more) => {
    const page = pageIn(asked);
    const rows = page?.results ?? [];
    const isWholeSlice = asked.query.has("minlength") && page?.next === null && rows.length > 9;
    if (isWholeSlice) kept ??= asked.url.href;
    if (kept !== asked.url.href || page === null) return ignored(asked, ...more);
    return answer({ ...page, results: rows.slice(0, rows.length / 2) });
  };
  await play(nights, 1);
  expect(kept).not.toBeNull();
});

type Form = (page: WirePage, count: number) => unknown;

const FORMS = {
  "a bare array": ({ results }) => results,
  "rows and a total": ({ results }, total) => ({ data: results, total }),
} satisfies Record<string, Form>;

/** A plain list without any `next`, of which no page shows a row from some offset on. */
const nextless =
  (formOf: Form, end = Infinity, past: "empty" | "refused" = "empty"): Script =>
  (service) =>
  (asked) => {
    const page = pageIn(asked);
    if (!isList(asked) || page === null) return null;
    const isPlain = isUnfiltered(asked);
    const left = isPlain ? end - asked.offset : Infinity;
    const isOver = asked.offset + limitOf(asked, service) > end;
    if (isPlain && isOver && past === "refused") return answer({ detail: "Too deep." }, 400);
    const results = page.results.slice(0, Math.max(0, left));
    return answer(formOf({ ...page, results }, service.quotes.length));
  };

type Listed = [what: string, order: "by likes" | "by key", form: keyof typeof FORMS];

for (const { cases, options } of inTiers<[...Listed, end?: number, past?: "empty" | "refused"]>(
  [
    ["by likes", "by likes", "a bare array"],
    ["by likes", "by likes", "rows and a total"],
    ["that shows 200 rows", "by key", "a bare array", 200, "empty"],
    ["that shows 220 rows", "by key", "rows and a total", 220, "empty"],
    ["that refuses rows from 200 on", "by key", "a bare array", 200, "refused"],
    ["that refuses rows from 215 on", "by key", "rows and a total", 215, "refused"],
  ],
  3,
))
  test.each(cases)(
    "a list %s, %s, in %s, is complete in slices",
    options,
    async (_, order, form, end, past) => {
      const nights = await beginNights({ quotes: libraryOf(300), cap: 30, order });
      nights.service.script = nextless(FORMS[form], end, past)(nights.service);
      await play(nights, 3);
      expect(nights.keys()).toHaveLength(298);
    },
  );

for (const { cases, options } of inTiers<
  [form: keyof typeof FORMS, status: number, isOf: (asked: Asked) => boolean]
>(
  [
    ["a bare array", 416, () => true],
    ["a bare array", 404, () => true],
    ["rows and a total", 400, () => true],
    ["rows and a total", 404, () => true],
    ["a bare array", 400, (asked) => !isUnfiltered(asked)],
  ],
  2,
))
  test.each(cases)(
    "deletions arrive from %s that is refused with %i past its end",
    options,
    async (form, status, isOf) => {
      const nights = await beginNights({ quotes: libraryOf(300), cap: 30 });
      const list = nextless(FORMS[form])(nights.service);
      nights.service.script = (asked, ...more) => {
        const isPast = asked.offset > 0 && pageIn(asked)?.results.length === 0;
        if (isList(asked) && isPast && isOf(asked))
          return answer({ detail: "No such page." }, status);
        return list(asked, ...more);
      };
      const requests = await play(nights, 4);
      expect(nights.keys()).toHaveLength(297);
      expect(Math.max(...requests)).toBeLessThanOrEqual(10 + TO_SEE_THE_END + A_DELETION);
    },
  );

test("full pages without a `next` are read once", async () => {
  const costOf = async (script: FalseAnswer): Promise<number> => {
    const nights = await beginNights({ quotes: libraryOf(1_500), cap: 30 });
    nights.service.script = script;
    return Math.max(...(await play(nights, 2)));
  };
  const service = await beginNights({ quotes: libraryOf(1_500), cap: 30 });
  const without = await costOf(nextless(FORMS["a bare array"])(service.service));
  expect(without).toBeLessThanOrEqual((await costOf(() => null)) + TO_SEE_THE_END);
});

/** Requests that show that a list without a `next` ends. */
const TO_SEE_THE_END = 40;
/** Requests that show where a quote is gone, or that it is. */
const A_DELETION = 10;

/** Part of the plain list is never served. */
const closed =
  (from: number, to: number, status: number): Script =>
  () =>
  (asked) => {
    const isPlain = isUnfiltered(asked);
    const isIn = isPlain && asked.offset >= from && asked.offset < to;
    return isList(asked) && isIn ? answer({ detail: "x" }, status) : null;
  };

for (const { cases, options } of inTiers<[number, number, number]>(
  [
    [429, 100, 150],
    [429, 250, 300],
    [403, 100, 150],
    [402, 100, 150],
    [503, 100, 150],
    [500, 100, 150],
  ],
  2,
))
  test.each(cases)(
    "a list that answers %i from %i to %i is complete in slices",
    options,
    async (status, from, to) => {
      const nights = await beginNights({ quotes: libraryOf(300), cap: 30 });
      nights.service.script = closed(from, to, status)(nights.service);
      const requests = await play(nights, 2);
      expect(Math.max(...requests)).toBeLessThanOrEqual(2 * idleAllowed(300, 30));
    },
  );

const A_LONG_WAIT = { "retry-after": "7200" };

test.each<
  [what: string, status: number, isClosed: (asked: Asked, service: FalseService) => boolean]
>([
  ["with bounds of length", 429, ({ query }) => query.has("minlength") || query.has("maxlength")],
  ["with any filter", 429, (asked) => !isUnfiltered(asked)],
  ["far into the list", 429, ({ offset }) => offset >= 150],
  ["past the end", 503, ({ offset }, { quotes }) => offset >= quotes.length],
])("a long wait for requests %s alone, with %i, is obeyed once", async (_, status, isClosed) => {
  const nights = await beginNights({ quotes: libraryOf(300), cap: 30 });
  const { service } = nights;
  service.script = (asked) =>
    isList(asked) && isClosed(asked, service)
      ? answer({ detail: "Slow down." }, status, A_LONG_WAIT)
      : null;
  const first = await nights.run();
  expect(first.status).toBe(75);
  expect(first.message).toContain("asked us to wait");
  await play(nights, 3);
});

test("a long wait for all requests is obeyed every night", async () => {
  const nights = await beginNights({ quotes: libraryOf(300), cap: 30 });
  for (let night = 0; night < 4; night++) {
    let left = 4;
    const refused: string[] = [];
    nights.service.script = ({ url }) => {
      if (left-- > 0) return null;
      refused.push(url.search);
      return answer({ detail: "Slow down." }, 429, A_LONG_WAIT);
    };
    expect(await nights.run()).toMatchObject({ status: 75 });
    expect(refused.length, refused.join()).toBeLessThanOrEqual(2);
  }
});

test.each<[status: number, from: number, maxRequests: number | null]>([
  [403, 270, 3],
  [403, 300, 3],
  [403, 300, 11],
  [403, 150, 3],
  [401, 270, 3],
  [401, 300, 11],
  [402, 300, 3],
  [404, 270, 3],
])(
  "a run whose first request is answered by %i, from %i on, is no wrong setting: %s calls a night",
  async (status, from, maxRequests) => {
    const nights = await beginNights({ quotes: libraryOf(300), cap: 30 });
    nights.service.script = closed(from, Infinity, status)(nights.service);
    let isWhole = false;
    for (let night = 1; night <= 40 && !isWhole; night++) {
      const ended = await nights.run({ maxRequests });
      expect([0, 75], `night ${night}: ${ended.message}`).toContain(ended.status);
      isWhole = isComplete(ended);
    }
    expect(isWhole).toBe(true);
    expectWhole(nights);
  },
);

test.each([401, 403])(
  "%i for the start too is a wrong setting, after one request",
  async (status) => {
    const nights = await beginNights({ quotes: libraryOf(300), cap: 30 });
    await nights.run({ maxRequests: 11 });
    nights.service.script = (asked) => (isList(asked) ? answer({ detail: "x" }, status) : null);
    const ended = await nights.run({ maxRequests: 3 });
    expect([ended.status, ended.message]).toEqual([78, expect.stringContaining("QUOTES_TOKEN")]);
    expect(ended.requests).toBeLessThanOrEqual(2);
  },
);

test.each([1, 7, 1_000])("a count that is too high by %i does not keep deletions", async (by) => {
  const nights = await beginNights({ quotes: libraryOf(300), cap: 30 });
  nights.service.script = counts(by)(nights.service);
  const requests = await play(nights, 3);
  expect(Math.max(...requests)).toBeLessThanOrEqual(idleAllowed(300, 30) + 30);
  expect(nights.keys()).toHaveLength(298);
});

const shuffled = (page: WirePage, random: () => number): WirePage => ({
  ...page,
  results: page.results.toSorted(() => random() - 0.5),
});

test.each<[string, Script]>([
  ["brings the same page for every request", () => (asked) => first(asked)],
  [
    "never ends, and repeats its rows",
    at((offset, _, rows) => (rows === 0 ? 0 : (offset * 7) % rows)),
  ],
  [
    "ignores lengths, and all have nearly one",
    (service) => (asked) => {
      if (!isList(asked)) return null;
      const random = Math.random;
      const page = service.page(asked.url, ["minlength", "maxlength"]);
      return answer(shuffled(page, random));
    },
  ],
  ["says for ever that there is more", () => endless],
  ["answers every request with one record", () => (asked) => oneRecord(asked)],
])("a service that %s ends in bounded requests", async (_, scriptFor) => {
  const quotes = libraryOf(200).map((quote) => ({
    ...quote,
    quote: `Sentence ${1_000 + quote.pk}`,
  }));
  const nights = await beginNights({ quotes, cap: 20, order: "by likes" });
  nights.service.script = scriptFor(nights.service);
  const ended = await nights.run();
  expect([0, 69, 75]).toContain(ended.status);
  expect(isComplete(ended)).toBe(false);
  expect(ended.requests).toBeLessThanOrEqual(idleAllowed(200, 20) + 40);
});

const first = (asked: Asked): ReturnType<FalseAnswer> => {
  const page = pageIn(asked);
  if (!isList(asked) || page === null) return null;
  return answer({
    ...page,
    next: "http://elsewhere.example/?offset=99",
    results: [{ pk: 1, quote: "One." }],
  });
};

const endless: FalseAnswer = (asked, service) => {
  if (!isList(asked)) return null;
  const page = service.page(new URL("/apiv1/quotes/?limit=20", asked.url), []);
  return answer({ ...page, next: `http://elsewhere.example/?offset=${asked.offset + 20}` });
};

const oneRecord = (asked: Asked): ReturnType<FalseAnswer> => {
  const page = pageIn(asked);
  return isList(asked) && page !== null ? answer(page.results[0] ?? {}) : null;
};

for (const { cases, options } of inTiers(
  [
    ["by likes", 1_606, 100],
    ["as written", 1_606, 100],
    ["by likes", 1_200, 20],
    ["newest first", 1_606, 100],
    ["by key", 60, 1],
  ] as const,
  2,
))
  test.each(cases)(
    "%s, %i quotes in pages of %i: few requests",
    options,
    async (order, size, cap) => {
      const nights = await beginNights({ quotes: libraryOf(size), cap, order });
      nights.service.quotes.sort((a, b) => ((a.pk * 7_919) % size) - ((b.pk * 7_919) % size));
      const [begun = 0, ...later] = await play(nights, 3);
      const pages = Math.ceil(size / cap);
      expect(begun).toBeLessThanOrEqual(3 * pages + EVIDENCE);
      expect(Math.max(...later)).toBeLessThanOrEqual(3 * pages + EVIDENCE);
    },
  );

/** Requests for evidence, tags and probes, whatever the size of the list. */
const EVIDENCE = 20;

test("a list by likes that did not change is read in slices at once", async () => {
  const nights = await beginNights({ quotes: libraryOf(1_606), cap: 100, order: "by likes" });
  await nights.run();
  const again = await nights.run();
  expect(again.label).toBe("complete:sliced");
  const walked = nights.service.journal.filter(
    ({ url }) => !/length|tags|curated/.test(url.search + url.pathname),
  );
  expect(walked.length).toBeLessThan(5);
  expectWhole(nights);
});

const FAILING: readonly (readonly [string, (asked: Asked, rows: number) => boolean])[] = [
  ["a limit over 50", ({ query }) => Number(query.get("limit")) > 50],
  [
    "pages over 20 beyond the 200th",
    ({ query, offset }) => offset >= 200 && Number(query.get("limit")) > 20,
  ],
  ["every page of more than 33 rows", (_, rows) => rows > 33],
  [
    "pages over 7 from 100 to 150",
    ({ query, offset }) => offset > 100 && offset < 150 && Number(query.get("limit")) > 7,
  ],
  [
    "pages over 40 in the second half",
    ({ query, offset }) => offset > 250 && Number(query.get("limit")) > 40,
  ],
];

test.each(FAILING.map(([what, isRefused], at) => [what, isRefused, at] as const))(
  "a service that answers 500 or 504 to %s is read whole",
  async (_, isRefused, at) => {
    for (const status of inTurn([500, 504], at)) {
      const nights = await beginNights({ quotes: libraryOf(500), cap: 100 });
      nights.service.script = (asked) => {
        const page = pageIn(asked);
        return isList(asked) && page !== null && isRefused(asked, page.results.length)
          ? answer({ detail: "A server error occurred." }, status)
          : null;
      };
      const ended = await nights.run();
      expect(ended).toMatchObject({ status: 0, label: "complete:proved" });
      expectWhole(nights);
      // The client asks for the start of the list after each failure of another place.
      expect(ended.requests).toBeLessThanOrEqual(110);
      // The second night reads the curated list too.
      await nights.run();
      expect((await nights.run()).requests).toBeLessThanOrEqual(ended.requests);
    }
  },
);

const lambda = { errorType: "Function.ResponseSizeTooLarge", errorMessage: "6291556 bytes." };

test.each<[what: string, instead: (asked: Asked) => ReturnType<FalseAnswer>]>([
  ["over 20 rows: an error of a gateway, with 200", within(1, 20, answer(lambda))],
  ["over 20 rows: a message, with 200", within(1, 20, answer({ Message: "An error." }))],
  ["over 20 rows: null, with 200", within(1, 20, answer(null))],
  ["over 50 rows: an empty object, with 200", within(1, 50, answer({}))],
  ["over 3 rows: 400", within(1, 3, answer({ limit: ["At most 3."] }, 400))],
])("a first page that is too large is asked for smaller: %s", async (_, instead) => {
  const nights = await beginNights({ quotes: libraryOf(90), cap: 100 });
  nights.service.script = (asked) => (isList(asked) ? instead(asked) : null);
  const [begun, later = 0] = await play(nights, 2);
  expect(later).toBeLessThanOrEqual((begun ?? 0) + EVIDENCE);
});

/** What is answered to any other limit than those that are served. */
function within(least: number, most: number, other: ReturnType<FalseAnswer>) {
  return ({ query }: Asked) => {
    const limit = Number(query.get("limit"));
    return limit >= least && limit <= most ? null : other;
  };
}

test("an address that is no list is refused at once", async () => {
  const nights = await beginNights({ quotes: libraryOf(90), cap: 100 });
  nights.service.script = (asked) => (isList(asked) ? answer({ info: "Quotes API" }) : null);
  const ended = await nights.run();
  expect([ended.status, ended.message]).toEqual([69, expect.stringContaining("info")]);
  expect(ended.requests).toBeLessThanOrEqual(20);
});

for (const { cases, options } of inTiers(
  [
    ["by key", 0, 14],
    ["by key", 12, 14],
    ["newest first", 4, 14],
    // Read in slices.
    ["by likes", 0, 27],
    ["by likes", 4, 27],
  ] as const,
  1,
))
  test.each(cases)(
    "seven records that answer 500, %s, with %i quotes deleted a day: %i requests, and three each, on later nights",
    options,
    async (order, deleted, healthy) => {
      const nights = await beginNights({ quotes: libraryOf(800), cap: 100, order });
      const { service } = nights;
      service.script = (asked) => {
        const rows = (pageIn(asked)?.results ?? []) as { pk?: number }[];
        const fails = isList(asked) && rows.some(({ pk = 1 }) => pk % 110 === 0);
        return fails ? answer({ detail: "A server error occurred." }, 500) : null;
      };
      const bad = [110, 220, 330, 440, 550, 660, 770];
      const requests: number[] = [];
      for (let night = 0; night < 5; night++) {
        const ended = await nights.run();
        expect([ended.status, isComplete(ended), ended.message]).toEqual([0, true, ""]);
        expect(nights.missing()).toEqual(bad);
        requests.push(ended.requests);
        const gone = new Set(range(deleted).map((at) => night + 1 + at * 61));
        service.quotes = service.quotes.filter(({ pk }) => !gone.has(pk) || bad.includes(pk));
      }
      // Deleted quotes are probed, twice where the question meets such a record.
      const most = healthy + 3 * bad.length + 4 * deleted;
      expect(Math.max(...requests.slice(2))).toBeLessThanOrEqual(most);
    },
  );

test.each([
  ["null in the place of", () => null],
  ["an empty text of", (row: object) => ({ ...row, quote: "" })],
  ["a null text of", (row: object) => ({ ...row, quote: null })],
])("rows with %s a deleted quote cost a healthy list nothing", async (_, spoil) => {
  const nights = await beginNights({ quotes: libraryOf(806), cap: 100 });
  const { service } = nights;
  service.script = (asked) => {
    const page = pageIn(asked);
    if (!isList(asked) || page === null) return null;
    const rows = page.results as { pk: number }[];
    return answer({ ...page, results: rows.map((row) => (row.pk % 40 === 0 ? spoil(row) : row)) });
  };
  const requests: number[] = [];
  for (let night = 0; night < 3; night++) {
    const ended = await nights.run();
    expect(ended).toMatchObject({ status: 0, label: "complete:proved" });
    expect(nights.keys()).toHaveLength(806 - 20);
    requests.push(ended.requests);
  }
  expect(requests[2]).toBeLessThanOrEqual(16);
});

const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
