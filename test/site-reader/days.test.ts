/** The quotes of the days: each quote its day, and kept as they were shown. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { dayOf, placeOfDay } from "../../src/site/index.ts";
import { makeSite } from "../support/site/index.ts";
import { makeSnapshot } from "../support/snapshot/index.ts";
import { tempFolder } from "../support/run/index.ts";

const quotes = (count: number, without: readonly number[] = []) =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    language: ["en", "he"][index % 2] ?? "en",
  })).filter(({ id }) => !without.includes(id));

/** A build of one day: what it keeps, and the reader after it. */
function build(stateDir: string, date: string, collection: ReturnType<typeof quotes>) {
  makeSnapshot({ quotes: collection, stateDir });
  const site = makeSite([], { stateDir, date });
  site.storeToday();
  return site;
}

test("a day that has not come yet is not shown, and shown again when it has", () => {
  const stateDir = tempFolder("days");
  build(stateDir, "2026-11-20", quotes(40));
  build(stateDir, "2026-12-24", quotes(40));
  const today = build(stateDir, "2026-11-21", quotes(40));
  expect(today.days()).toEqual(["2026-11-20", "2026-11-21"]);
  expect(today.dayPage("2026-11-21").next).toBeNull();
  const days = build(stateDir, "2026-12-24", quotes(40)).days();
  expect(days).toEqual(["2026-11-20", "2026-11-21", "2026-12-24"]);
});

const idsOn = (site: ReturnType<typeof build>, date: string) =>
  site.dayPage(date).cards.map(({ quote }) => quote.id);

test("dayPage() of a past day stays the same when the collection changes", () => {
  const stateDir = tempFolder("days");
  const shown = build(stateDir, "2026-11-20", quotes(40)).today();
  const before = shown.cards.map(({ quote }) => quote.id);
  const later = build(stateDir, "2026-11-21", quotes(77));
  expect(later.days()).toEqual(["2026-11-20", "2026-11-21"]);
  expect(idsOn(later, "2026-11-20")).toEqual(before);
  expect(later.dayPage("2026-11-20")).toMatchObject({
    isMissing: false,
    previous: null,
    next: "2026-11-21",
  });
  const keyOf = (site: typeof later) =>
    [...site.dayPages()].find(({ term }) => term === "2026-11-20");
  expect(keyOf(build(stateDir, "2026-11-22", quotes(78)))).toEqual(keyOf(later));
});

test("dayPage() shows no quote that is gone, and notes that it is missing; today gets another", () => {
  const stateDir = tempFolder("days");
  const site = build(stateDir, "2026-11-20", quotes(40));
  const [gone = 0, stays = 0] = idsOn(site, "2026-11-20");
  const sameDay = build(stateDir, "2026-11-20", quotes(40, [gone]));
  expect(sameDay.today().cards).toHaveLength(2);
  expect(sameDay.dayPage("2026-11-20").isMissing).toBe(false);
  const other = tempFolder("days");
  build(other, "2026-11-20", quotes(40));
  const nextDay = build(other, "2026-11-21", quotes(40, [gone]));
  expect(idsOn(nextDay, "2026-11-20")).toEqual([stays]);
  expect(nextDay.dayPage("2026-11-20").isMissing).toBe(true);
});

test("days() has one year, and begins anew where the state cannot be read", () => {
  const stateDir = tempFolder("days");
  build(stateDir, "2025-11-20", quotes(4));
  build(stateDir, "2025-11-21", quotes(4));
  expect(build(stateDir, "2026-11-21", quotes(4)).days()).toEqual(["2025-11-21", "2026-11-21"]);
  for (const damaged of ["{", "[]", '{"2026-11-21":["x"]}']) {
    writeFileSync(join(stateDir, "days.json"), damaged);
    expect(build(stateDir, "2026-11-22", quotes(4)).days()).toEqual(["2026-11-22"]);
  }
});

const DAY_MS = 86_400_000;
const datesFrom = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => dayOf(new Date(Date.parse(first) + index * DAY_MS)));

test("placeOfDay() gives every quote its day before any has its second", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), (count) => {
      const places = datesFrom("1969-06-01", count).map((day) => placeOfDay(day, count));
      expect(new Set(places).size).toBe(count);
      expect(places.every((place) => place >= 0 && place < count)).toBe(true);
    }),
  );
});

test("today() has one quote of each language, the site's own first, the same all day", () => {
  const quotes = Array.from({ length: 40 }, (_, index) => ({
    id: index + 1,
    language: ["en", "he", "te", "en"][index % 4] ?? "en",
  }));
  const site = makeSite(quotes, { language: "te" });
  const today = site.today();
  expect(today.date).toBe("2026-11-21");
  expect(today.cards.map(({ quote }) => quote.language)).toEqual(["te", "en", "he"]);
  expect(site.today("2026-11-21")).toEqual(today);
  const english = datesFrom("2026-11-21", 20).map((day) => site.today(day).cards[1]?.quote.id);
  expect(new Set(english).size).toBe(20);
});

test("today() stays the same all day, though the collection grows and spells the code of a language otherwise", () => {
  const stateDir = tempFolder("days");
  const spelled = (count: number) => quotes(count).map((quote) => ({ ...quote, language: "EN" }));
  const chosen = build(stateDir, "2026-11-20", spelled(1)).today();
  expect(chosen.cards.map(({ quote }) => quote.id)).toEqual([1]);
  const more = [...spelled(1), ...quotes(40, [1]).map((quote) => ({ ...quote, language: "en" }))];
  const later = build(stateDir, "2026-11-20", more).today();
  expect(later.cards.map(({ quote }) => quote.id)).toEqual([1]);
});
