/** What the pages of days and the feeds of listings depend on. */
import { setEnvironmentData } from "node:worker_threads";
import { afterEach, expect, test, vi } from "vitest";
import { makeSite } from "../support/site/index.ts";
import { makeSnapshot } from "../support/snapshot/index.ts";
import { tempFolder } from "../support/run/index.ts";

const quotes = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    tags: ["love"],
    language: ["en", "he"][index % 2] ?? "en",
  }));

function build(stateDir: string, date: string, collection = quotes(40)) {
  makeSnapshot({ quotes: collection, stateDir });
  const site = makeSite([], { stateDir, date });
  site.storeToday();
  return site;
}

const keysOf = (site: ReturnType<typeof build>): Record<string, string> =>
  Object.fromEntries(Array.from(site.dayPages(), ({ term, cacheKey }) => [term, cacheKey]));

test("the page of a day is another once the next day is there, and when the day before is gone", () => {
  const stateDir = tempFolder("days");
  const first = keysOf(build(stateDir, "2026-11-20"));
  const second = keysOf(build(stateDir, "2026-11-21"));
  const third = keysOf(build(stateDir, "2026-11-22"));
  expect(second["2026-11-20"]).not.toBe(first["2026-11-20"]);
  expect(third["2026-11-20"]).toBe(second["2026-11-20"]);
  expect(third["2026-11-21"]).not.toBe(second["2026-11-21"]);
  const yearLater = keysOf(build(stateDir, "2027-11-21"));
  expect(Object.keys(yearLater)).toEqual(["2026-11-21", "2026-11-22", "2027-11-21"]);
  expect(yearLater["2026-11-21"]).not.toBe(third["2026-11-21"]);
});

test("the page of a day is another when its quote changed or is gone", () => {
  const stateDir = tempFolder("days");
  build(stateDir, "2026-11-20");
  const site = build(stateDir, "2026-11-21");
  const [shown = 0] = site.dayPage("2026-11-20").cards.map(({ quote }) => quote.id);
  const before = keysOf(site)["2026-11-20"];
  const changed = quotes(40).map((one) => (one.id === shown ? { ...one, text: "Other." } : one));
  expect(keysOf(build(stateDir, "2026-11-21", changed))["2026-11-20"]).not.toBe(before);
  const less = quotes(40).filter(({ id }) => id !== shown);
  expect(keysOf(build(stateDir, "2026-11-21", less))["2026-11-20"]).not.toBe(before);
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
  setEnvironmentData("commonplace:site", undefined);
});

const DAY_MS = 86_400_000;
const WEEK = Array.from({ length: 7 }, (_, day) =>
  new Date(Date.UTC(2026, 10, 16 + day)).toISOString().slice(0, 10),
);

test.each(WEEK)("on %s a feed has no item of the future, one a week or a day", async (today) => {
  vi.resetModules();
  vi.stubEnv("STATE_DIR", makeSnapshot({ quotes: quotes(40) }).stateDir);
  vi.stubEnv("SITE_DATE", today);
  const { feedRoute, jsonFeedOf } = await import("../../src/site/index.ts");
  const datesOf = async (kind: "tag" | "language", slug: string): Promise<number[]> => {
    const response = feedRoute(kind, jsonFeedOf).GET({ params: { slug } });
    const { items } = (await response.json()) as { items: { date_published: string }[] };
    return items.map(({ date_published: date }) => Date.parse(date) / DAY_MS);
  };
  const monday = Date.UTC(2026, 10, 16) / DAY_MS;
  const day = Date.parse(today) / DAY_MS;
  const seven = [0, 1, 2, 3, 4, 5, 6];
  expect(await datesOf("tag", "love")).toEqual(seven.map((back) => monday - 7 * back));
  expect(await datesOf("language", "en")).toEqual(seven.map((back) => day - back));
});

test("the API shows likes as a card does: rounded, so that a vote changes no file", async () => {
  const { toApiQuote } = await import("../../src/site/index.ts");
  const exact = [
    { id: 1, likes: 1_234 },
    { id: 2, likes: 1_239 },
    { id: 3, likes: 7 },
  ];
  const site = makeSite(exact, { quotePages: 0 });
  const likes = exact
    .flatMap(({ id }) => site.card(id) ?? [])
    .map((card) => toApiQuote(card).likes);
  expect(likes).toEqual([1_200, 1_200, 7]);
});
