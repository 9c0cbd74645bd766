/** Harvests after night: what is removed, what stays, and what is refused (docs/walk.md, sections 1 and 5). */
import { expect, test } from "vitest";
import { json } from "../support/http/index.ts";
import { publishedIn } from "../support/snapshot/index.ts";
import { startHarvests, wireQuote } from "../support/service/index.ts";
import { inTiers } from "../support/tier.ts";

test("a quote that the list hides and a question finds is kept, and the walk is no longer trusted", async () => {
  const { service, run, keys } = await startHarvests(300);
  await run();
  const all = service.quotes;
  service.fault = ({ url }) => {
    const asked = url.searchParams.has("minlength") || url.pathname !== "/apiv1/quotes/";
    service.quotes = asked ? all : all.filter(({ pk }) => pk !== 77);
    return null;
  };
  const result = await run();
  expect(result.harvest.label).toBe("complete:sliced");
  expect(result.harvest.repaired).toBeGreaterThan(0);
  expect(keys()).toContain(77);
});

test.each([
  ["in all", 2_000, (pk: number) => pk <= 1_800, /200 of 2000 quotes are gone, and at most 100/],
  ["in one language", 3_000, (pk: number) => pk % 3 !== 1 || pk > 240, /in the language "fr"/],
])("more than may vanish %s is refused, unless it is allowed", async (_, size, stays, message) => {
  const { service, run, keys } = await startHarvests(size, 100);
  await run();
  service.quotes = service.quotes.filter(({ pk }) => stays(pk));
  await expect(run()).rejects.toThrow(message);
  expect(keys()).toHaveLength(size);
  const requests = service.journal.length;
  await run({ allowShrink: true });
  expect(keys()).toEqual(service.quotes.map(({ pk }) => pk));
  // What is published was read anew: the refused run proves nothing of tonight.
  expect(service.journal.length - requests).toBeGreaterThan(service.quotes.length / 100);
});

const DAY_MS = 86_400_000;

for (const { cases, options } of inTiers<[days: number, gone: number, refused: RegExp | null]>(
  [
    [0, 100, null],
    [0.9, 101, /101 of 2000 quotes are gone, and at most 100 may; --allow-shrink/],
    [3, 160, null],
    [3, 161, /and at most 160 may \(100, and 60 since the last complete harvest 3 days ago\);/],
    [1.5, 121, /and at most 120 may \(100, and 20 since the last complete harvest 1 day ago\);/],
    [60, 396, null],
    [60, 401, /and at most 400 may \(100, and 300 since the last complete harvest 60 days ago\);/],
    // A clock that was ahead.
    [-60, 101, /and at most 100 may;/],
  ],
  4,
))
  test.each(cases)(
    "after %d days %i of 2,000 quotes may be gone, or not",
    options,
    async (days, gone, refused) => {
      const { service, run, keys } = await startHarvests(2_000, 100);
      await run();
      const now = Date.now();
      const later = { now: () => now + days * DAY_MS };
      service.quotes = service.quotes.filter(({ pk }) => pk > gone);
      if (refused === null) {
        expect((await run({}, later)).change.removed).toBe(gone);
        expect(keys()).toHaveLength(2_000 - gone);
      } else await expect(run({}, later)).rejects.toThrow(refused);
    },
  );

test.each<[days: number, gone: number, added: number, refused: RegExp | null]>([
  [1, 160, 40, null],
  [
    1,
    161,
    41,
    /at most 160 may \(100, and 20 since .* 1 day ago, and 40 that new quotes replace\)/,
  ],
  // 1.7 % a day come and go: of a state of two months ago a third is left.
  [60, 1_285, 1_285, null],
  [60, 1_285, 300, /at most 700 may/],
  // A mass delete, and another collection at the same address.
  [1, 1_000, 0, /1000 of 2000 quotes are gone, and at most 120 may/],
  [30, 1_400, 700, /at most 1100 may/],
  [7, 2_000, 2_000, /at most 520 may/],
])(
  "after %d days %i of 2,000 quotes are gone, and %i are new: refused by %s",
  async (days, gone, added, refused) => {
    const { service, run, keys } = await startHarvests(2_000, 100);
    await run();
    const now = Date.now();
    const later = { now: () => now + days * DAY_MS };
    const fresh = Array.from({ length: added }, (_, at) => wireQuote(2_001 + at));
    service.quotes = [...service.quotes.filter(({ pk }) => pk > gone), ...fresh];
    if (refused === null) {
      await run({}, later);
      expect(keys()).toHaveLength(2_000 - gone + added);
    } else await expect(run({}, later)).rejects.toThrow(refused);
  },
);

test.each<[days: number, lost: number, refused: boolean]>([
  [0, 100, false],
  [0.9, 101, true],
  [3, 160, false],
  [3, 161, true],
  [60, 401, true],
])("after %d days %i of 2,000 quotes may lose their author: %s", async (days, lost, refused) => {
  const { service, run } = await startHarvests(2_000, 100);
  for (const quote of service.quotes) Object.assign(quote, { author: `Author ${quote.pk % 9}` });
  await run();
  const now = Date.now();
  const later = { now: () => now + days * DAY_MS };
  service.quotes = service.quotes.map((one) => (one.pk > lost ? one : { ...one, author: null }));
  const night = run({}, later);
  if (refused) await expect(night).rejects.toThrow(`${lost} of 2000 quotes lost their author`);
  else expect((await night).change.changed).toBe(lost);
});

test("nights that were not complete do not make what is published younger", async () => {
  const { service, run } = await startHarvests(2_000, 100);
  await run();
  const now = Date.now();
  const after = (days: number) => ({ now: () => now + days * DAY_MS });
  service.quotes = service.quotes.filter(({ pk }) => pk > 150);
  const night = await run({ maxRequests: 4 }, after(4));
  expect(night).toMatchObject({ published: true, harvest: { label: "partial" } });
  await run({}, after(5));
  expect((await run({}, after(5.1))).quotes).toBe(1_850);
});

test("a part of a harvest merges what is new and changed and removes nothing", async () => {
  const { service, run, keys } = await startHarvests(300);
  await run();
  service.quotes = service.quotes.filter(({ pk }) => pk !== 5);
  service.quotes[0] = wireQuote(1, { likes: 77 });
  const night = await run({ maxRequests: 4 });
  expect(night).toMatchObject({ published: true, exitStatus: 0 });
  expect(night.harvest.label).toBe("partial");
  expect(keys()).toHaveLength(300);
});

test("a gone quote leaves though many are of its length and pages are small", async () => {
  const { service, run, keys } = await startHarvests(240, 7);
  for (const quote of service.quotes)
    Object.assign(quote, { quote: `${quote.pk}`.padEnd(40, "x") });
  await run();
  service.quotes.splice(100, 1);
  const { change, harvest } = await run();
  expect(change).toEqual({ added: 0, changed: 0, removed: 1, deselected: 0 });
  expect(harvest).toMatchObject({ label: "complete:proved", removed: 1, repaired: 0 });
  expect(keys()).toHaveLength(239);
});

test("without a whole harvest before it a part is not published, unless it is allowed", async () => {
  const { service, run, keys } = await startHarvests(300);
  const first = await run({ maxRequests: 4 });
  expect(first).toMatchObject({ published: false, snapshot: null, exitStatus: 75 });
  const second = await run({ maxRequests: 4, allowPartial: true });
  expect(second).toMatchObject({ published: true, exitStatus: 0 });
  expect(keys().length).toBeGreaterThan(100);
  // It is one harvest, of two runs.
  expect(second.harvest.requests).toBe(service.journal.length);
});

test("on a night that will not reach the end, the most liked, the newest and the quote of the day come first", async () => {
  const { service, run } = await startHarvests(600);
  await run();
  service.quotes[300] = wireQuote(301, { likes: 1_000 });
  service.quotes.push(wireQuote(601));
  service.journal.length = 0;
  const night = await run({ maxRequests: 12 });
  expect(night.change).toMatchObject({ added: 1, changed: 1, removed: 0 });
  expect(service.journal.map(({ url }) => url.pathname)).toContain("/apiv1/qod/");
});

test("a service that has numbered its quotes anew is refused with that reason, once", async () => {
  const { service, run, keys } = await startHarvests(120);
  await run();
  service.quotes = service.quotes.map((quote) => ({ ...quote, pk: quote.pk + 5_000 }));
  await expect(run()).rejects.toThrow(
    "120 of 120 quotes are gone, and at most 50 may; 120 texts of them came with other keys: the service has numbered its quotes anew; --allow-shrink publishes it",
  );
  await run({ allowShrink: true });
  expect(keys()).toEqual(service.quotes.map(({ pk }) => pk));
  await run();
});

for (const { cases, options } of inTiers([402, 500], 1))
  test.each(cases)(
    "a list that ends at an offset which the service answers with %i says what the service said, and how to publish a part",
    options,
    async (status) => {
      const { service, run } = await startHarvests(120);
      service.fault = ({ url }) => {
        for (const name of ["minlength", "maxlength", "lang", "order"])
          url.searchParams.delete(name);
        return Number(url.searchParams.get("offset")) < 60
          ? null
          : json({ detail: "Upgrade to read on." }, status);
      };
      const { stopped, published } = await run();
      expect(published).toBe(false);
      expect(stopped?.replace(/about \d+/, "about N")).toMatch(
        `the service refuses offsets from about N (the service answered ${status} "Upgrade to read on."), and slices do not show it either; --allow-partial publishes what it shows`,
      );
    },
  );

test.each<[string, (code: string) => string]>([
  ["in capitals", (code) => code.toUpperCase()],
  ["with a region", (code) => `${code}-US`],
])("a deploy in mid-walk that writes codes %s stops no later night", async (_, rename) => {
  const { service, run, keys } = await startHarvests(400);
  await run();
  const before = service.quotes;
  const after = before.map((row) => ({ ...row, language: rename(String(row.language)) }));
  let asked = 0;
  service.fault = () => {
    service.quotes = ++asked > 6 ? after : before;
    return null;
  };
  for (let night = 0; night < 3; night++) {
    expect((await run()).harvest.label).toBe("complete:proved");
    expect(keys()).toHaveLength(400);
  }
});

test.each<[string, (text: string) => string]>([
  ["loses letters", (text) => text.replace(/[^\x00-\x7F]/g, "?")],
  ["reads UTF-8 as Latin-1", (text) => Buffer.from(text).toString("latin1")],
  ["sends U+FFFD", (text) => text.replace(/[^\x00-\x7F]/g, "\uFFFD")],
])("one server of three that %s shows nothing in a first harvest", async (_, damage) => {
  const { service, run, stateDir } = await startHarvests(240);
  const whole = service.quotes.map((quote) => ({
    ...quote,
    quote: quote.pk % 7 === 3 ? `L’été à ${quote.pk}: ça va?` : quote.quote,
  }));
  const damaged = whole.map((row) => ({ ...row, quote: damage(row.quote) }));
  const asked = new Set<string>();
  service.fault = ({ url }) => {
    const offset = url.searchParams.get("offset") ?? "";
    // The next answer is of another server.
    service.quotes = asked.size % 3 === 1 && !asked.has(offset) ? damaged : whole;
    asked.add(offset);
    return null;
  };
  await run();
  const texts = publishedIn(stateDir).map(({ text }) => text);
  expect(texts).toEqual(whole.map(({ quote }) => quote));
});

test("one server that loses letters changes no text for good", async () => {
  const { service, run, stateDir } = await startHarvests(120);
  const whole = service.quotes.map((quote) => ({ ...quote, quote: `L’été ${quote.pk}: ça va?` }));
  const damaged = whole.map((row) => ({ ...row, quote: row.quote.replace(/[^\x00-\x7F]/g, "?") }));
  const texts = (): string[] => publishedIn(stateDir).map(({ text }) => text);
  const isDamaged = (text: string): boolean => text.startsWith("L?");
  const serve = (badServers: readonly number[]): void => {
    let asked = 0;
    service.fault = () => {
      service.quotes = badServers.includes(asked++ % 4) ? damaged : whole;
      return null;
    };
  };
  serve([0, 1, 2, 3]);
  await run();
  expect(texts().every(isDamaged)).toBe(true);
  expect((await run()).harvest.requests).toBeLessThan(20);
  serve([]);
  await run();
  expect(texts()).toEqual(whole.map(({ quote }) => quote));
  serve([0, 2, 3]);
  expect((await run()).change).toMatchObject({ changed: 0, removed: 0 });
  expect(texts()).toEqual(whole.map(({ quote }) => quote));
});
