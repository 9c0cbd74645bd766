/** A service that is wrong for a whole night, or in one way for ever: what is complete is whole, and nothing is removed. */
import { expect, test } from "vitest";
import {
  isFiltered,
  isList,
  FALSE_ANSWERS,
  answer,
  emptyPastWindow,
  endOfWindow,
  once,
  rows,
  type Asked,
  type FalseAnswer,
} from "./table.ts";
import {
  begin,
  beginSmall,
  expectKept,
  expectWhole,
  expectWholeOrNothing,
  isComplete,
} from "./nights.ts";
import { quoteAt, type FalseService } from "./service.ts";

const SIZE = 370;
const TRUE: FalseAnswer = () => null;

const from =
  (n: number, falseAnswer: FalseAnswer): FalseAnswer =>
  (asked, service) =>
    asked.list >= n ? falseAnswer(asked, service) : null;

test.each([1, 3, 6, 12, 16, 17, 18, 19])(
  "every list is empty from request %i on: a first harvest is whole or none, a second removes nothing",
  async (at) => {
    const nights = await beginSmall();
    nights.service.script = from(at, FALSE_ANSWERS["empty, next null"]);
    // Where nothing at all was served the harvest may be refused.
    expectWholeOrNothing(nights, await nights.run(), at === 1 ? [65] : []);
    nights.service.script = TRUE;
    expect(isComplete(await nights.run())).toBe(true);
    expectWhole(nights);
    const before = nights.published();
    nights.service.script = from(at, FALSE_ANSWERS["empty, next null"]);
    await nights.run();
    expectKept(nights, before);
  },
);

const EMPTY = FALSE_ANSWERS["empty, next null"];
const isLarge = ({ query }: Asked): boolean => query.get("limit") !== "1";

test.each<[string, number, status: number, FalseAnswer]>([
  ["no failure", 0, 65, EMPTY],
  ["429", 2, 65, FALSE_ANSWERS.throttled],
  ["500", 4, 75, FALSE_ANSWERS["server error"]],
  ["504", 3, 75, FALSE_ANSWERS["gateway time-out"]],
  ["HTML", 2, 75, FALSE_ANSWERS["HTML with 200"]],
  [
    "500 for larger pages, beside one quote",
    9,
    75,
    (asked, service) => (isLarge(asked) ? FALSE_ANSWERS["server error"](asked, service) : null),
  ],
  [
    "500 for larger pages, beside empty ones",
    6,
    75,
    (asked, service) =>
      FALSE_ANSWERS[isLarge(asked) ? "server error" : "empty, next null"](asked, service),
  ],
])("every list is empty after %s: %i answers, then status %i", async (_, count, status, before) => {
  const nights = await beginSmall();
  nights.service.script = (asked, service) =>
    !isList(asked) ? null : asked.list <= count ? before(asked, service) : EMPTY(asked, service);
  expect(await nights.run()).toMatchObject({ status, published: false });
  nights.service.script = TRUE;
  expect(isComplete(await nights.run())).toBe(true);
  expectWhole(nights);
});

test.each(["by key", "by likes", "random ties"] as const)(
  "filtered lists are empty for a night, in the order %s: nothing is removed",
  async (order) => {
    const nights = await beginSmall();
    nights.service.order = order;
    await nights.run();
    const before = nights.published();
    nights.service.script = (asked, service) => {
      if (asked.list === 8) voteUp(nights.service, 4);
      return FALSE_ANSWERS["filter index empty"](asked, service);
    };
    await nights.run();
    expectKept(nights, before);
    nights.service.script = TRUE;
    expect(isComplete(await nights.run())).toBe(true);
    expectWhole(nights);
  },
);

test("a quote that is gone is removed, though the first request for its neighbours fails", async () => {
  const nights = await beginSmall();
  await nights.run();
  nights.service.quotes = nights.service.quotes.filter(({ pk }) => pk !== 5);
  let asks = 0;
  nights.service.script = ({ query }) =>
    query.has("lang") && ++asks === 1 ? answer({ detail: "busy" }, 503) : null;
  expect(isComplete(await nights.run())).toBe(true);
  expect(asks).toBe(2);
  expectWhole(nights);
});

/** Drift: quotes that a walk by likes has not reached yet go where it has been. */
function voteUp(service: FalseService, count: number): void {
  const last = new Set(service.quotes.filter(({ likes }) => likes === 1).slice(0, count));
  service.quotes = service.quotes.map((quote) =>
    last.has(quote) ? { ...quote, likes: 18 } : quote,
  );
}

test.each<[string, (service: FalseService) => void]>([
  ["their language is null", withoutLanguage],
  ["minlength counts words", (service) => (service.length = "words")],
  ["minlength counts bytes", (service) => (service.length = "bytes")],
  ["minlength is ignored", (service) => (service.ignored = ["minlength", "maxlength"])],
  ["the language is ignored", (service) => (service.ignored = ["lang", "language"])],
])("an early end on a second night removes no quote, though %s", async (_, change) => {
  const nights = await beginSmall();
  change(nights.service);
  await nights.run();
  const before = nights.published();
  for (const at of [15, 16, 17, 18]) {
    nights.service.script = once(at, FALSE_ANSWERS["page cut, next null"]);
    const ended = await nights.run();
    expectKept(nights, before);
    expect(ended.status).not.toBe(65);
  }
});

function withoutLanguage(service: FalseService): void {
  service.quotes = service.quotes.map((quote) =>
    quote.pk % 3 === 0 ? { ...quote, language: null as unknown as string } : quote,
  );
}

test("a length too common for a page, some of it in no language: what is complete is whole", async () => {
  const nights = await begin(0);
  nights.service.quotes = Array.from({ length: 580 }, (_, at) => {
    const language = at % 23 < 5 ? (null as unknown as string) : (["en", "fr", "de"][at % 3] ?? "");
    return quoteAt(at + 1, { quote: `As long as all: ${String(at).padStart(4, "0")}`, language });
  });
  nights.service.order = "random ties";
  const ended = await nights.run();
  if (isComplete(ended)) expectWhole(nights);
  const asked = nights.service.journal.map(({ url }) => url.searchParams.get("lang"));
  expect(asked).not.toContain("und");
});

test.each([
  ["two empty pages in a row are followed", 222],
  ["four empty pages in a row are no end", 285],
])("rows are hidden after the page was cut: %s", async (_, last) => {
  const nights = await beginSmall();
  const visible = nights.service.keys().filter((pk) => pk <= 160 || pk > last);
  nights.service.script = rows((all) => all.filter(({ pk }) => pk <= 160 || pk > last));
  const ended = await nights.run();
  if (last < 250) expect(ended).toMatchObject({ status: 0, published: true });
  if (ended.published) expect(nights.keys()).toEqual(visible);
  else expect(ended.status).not.toBe(0);
});

test.each([2, 5, 12])(
  "one 404 at request %i of a service without a length filter is a fault and no end",
  async (at) => {
    const nights = await beginSmall();
    nights.service.ignored = ["minlength", "maxlength"];
    nights.service.script = once(at, FALSE_ANSWERS["not found"]);
    expectWholeOrNothing(nights, await nights.run());
  },
);

test("offsets past the 250th are silently empty, lengths are ignored: what is complete is whole", async () => {
  const nights = await begin(402, 25);
  nights.service.ignored = ["minlength", "maxlength"];
  nights.service.script = emptyPastWindow;
  expectWholeOrNothing(nights, await nights.run());
});

test.each([
  "server error",
  "filters ignored",
  "filter index empty",
  "bare object",
  "page cut, next null",
  "page cut, next kept",
] as const)(
  "the 250th row says that it is the last, and the first request by length is answered by: %s",
  async (name) => {
    const nights = await begin(402, 25);
    nights.service.quotes.push(quoteAt(403, { quote: "A long one. ".repeat(40) }));
    let asked = 0;
    nights.service.script = (question, service) =>
      question.query.has("minlength") && asked++ === 0
        ? FALSE_ANSWERS[name](question, service)
        : endOfWindow(question, service);
    expectWholeOrNothing(nights, await nights.run());
  },
);

test("the 75th row says that it is the last, and the request by length brings the half that is known", async () => {
  const nights = await begin(120, 20);
  const windowOf75: FalseAnswer = (asked) => {
    const page = asked.truth.body as { results: unknown[] };
    const room = Math.max(0, 75 - asked.offset);
    if (!isList(asked) || isFiltered(asked) || page.results.length < room) return null;
    return answer({ ...page, results: page.results.slice(0, room), next: null });
  };
  let lengths = 0;
  nights.service.script = (asked, service) =>
    asked.query.has("minlength") && lengths++ === 0
      ? FALSE_ANSWERS["page cut, next null"](asked, service)
      : windowOf75(asked, service);
  expectWholeOrNothing(nights, await nights.run());
});

/** Of 370 quotes, less than one in a hundred. */
const SPOILT = new Set([100, 200, 300]);

test("three records that cannot be read stay as published", async () => {
  const nights = await beginSmall();
  await nights.run();
  const before = nights.published();
  nights.service.script = rows((all) =>
    all.map((row) => (SPOILT.has(row.pk) ? { ...row, quote: 7 } : row)),
  );
  for (let night = 0; night < 2; night++) {
    const ended = await nights.run();
    expect(ended).toMatchObject({ status: 0, published: true });
    expect(isComplete(ended)).toBe(true);
    expect(ended.result?.harvest.quarantined).toBe(SPOILT.size);
    // Their keys were read, so none of them is asked for as if it were missing.
    expect(ended.requests).toBeLessThan(40);
    expectKept(nights, before);
  }
});

const NONE = answer({ next: null, previous: null, results: [] });

test("a list that seems to end twice, at a page and past it, is read on where its last page has a next", async () => {
  const nights = await beginSmall();
  let end = Number.POSITIVE_INFINITY;
  nights.service.script = (asked) => {
    // No question by length shows what the list hides.
    if (isFiltered(asked)) return answer({ detail: "unknown filter" }, 400);
    if (!isList(asked)) return null;
    const page = asked.truth.body as { results: unknown[] };
    if (asked.offset === end) return NONE;
    if (asked.offset < 100 || end < Number.POSITIVE_INFINITY) return null;
    end = asked.offset + page.results.length;
    return answer({ ...page, next: null });
  };
  expectWholeOrNothing(nights, await nights.run());
  expect(end).toBeLessThan(SIZE);
});

test("quotes that the list hides stay while every question is answered by nothing", async () => {
  const nights = await begin(400, 50);
  await nights.run();
  const all = nights.service.quotes;
  nights.service.quotes = all.filter(({ pk }) => pk % 40 !== 0);
  nights.service.script = (asked) => (isFiltered(asked) ? NONE : null);
  expect(isComplete(await nights.run())).toBe(true);
  nights.service.quotes = all;
  expectWhole(nights);
});

test.each([
  [50, "complete:proved"],
  [51, "best-effort"],
])(
  "where nothing shows whether %i quotes that the walk did not see still exist, the label is %s",
  async (deleted, label) => {
    const nights = await begin(1_500, 100);
    await nights.run();
    nights.service.quotes = nights.service.quotes.slice(deleted);
    nights.service.script = (asked) => (isFiltered(asked) ? NONE : null);
    const ended = await nights.run();
    expect([ended.status, ended.label, nights.keys().length]).toEqual([0, label, 1_500]);
    // What was asked in vain is asked again.
    nights.service.script = () => null;
    expect(await nights.run()).toMatchObject({ status: 0, label: "complete:proved" });
    expect(nights.keys()).toHaveLength(1_500 - deleted);
  },
);

test("a quote stays while the only other one in its language does not come back either", async () => {
  const nights = await begin(400, 50);
  const two = [700, 701].map((pk) => quoteAt(pk, { language: "nl" }));
  nights.service.quotes = [...nights.service.quotes, ...two];
  await nights.run();
  nights.service.quotes = nights.service.quotes.filter(({ pk }) => pk !== 700);
  nights.service.script = ({ query }) => (query.get("lang") === "nl" ? NONE : null);
  expect(isComplete(await nights.run())).toBe(true);
  expect(nights.keys()).toContain(700);
});

test("a page with next that lacks every second row, once, is asked for again", async () => {
  const nights = await beginSmall();
  const half = once(
    5,
    rows((all) => all.filter((_, at) => at % 2 === 0)),
  );
  nights.service.script = (asked, service) =>
    isFiltered(asked) ? answer({ detail: "unknown filter" }, 400) : half(asked, service);
  expectWholeOrNothing(nights, await nights.run());
});
