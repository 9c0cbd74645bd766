/** Which quotes are curated: asked of the service after the collection, and never unlearned by accident. */
import { expect, test } from "vitest";
import type { CuratedFact, HarvestResult } from "../../src/contract/harvest-result.ts";
import type { Settings } from "../../src/settings/settings.ts";
import { openPublished } from "../../src/snapshot/index.ts";
import { answer, begin, type Night, wireQuote } from "../support/service/index.ts";
import { makeSnapshot } from "../support/snapshot/index.ts";
import { type Call, json } from "../support/http/index.ts";
import { settingsFor } from "../support/run/index.ts";

const isCuratedList = ({ url }: Call): boolean =>
  url.pathname === "/apiv1/quotes/" && url.searchParams.get("curated") === "1";

type Asks = Settings["site"]["askCurated"];

/** Nights that ask each time, unless told otherwise. */
async function beginAsking(size: number) {
  const night = await begin(size);
  const run = (
    walk: Partial<Settings["walk"]> = {},
    asks: Asks = "always",
    now = Date.now,
  ): Promise<HarvestResult> => {
    const { site } = settingsFor(night.service.url, night.stateDir);
    return night.run(walk, { site: { ...site, askCurated: asks }, now });
  };
  return { ...night, run };
}

/** The same with a service that heeds `curated`. */
async function beginCurated(size: number, isCurated = (pk: number): boolean => pk % 6 === 0) {
  const night = await beginAsking(size);
  const curated = { of: isCurated };
  night.service.fault = (call) =>
    isCuratedList(call)
      ? json(
          answer(
            night.service.quotes.filter(({ pk }) => curated.of(pk)),
            call.url,
            { cap: 20 },
          ),
        )
      : null;
  return { ...night, curated };
}

function known({ stateDir }: Pick<Night, "stateDir">) {
  const snapshot = openPublished(stateDir);
  const keys = snapshot?.curatedKeys() ?? null;
  const told = {
    keys: keys === null ? null : [...keys],
    fact: snapshot?.fact<CuratedFact>("curated"),
  };
  snapshot?.close();
  return told;
}

test("the curated quotes are known, at the cost of walking their list", async () => {
  const night = await beginCurated(600);
  const { remarks } = await night.run();
  expect(remarks).toEqual([]);
  const wanted = night.keys().filter((pk) => pk % 6 === 0);
  expect(known(night)).toMatchObject({ keys: wanted });
  expect(known(night).fact).toMatchObject({ quotes: 100 });
  // Six overlapping pages, one asked for ahead of the end, and two to confirm it.
  expect(night.service.journal.filter(isCuratedList).length).toBeLessThanOrEqual(9);
});

test("a list of curated quotes in another order is read in slices, each planned by its own lengths", async () => {
  const night = await beginCurated(600);
  night.service.quotes = night.service.quotes
    .map((quote) => ({ ...quote, quote: `${"x".repeat((quote.pk * 7) % 97)} ${quote.pk}` }))
    .sort((a, b) => a.likes - b.likes || b.pk - a.pk);
  const { harvest } = await night.run();
  expect(harvest.label).toBe("complete:sliced");
  expect(known(night).keys).toHaveLength(100);
  expect(night.service.journal.filter(isCuratedList).length).toBeLessThanOrEqual(2 * 3 * 5);
});

test("a service that does not heed the filter costs three requests, and nothing is claimed", async () => {
  const night = await beginAsking(600);
  const { remarks } = await night.run();
  expect(known(night)).toMatchObject({ keys: null });
  expect(remarks).toEqual([
    "which quotes are curated is not known: the service does not tell them from the rest",
  ]);
  // Two answers that begin as the list of all quotes does, the one asked for ahead, and one far into the list.
  expect(night.service.journal.filter(isCuratedList).length).toBeLessThanOrEqual(4);
});

test("a list that holds nearly everything, or refuses the filter, tells nothing", async () => {
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
  const night = await beginCurated(600);
  await night.run();
  const { fact } = known(night);
  night.service.quotes.push(wireQuote(606));
  night.curated.of = (pk) => pk % 6 === 0 && pk > 50;
  const truth = night.service.fault;
  let left = 3;
  night.service.fault = (call) =>
    isCuratedList(call) && left-- <= 0 ? json({ detail: "gone for tonight" }, 503) : truth(call);
  const { remarks, harvest } = await night.run();
  expect(harvest.label).toBe("complete:proved");
  expect(remarks[0]).toMatch(/^which quotes are curated stands as it was read before: /);
  const wanted = night.keys().filter((pk) => pk % 6 === 0 && pk !== 606);
  expect(known(night).keys).toEqual(wanted);
  expect(known(night).fact?.asOf).toBe(fact?.asOf);
});

test("a few cease to be curated in a night, many do not", async () => {
  const night = await beginCurated(600);
  await night.run();
  night.curated.of = (pk) => pk % 6 === 0 && pk > 60;
  await night.run();
  expect(known(night).keys).toHaveLength(90);
  night.curated.of = (pk) => pk === 600;
  await night.run();
  expect(known(night).keys).toHaveLength(90);
  await night.run({ allowShrink: true });
  expect(known(night).keys).toEqual([600]);
});

test("a budget that would not reach its end is not spent on the list", async () => {
  const night = await beginCurated(600);
  await night.run();
  night.service.journal.length = 0;
  const { remarks, harvest } = await night.run({ maxRequests: 40 });
  expect(harvest.label).toBe("complete:proved");
  expect(remarks[0]).toMatch("the budget does not allow to read them");
  expect(night.service.journal.filter(isCuratedList)).toHaveLength(0);
  expect(known(night).keys).toHaveLength(100);
});

test("nobody asks where the site's file says so", async () => {
  const night = await beginCurated(60);
  const { remarks } = await night.run({}, "never");
  expect(remarks).toEqual([]);
  expect(night.service.journal.filter(isCuratedList)).toHaveLength(0);
  expect(known(night).keys).toBeNull();
});

test("weekly is not on the first night, then once in seven days", async () => {
  const night = await beginCurated(60);
  const asked = async (day: number): Promise<boolean> => {
    night.service.journal.length = 0;
    await night.run({}, "weekly", () => Date.now() + day * 86_400_000);
    return night.service.journal.some(isCuratedList);
  };
  expect([await asked(0), await asked(1), await asked(2), await asked(9)]).toEqual([
    false,
    true,
    false,
    true,
  ]);
});

test("a snapshot of before says that it does not know", () => {
  const { stateDir } = makeSnapshot({ quotes: [{ id: 6 }] });
  const snapshot = openPublished(stateDir);
  expect(snapshot?.curatedKeys()).toBeNull();
  snapshot?.close();
});
