/**
 * Twenty nights of few calls against a healthy service whose quotes come and go: every walk ends in time, quotes that
 * are gone leave the site, and no night is refused.
 */
import { expect, test } from "vitest";
import { json } from "../support/http/index.ts";
import { seeded } from "../support/run/index.ts";
import { cutPage, startHarvests } from "../support/service/index.ts";
import { beginNights, isComplete, type Ended, type Nights } from "./false-answers/nights.ts";
import { libraryOf, quoteAt, type OrderName } from "./false-answers/service.ts";
import { inTiers } from "../support/tier.ts";

const NIGHTS = 20;
/** Quotes that are gone and still published, after a complete harvest. */
const MOST_GHOSTS = 19;
/** Nights from one complete harvest to the next. */
const LONGEST_GAP = 10;

interface Case {
  readonly calls: number;
  readonly size: number;
  readonly cap: number;
  readonly order: OrderName;
  /** Quotes that are deleted each day; as many others are added. */
  readonly daily: number;
  readonly wholeBefore?: true;
}

const CASES: readonly Case[] = [
  { calls: 10, size: 403, cap: 25, order: "by key", daily: 3 },
  { calls: 10, size: 403, cap: 25, order: "newest first", daily: 2, wholeBefore: true },
  { calls: 3, size: 60, cap: 100, order: "by key", daily: 5 },
  { calls: 3, size: 300, cap: 50, order: "by key", daily: 1 },
  { calls: 3, size: 300, cap: 50, order: "newest first", daily: 0 },
];

function aDay({ service }: Nights, daily: number, random: () => number): void {
  for (let done = 0; done < daily; done++) {
    service.quotes.splice(Math.floor(random() * service.quotes.length), 1);
    service.quotes.push(quoteAt(++service.newest));
  }
}

function ghosts(nights: Nights): number {
  const listed = new Set(nights.service.keys());
  return nights.keys().filter((pk) => !listed.has(pk)).length;
}

for (const { cases, options } of inTiers(CASES, 3))
  test.each(cases)(
    "$calls calls a night, $size quotes $order, $daily deleted a day: twenty nights",
    options,
    async ({ calls, size, cap, order, daily, wholeBefore }) => {
      const random = seeded(size + calls);
      const nights = await beginNights({ quotes: libraryOf(size), cap, order, random });
      const ended: Ended[] = wholeBefore === true ? [await nights.run()] : [];
      let gap = 0;
      for (let night = 1; night <= NIGHTS; night++) {
        const one = await nights.run({ maxRequests: calls });
        ended.push(one);
        const name = `night ${night}`;
        expect(one.requests, name).toBeLessThanOrEqual(calls);
        // Nothing is published before the first walk has ended.
        expect(ended.some(isComplete) ? [0] : [75], name).toContain(one.status);
        gap = isComplete(one) ? 0 : gap + 1;
        expect(gap, `${name}: nights since a complete one`).toBeLessThanOrEqual(LONGEST_GAP);
        if (isComplete(one)) {
          const left = ghosts(nights);
          expect(left, `${name}: ghosts after a complete harvest`).toBeLessThanOrEqual(MOST_GHOSTS);
        }
        aDay(nights, daily, random);
      }
      // The first of these may go on with a walk of earlier nights.
      for (let night = 0; night < 2; night++) expect(isComplete(await nights.run())).toBe(true);
      expect(nights.keys()).toEqual(nights.service.keys());
    },
  );

/** Nights from one complete harvest to the next, where the list is read in slices by two requests a night. */
const LONGEST_BY_SLICES = 40;

for (const { cases, options } of inTiers(
  [
    [40, 3],
    [30, 1],
  ],
  1,
))
  test.each(cases)(
    "three calls a night, 5 of 300 come and go, newest first, pages of %i: never refused or stuck",
    options,
    async (cap, seed) => {
      const random = seeded(seed);
      const nights = await beginNights({
        quotes: libraryOf(300),
        cap,
        order: "newest first",
        random,
      });
      await nights.run();
      let gap = 0;
      for (let night = 1; night <= 90; night++) {
        aDay(nights, 5, random);
        const ended = await nights.run({ maxRequests: 3 });
        expect(ended.status, `night ${night}: ${ended.message}`).toBe(0);
        gap = isComplete(ended) ? 0 : gap + 1;
        expect(gap, `night ${night}: nights since a complete one`).toBeLessThan(LONGEST_BY_SLICES);
      }
    },
  );

test("three calls a night: gone quotes of very different lengths leave after the next walk", async () => {
  const quotes = Array.from({ length: 300 }, (_, at) => {
    const quote = `Words ${at} ${"and more of them ".repeat(1 + ((at * 7_919) % 23))}`;
    return quoteAt(at + 1, { quote, language: ["en", "fr", "de", "ar"][at % 4] ?? "" });
  });
  const nights = await beginNights({ quotes, cap: 20 });
  await nights.run();
  nights.service.quotes = quotes.filter(({ pk }) => pk % 50 !== 7);
  for (let night = 0; night < 20 && ghosts(nights) > 0; night++)
    await nights.run({ maxRequests: 3 });
  expect(ghosts(nights)).toBe(0);
});

test.each([3, 12])(
  "%i calls a night, four in flight: a list whose large offsets are refused is read whole",
  { tags: "long" },
  async (maxRequests) => {
    const { service, run, keys } = await startHarvests(180);
    service.fault = ({ url }) => {
      const isDeep = Number(url.searchParams.get("offset")) > 90;
      return isDeep && !url.searchParams.has("minlength") ? json({}, 400) : null;
    };
    for (let night = 0; night < 25 && keys().length === 0; night++)
      await run({ maxRequests, concurrency: 4 });
    expect(keys()).toHaveLength(180);
  },
);

test("twelve calls a night read a list whose pages never say where it ends", async () => {
  const { service, run, keys } = await startHarvests(400, 50);
  service.fault = ({ url }) =>
    url.pathname.endsWith("/quotes/")
      ? json(cutPage(service.quotes, url, { cap: 50 }).results)
      : null;
  const published: boolean[] = [];
  for (let night = 0; night < 8; night++)
    published.push((await run({ maxRequests: 12 })).published);
  expect(published).toContain(true);
  expect(keys()).toHaveLength(400);
});
