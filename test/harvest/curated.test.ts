/** Which quotes are curated: asked of the service after the collection, and never unlearned by accident. */
import { expect, test } from "vitest";
import type { WireQuote } from "../../src/contract/quote.ts";
import type { HarvestResult } from "../../src/contract/results.ts";
import type { Settings } from "../../src/settings/settings.ts";
import { openPublished } from "../../src/snapshot/index.ts";
import { answer, startHarvests, type Harvests, wireQuote } from "../support/service/index.ts";
import { makeSnapshot } from "../support/snapshot/index.ts";
import { type Call, json } from "../support/http/index.ts";
import { settingsFor } from "../support/run/index.ts";
import { sleepClock } from "./false-answers/nights.ts";

const isCuratedList = ({ url }: Call): boolean =>
  url.pathname === "/apiv1/quotes/" && url.searchParams.get("curated") === "1";

type Asks = Settings["site"]["askCurated"];

async function beginAsking(size: number) {
  const harvests = await startHarvests(size);
  const run = (
    walk: Partial<Settings["walk"]> = {},
    asks: Asks = "always",
    now = Date.now,
  ): Promise<HarvestResult> => {
    const { site } = settingsFor(harvests.service.url, harvests.stateDir);
    return harvests.run(walk, { site: { ...site, askCurated: asks }, now });
  };
  return { ...harvests, run };
}

/** The same with a service that heeds `curated`. */
async function beginCurated(size: number, isCurated = (pk: number): boolean => pk % 6 === 0) {
  const harvests = await beginAsking(size);
  const curated = { of: isCurated };
  harvests.service.fault = (call) =>
    isCuratedList(call)
      ? json(
          answer(
            harvests.service.quotes.filter(({ pk }) => curated.of(pk)),
            call.url,
            { cap: 20 },
          ),
        )
      : null;
  return { ...harvests, curated };
}

function known({ stateDir }: Pick<Harvests, "stateDir">) {
  const snapshot = openPublished(stateDir);
  const keys = snapshot?.curatedKeys() ?? null;
  const told = {
    keys: keys === null ? null : [...keys],
    fact: snapshot?.fact("curated"),
  };
  snapshot?.close();
  return told;
}

test("the curated quotes are known, at the cost of walking their list", async () => {
  const harvests = await beginCurated(600);
  const { remarks } = await harvests.run();
  expect(remarks).toEqual([]);
  const wanted = harvests.keys().filter((pk) => pk % 6 === 0);
  expect(known(harvests)).toMatchObject({ keys: wanted });
  expect(known(harvests).fact).toMatchObject({ quotes: 100 });
  // Six overlapping pages, one asked for ahead of the end, and two to confirm it.
  expect(harvests.service.journal.filter(isCuratedList).length).toBeLessThanOrEqual(9);
});

test("a list that sends few quotes at a time ends within the bound of a run, and is not begun again for a week", async () => {
  const harvests = await beginAsking(600);
  harvests.service.fault = (call) => {
    if (!isCuratedList(call)) return null;
    const offset = Number(call.url.searchParams.get("offset"));
    const results = harvests.service.quotes.slice(offset, offset + 3);
    return json({ next: null, previous: null, results });
  };
  const start = Date.parse("2026-11-20T02:00:00Z");
  const asked = async (day: number): Promise<number> => {
    const before = harvests.service.journal.filter(isCuratedList).length;
    const { remarks } = await harvests.run({}, "weekly", () => start + day * 86_400_000);
    if (day === 1) expect(remarks.join()).toMatch(/^which quotes are curated is not known: /);
    return harvests.service.journal.filter(isCuratedList).length - before;
  };
  expect(await asked(0)).toBe(0);
  // 30 pages of 20.
  expect(await asked(1)).toBeLessThanOrEqual(3 * 30 + 50);
  expect(await asked(2)).toBe(0);
  expect(await asked(9)).toBeGreaterThan(0);
  expect(known(harvests).keys).toBeNull();
});

const byLikes = (a: WireQuote, b: WireQuote): number => a.likes - b.likes || b.pk - a.pk;
const ofManyLengths = (quote: WireQuote): WireQuote => ({
  ...quote,
  quote: `${"x".repeat((quote.pk * 7) % 97)} ${quote.pk}`,
});

test("a list of curated quotes in another order is read in slices, each planned by its own lengths", async () => {
  const harvests = await beginCurated(600);
  harvests.service.quotes = harvests.service.quotes.map(ofManyLengths).sort(byLikes);
  const { harvest } = await harvests.run();
  expect(harvest.label).toBe("complete:sliced");
  expect(harvest.assumption).toMatch("the order of the list is not that of the keys");
  expect(known(harvests).keys).toHaveLength(100);
  expect(harvests.service.journal.filter(isCuratedList).length).toBeLessThanOrEqual(2 * 3 * 5);
});

const newestFirst = (a: WireQuote, b: WireQuote): number => b.pk - a.pk;

test.each([
  ["lacks the newest quote", newestFirst, "offset", (pk: number) => pk % 6 === 0 && pk < 600],
  ["ignores the filter", byLikes, "minlength", () => true],
])("one answer that %s adds and takes no mark", async (_, order, asked, isListed) => {
  const harvests = await beginCurated(600);
  harvests.service.quotes = harvests.service.quotes.map(ofManyLengths).sort(order);
  const truth = harvests.service.fault;
  let isFirst = true;
  harvests.service.fault = (call) => {
    if (!isFirst || !isCuratedList(call) || !call.url.searchParams.has(asked)) return truth(call);
    isFirst = false;
    const listed = harvests.service.quotes.filter(({ pk }) => isListed(pk));
    return json(answer(listed, call.url, { cap: 20 }));
  };
  await harvests.run();
  expect(known(harvests).keys).toEqual(harvests.keys().filter((pk) => pk % 6 === 0));
});

test("a service that does not heed the filter costs three requests, and nothing is claimed", async () => {
  const harvests = await beginAsking(600);
  const { remarks } = await harvests.run();
  expect(known(harvests)).toMatchObject({ keys: null });
  expect(remarks).toEqual([
    "which quotes are curated is not known: the service ignores the filter for them",
  ]);
  // Two answers that begin as the list of all quotes does, the one asked for ahead, and one far into the list.
  expect(harvests.service.journal.filter(isCuratedList).length).toBeLessThanOrEqual(4);
});

test("a list that holds nearly everything, or refuses the filter, proves nothing", async () => {
  const all = await beginCurated(15, () => true);
  await all.run();
  expect(known(all).keys).toBeNull();
  const refusing = await beginAsking(300);
  refusing.service.fault = (call) =>
    isCuratedList(call) ? json({ errno: 400, errmsg: "Bad Request" }, 400) : null;
  expect((await refusing.run()).harvest.label).toBe("complete:proved");
  expect(known(refusing).keys).toBeNull();
});

test("a part of the list adds to what was known and takes nothing back", async () => {
  const harvests = await beginCurated(600);
  await harvests.run();
  const { fact } = known(harvests);
  harvests.service.quotes.push(wireQuote(606));
  harvests.curated.of = (pk) => pk % 6 === 0 && pk > 50;
  const truth = harvests.service.fault;
  let left = 3;
  harvests.service.fault = (call) =>
    isCuratedList(call) && left-- <= 0 ? json({ detail: "gone for tonight" }, 503) : truth(call);
  const { remarks, harvest } = await harvests.run({}, "always", sleepClock());
  expect(harvest.label).toBe("complete:proved");
  expect(remarks[0]).toMatch(/^which quotes are curated stays as it was read before: /);
  const wanted = harvests.keys().filter((pk) => pk % 6 === 0 && pk !== 606);
  expect(known(harvests).keys).toEqual(wanted);
  expect(known(harvests).fact?.asOf).toBe(fact?.asOf);
});

test("a few cease to be curated in a night, many do not", async () => {
  const harvests = await beginCurated(600);
  await harvests.run();
  harvests.curated.of = (pk) => pk % 6 === 0 && pk > 60;
  await harvests.run();
  expect(known(harvests).keys).toHaveLength(90);
  harvests.curated.of = (pk) => pk === 600;
  await harvests.run();
  expect(known(harvests).keys).toHaveLength(90);
  await harvests.run({ allowShrink: true });
  expect(known(harvests).keys).toEqual([600]);
});

test("a budget that would not reach its end is not spent on the list", async () => {
  const harvests = await beginCurated(600);
  await harvests.run();
  harvests.service.journal.length = 0;
  const { remarks, harvest } = await harvests.run({ maxRequests: 40 });
  expect(harvest.label).toBe("complete:proved");
  expect(remarks[0]).toMatch("the budget is too small to read them");
  expect(harvests.service.journal.filter(isCuratedList)).toHaveLength(0);
  expect(known(harvests).keys).toHaveLength(100);
});

test("no list is asked for where the site's configuration forbids it", async () => {
  const harvests = await beginCurated(60);
  const { remarks } = await harvests.run({}, "never");
  expect(remarks).toEqual([]);
  expect(harvests.service.journal.filter(isCuratedList)).toHaveLength(0);
  expect(known(harvests).keys).toBeNull();
});

test("a run asks weekly after the first night, then once in seven days, also after a clock that was ahead", async () => {
  const harvests = await beginCurated(60);
  const asked = async (day: number): Promise<boolean> => {
    harvests.service.journal.length = 0;
    await harvests.run({}, "weekly", () => Date.now() + day * 86_400_000);
    return harvests.service.journal.some(isCuratedList);
  };
  const nights: boolean[] = [];
  for (const day of [0, 1, 2, 9, 400, 10]) nights.push(await asked(day));
  expect(nights).toEqual([false, true, false, true, true, true]);
});

test("curatedKeys() is null for a snapshot that was made without them", () => {
  const { stateDir } = makeSnapshot({ quotes: [{ id: 6 }] });
  const snapshot = openPublished(stateDir);
  expect(snapshot?.curatedKeys()).toBeNull();
  snapshot?.close();
});
