/** Pages with the right keys and false contents (docs/walk.md, section 4). Each over a socket. */
// @module-tag sized
import { expect, onTestFinished, test } from "vitest";
import type { WireQuote } from "../../src/contract/quote.ts";
import { harvest } from "../../src/harvest/index.ts";
import { toWire } from "../../src/contract/quote.ts";
import { json, startFaultServer, type Reply } from "../support/http/index.ts";
import { settingsFor, tempFolder } from "../support/run/index.ts";
import { answer } from "../support/service/index.ts";
import { publishedIn } from "../support/snapshot/index.ts";
import { inTiers, inTurn, LONG } from "../support/tier.ts";
import {
  begin,
  beginNights,
  expectKept,
  expectWhole,
  isComplete,
  type Nights,
} from "./false-answers/nights.ts";
import { libraryOf, type OrderName } from "./false-answers/service.ts";
import { once, rows, type FalseAnswer } from "./false-answers/table.ts";

const each = (change: (row: WireQuote, at: number, all: WireQuote[]) => object): FalseAnswer =>
  rows((page) => page.map((row, at) => ({ ...row, ...change(row, at, page) })));

const neighbour = (all: readonly WireQuote[], at: number): WireQuote =>
  all[(at + 1) % all.length] as WireQuote;

const FALSE_CONTENTS: readonly (readonly [string, FalseAnswer])[] = [
  ["one author for all", each(() => ({ author: "One Author" }))],
  ["no likes", each(() => ({ likes: 0 }))],
  ["one number of likes", each(() => ({ likes: 4_711 }))],
  ["one text for all", each(() => ({ quote: "Loading…" }))],
  ["the texts of the next rows", each((_, at, all) => ({ quote: neighbour(all, at).quote }))],
  ["the authors of the next rows", each((_, at, all) => ({ author: neighbour(all, at).author }))],
  ["the rows of other keys", each(({ pk }, at, all) => ({ ...neighbour(all, at), pk }))],
  ["no tags", each(() => ({ tags: [] }))],
  ["one language for all", each(() => ({ language: "en" }))],
  ["texts cut short", each(({ quote }) => ({ quote: quote.slice(0, 12) }))],
  ["texts in capitals", each(({ quote }) => ({ quote: quote.toUpperCase() }))],
  ["a picture for all", each(() => ({ image: "http://example.com/spinner.gif" }))],
];

/** What is published is what the service has. */
function expectTrue(nights: Nights, name = ""): void {
  expectWhole(nights);
  const truth = new Map(nights.service.quotes.map((quote) => [quote.pk, quote]));
  const wrong = nights.published().filter((quote) => {
    const now = truth.get(quote.pk);
    return (
      JSON.stringify(Object.entries(quote).sort()) !==
      JSON.stringify(Object.entries(now ?? {}).sort())
    );
  });
  expect(wrong.slice(0, 2), `${name}: ${wrong.length} quotes have false contents`).toEqual([]);
}

const ORDERS: readonly (readonly [OrderName, answer: number])[] = [
  ["by key", 2],
  ["newest first", 6],
  ["by likes", 9],
];

const PLACED = FALSE_CONTENTS.map(([what, lie], at) => [what, lie, at] as const);

test.each(PLACED)("a page with %s, once, changes nothing published", async (_, lie, at) => {
  for (const [order, n] of inTurn(ORDERS, at)) {
    const nights = await beginNights({ quotes: libraryOf(370), cap: 25, order });
    await nights.run();
    await nights.run();
    const honest = await nights.run();
    const before = nights.published();
    nights.service.script = once(n, lie);
    const ended = await nights.run();
    expect([ended.status, isComplete(ended)], order).toEqual([0, true]);
    expectTrue(nights, order);
    expectKept(nights, before);
    if (order === "by key") expect(ended.requests - honest.requests).toBeLessThanOrEqual(2);
    await nights.end();
  }
});

for (const { cases, options } of inTiers(PLACED, 6))
  test.each(cases)(
    "a page with %s, once, is not in a first harvest",
    options,
    async (_, lie, at) => {
      for (const n of inTurn([1, 4, 8], at)) {
        const nights = await beginNights({ quotes: libraryOf(370), cap: 25 });
        nights.service.script = once(n, lie);
        const ended = await nights.run();
        expect([ended.status, isComplete(ended)], `answer ${n}`).toEqual([0, true]);
        expectTrue(nights);
        await nights.end();
      }
    },
  );

test.each<[string, shown: boolean, OrderName]>([
  ["that no other answer shows", false, "by key"],
  ["that no other answer shows", false, "newest first"],
  ["that one other answer shows", true, "by key"],
  ["that one other answer shows", true, "newest first"],
])("the text of a deleted quote %s is not that of a false page, %#", async (_, shown, order) => {
  // The second request is for the second page: pages of 24 are no default.
  const nights = await beginNights({ quotes: libraryOf(120), cap: 24, order });
  const { service } = nights;
  const lie = each((_row, at, all) => ({ quote: neighbour(all, at).quote }));
  const pk = order === "by key" ? 10 : 110;
  service.script = (asked, pages) => {
    if (asked.list === 1) return lie(asked, pages);
    // The answer to another request: the first page in the place of the second.
    const start = new URL(asked.url);
    start.searchParams.set("offset", "0");
    if (asked.list === 2 && shown) return { ...asked.truth, body: pages.page(start, []) };
    if (asked.list !== (shown ? 3 : 2)) return null;
    service.quotes = service.quotes.filter((one) => one.pk !== pk);
    return { ...asked.truth, body: pages.page(asked.url, []) };
  };
  const ended = await nights.run({ concurrency: 1 });
  const ownText = libraryOf(120)[pk - 1]?.quote;
  const published = nights.published().find((one) => one.pk === pk)?.quote;
  const isTrue = published === undefined || published === ownText;
  expect([ended.status, isTrue || !isComplete(ended)]).toEqual([0, true]);
  if (shown) expect(published).toBe(ownText);
  service.script = () => null;
  expect(await nights.run()).toMatchObject({ status: 0, label: "complete:proved" });
  expectTrue(nights);
});

test.each<[OrderName, gone: number]>([
  ["by key", 3],
  ["by key", 10],
  ["by key", 24],
  ["newest first", 3],
  ["newest first", 24],
])(
  "true texts of two answers replace false ones of two earlier: %s, %i gone",
  async (order, gone) => {
    const nights = await beginNights({ quotes: libraryOf(120), cap: 25, order });
    await nights.run();
    const lie = each(() => ({ quote: "Loading…" }));
    const { service } = nights;
    service.script = (asked, pages) => {
      if (asked.list === 2 || asked.list === 3) return lie(asked, pages);
      if (asked.list !== 4) return null;
      // Rows move up, so that the next window is read again from further ahead.
      const ranked = service.quotes.toSorted((a, b) => a.pk - b.pk);
      const first = order === "by key" ? ranked.slice(0, gone) : ranked.slice(-gone);
      service.quotes = service.quotes.filter((quote) => !first.includes(quote));
      return { ...asked.truth, body: pages.page(asked.url, []) };
    };
    const ended = await nights.run({ concurrency: 1 });
    const wrong = nights.published().filter(({ quote }) => quote === "Loading…");
    expect([ended.status, wrong.length]).toEqual([0, 0]);
    service.script = () => null;
    expect(await nights.run()).toMatchObject({ status: 0, label: "complete:proved" });
    expectTrue(nights);
  },
);

test("the report names what changed in one answer alone", async () => {
  const nights = await begin(370, 25);
  await nights.run();
  nights.service.script = once(
    3,
    each(() => ({ author: "One Author" })),
  );
  const { result } = await nights.run();
  expect(result?.remarks.join("\n")).toMatch(
    /author of 2[45] quotes changed in one answer and not in another: the published value stays \(\d+, .*…\)/,
  );
});

test.each<[string, (quote: WireQuote) => Partial<WireQuote>]>([
  ["a tag has another name", ({ tags }) => ({ tags: tags.map((tag) => `new-${tag}`) })],
  ["one tag is added", ({ tags }) => ({ tags: [...tags, "wisdom"] })],
  ["texts have other marks", ({ quote }) => ({ quote: `“${quote}”` })],
  ["authors are written in capitals", ({ author }) => ({ author: author?.toUpperCase() ?? null })],
  ["likes begin anew", ({ pk }) => ({ likes: 1_000 + (pk % 7) })],
])("what an operator changes everywhere is published the same night: %s", async (_, change) => {
  const nights = await begin(806, 100);
  await nights.run();
  const honest = await nights.run();
  nights.service.quotes = nights.service.quotes.map((one) => ({ ...one, ...change(one) }));
  const ended = await nights.run();
  expect([ended.status, ended.label]).toEqual([0, "complete:proved"]);
  expect(ended.requests).toBeLessThanOrEqual(honest.requests + 2);
  expectTrue(nights);
});

test("votes for every quote cost no request", async () => {
  const nights = await begin(806, 100);
  for (let night = 0; night < 2; night++) await nights.run();
  const honest = await nights.run();
  nights.service.quotes = nights.service.quotes.map((one) => ({ ...one, likes: one.likes + 1 }));
  const ended = await nights.run();
  expect(ended.requests).toBe(honest.requests);
  expectTrue(nights);
});

test("values that change on every answer stay as published, within few requests", async () => {
  const nights = await begin(806, 100);
  await nights.run();
  const honest = await nights.run();
  const before = nights.published();
  let count = 0;
  nights.service.script = (asked, service) =>
    each(() => ({ author: `Author of answer ${count++}` }))(asked, service);
  const ended = await nights.run();
  expect(ended.requests).toBeLessThanOrEqual(honest.requests + 4);
  expect(nights.published()).toEqual(before);
});

/** Milliseconds in which a second request gets the answer of the first, and the first that of the second. */
const RACE_MS = 10;

test("a service that mixes up parallel requests is asked one by one", async () => {
  const quotes = libraryOf(1_606);
  let waiting: { reply: Reply } | null = null;
  let mixed = 0;
  const server = await startFaultServer(({ url }) => (response, request) => {
    const mine = { reply: json(answer(quotes, url, { cap: 100 })) };
    const other = waiting;
    if (other === null) {
      waiting = mine;
    } else {
      waiting = null;
      mixed++;
      [other.reply, mine.reply] = [mine.reply, other.reply];
    }
    setTimeout(() => {
      if (waiting === mine) waiting = null;
      mine.reply(response, request);
    }, RACE_MS);
  });
  onTestFinished(() => server.close());
  const stateDir = tempFolder();
  const settings = settingsFor(server.url, stateDir, { concurrency: 4 });
  const { signal } = new AbortController();
  const { harvest: fact } = await harvest({ settings, signal });
  expect(fact.label).toMatch(/^complete:/);
  expect(publishedIn(stateDir).map(toWire)).toEqual(quotes);
  expect(mixed).toBeLessThanOrEqual(8);
});

/** As a join with a table of translations: every fifth key has two rows. */
const joined = (quotes: readonly WireQuote[], isFirst: boolean): WireQuote[] =>
  quotes.flatMap((row) => {
    if (row.pk % 5 !== 0) return [row];
    const other = { ...row, quote: `Traduction ${row.pk}.`, language: "it" };
    return isFirst ? [other, row] : [row, other];
  });

test.each<[string, (rows: WireQuote[], night: number) => WireQuote[]]>([
  ["beside each other", (rows, night) => joined(rows, night > 0)],
  ["in two parts of the list", (rows, night) => apart(rows, night % 2 === 0)],
  ["sorted by language", (rows) => joined(rows, false).sort(byLanguage)],
])("keys with two texts keep the published one, and are named: %s", async (_, serve) => {
  const nights = await begin(300, 50);
  const truth = nights.service.quotes;
  nights.service.order = "as written";
  const texts: Map<number, string>[] = [];
  for (let night = 0; night < 3; night++) {
    nights.service.quotes = serve([...truth], night);
    const ended = await nights.run();
    expect(ended.status === 0 ? "" : ended.message).toBe("");
    texts.push(new Map(nights.published().map(({ pk, quote }) => [pk, quote])));
    expect(texts.at(-1)?.size).toBe(300);
    expect(ended.result?.remarks.join("\n")).toMatch(/keys came with two texts: .*\(\d+, /);
  }
  expect(texts[1]).toEqual(texts[0]);
  expect(texts[2]).toEqual(texts[0]);
});

/** All translations before or after the other rows. */
function apart(rows: WireQuote[], isFirst: boolean): WireQuote[] {
  const all = joined(rows, false);
  const isOther = ({ quote }: WireQuote): boolean => quote.startsWith("Traduction");
  const parts = [all.filter(isOther), all.filter((row) => !isOther(row))];
  return (isFirst ? parts : parts.toReversed()).flat();
}

const byLanguage = (a: WireQuote, b: WireQuote): number => a.language.localeCompare(b.language);

/** As the key of each text is its last word. */
const wrongTexts = (nights: Nights): WireQuote[] =>
  nights.published().filter(({ pk, quote }) => !quote.endsWith(` ${pk}.`));

/** Answers of a night, for each order of the list. */
const ANSWERS = ORDERS.map(([order], place) => {
  const answers = Array.from({ length: 15 }, (_, at) => at + 1);
  return [order, answers.filter((n) => LONG || n % ORDERS.length === place)] as const;
});

test.each(ANSWERS)(
  "%s: false texts on a page of few quotes are not published",
  async (order, answers) => {
    for (const n of answers) {
      const nights = await beginNights({ quotes: libraryOf(60), cap: 4 + (n % 5), order });
      await nights.run();
      await nights.run();
      const { service } = nights;
      const lie = once(
        n,
        each((_, at, all) => ({ ...neighbour(all, at), pk: all[at]?.pk })),
      );
      service.script = (asked, pages) => {
        const page = lie(asked, pages);
        const first = (asked.truth.body as { results?: WireQuote[] }).results?.[0]?.pk;
        // No later answer of the night corrects the first row.
        if (page !== null) service.quotes = service.quotes.filter(({ pk }) => pk !== first);
        return page;
      };
      const ended = await nights.run();
      expect([0, 75], ended.message).toContain(ended.status);
      expect(wrongTexts(nights), `answer ${n}`).toEqual([]);
      await nights.end();
    }
  },
);

test.each(ORDERS)("%s: one corrected text on a page of few quotes is published", async (order) => {
  const nights = await beginNights({ quotes: libraryOf(60), cap: 5, order });
  await nights.run();
  await nights.run();
  const { service } = nights;
  service.quotes = service.quotes.map((one) =>
    one.pk % 20 === 3 ? { ...one, quote: `A corrected text, ${one.pk}.` } : one,
  );
  const ended = await nights.run();
  expect([ended.status, isComplete(ended)]).toEqual([0, true]);
  expectTrue(nights);
});

test("a quote that a probe finds with another text has it after the walk of the same night", async () => {
  const nights = await beginNights({ quotes: libraryOf(300), cap: 25 });
  await nights.run();
  const { service } = nights;
  const [hidden] = service.quotes.splice(100, 1);
  service.ignored = ["minlength", "maxlength"];
  await nights.run();
  expect(nights.keys()).toContain(hidden?.pk);
  service.ignored = [];
  service.quotes.splice(100, 0, { ...(hidden as WireQuote), quote: "It came back corrected." });
  await nights.run();
  expectTrue(nights);
});
