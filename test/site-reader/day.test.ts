import fc from "fast-check";
import { expect, test } from "vitest";
import { dayOf, placeOfDay } from "../../src/site/index.ts";
import { makeSite } from "../support/site/index.ts";

const DAY_MS = 86_400_000;
const days = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => dayOf(new Date(Date.parse(first) + index * DAY_MS)));

test("placeOfDay() gives every quote its day before any has its second", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), (count) => {
      const places = days("1969-06-01", count).map((day) => placeOfDay(day, count));
      expect(new Set(places).size).toBe(count);
      expect(places.every((place) => place >= 0 && place < count)).toBe(true);
    }),
  );
});

test("placeOfDay() refuses what is no day", () => {
  expect(() => placeOfDay("today", 3)).toThrow(RangeError);
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
  const english = days("2026-11-21", 20).map((day) => site.today(day).cards[1]?.quote.id);
  expect(new Set(english).size).toBe(20);
});
