/** Services that count requests, in some ways: the collection comes whole, and no request is sent too early. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { harvest } from "../../../src/harvest/index.ts";
import { estimate } from "../../../src/harvest/index.ts";
import type { Settings } from "../../../src/settings/settings.ts";
import { WORK_FILE } from "../../../src/snapshot/work/work.ts";
import { Database } from "../../../src/sqlite/database.ts";
import { answer, collectionOf, serviceOf, type WirePage } from "../../support/service/index.ts";
import { publishedIn } from "../../support/snapshot/index.ts";
import { seeded, settingsFor, start, tempFolder } from "../../support/run/index.ts";
import { sleepClock } from "../false-answers/nights.ts";
import { json, throttled } from "../../support/http/index.ts";

const how = { signal: new AbortController().signal };

/** How many seconds to stay away, or null to let a request pass. */
type Quota = (now: number) => number | null;

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000));

/** So many in any stretch of that length. */
function slidingWindow(requests: number, periodMs: number): Quota {
  let passed: number[] = [];
  return (now) => {
    passed = passed.filter((at) => at > now - periodMs);
    if (passed.length >= requests) return seconds((passed[0] ?? now) + periodMs - now);
    passed.push(now);
    return null;
  };
}

/** Others use the same address: what is left of the quota is theirs, however slowly we ask. */
function spend(quota: Quota, at: number): void {
  while (quota(at) === null);
}

/** What a harvest that is running has written of it; 0 before it has. */
function notBeforeIn(stateDir: string): number {
  const path = join(stateDir, WORK_FILE);
  if (!existsSync(path)) return 0;
  using disk = new Database(path, { readOnly: true });
  const tables = disk.number("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'hosts'");
  return tables === 0 ? 0 : disk.number("SELECT total(not_before) AS n FROM hosts");
}

/** Counts requests by a quota, of which others spend all that is left at the given request. */
async function serviceWith(quota: Quota, spentAt: number, now: () => number) {
  const service = await serviceOf(collectionOf(240));
  let notBefore = 0;
  const early: number[] = [];
  service.fault = ({ number }) => {
    const at = now();
    if (at < notBefore) early.push(number);
    if (number === spentAt) spend(quota, at);
    const stayAway = quota(at);
    if (stayAway === null) return null;
    notBefore = at + stayAway * 1_000;
    return throttled({ "retry-after": String(stayAway) });
  };
  const settings = { ...settingsFor(service.url, tempFolder(), { concurrency: 1 }), now };
  return { early, settings };
}

test.each([
  [8, 1_000],
  [2, 100],
])("harvest() obeys a service that allows %i requests in %i ms", async (requests, periodMs) => {
  const quota = slidingWindow(requests, periodMs);
  const { early, settings } = await serviceWith(quota, 5, sleepClock());
  const { harvest: fact } = await harvest({ settings, ...how });
  expect(fact).toMatchObject({ label: "complete:proved" });
  expect(fact.waits).toBeGreaterThan(0);
  expect(publishedIn(settings.stateDir)).toHaveLength(240);
  expect(early).toEqual([]);
});

test("killed while it waits, and started twenty times more: nothing is sent before the time", async () => {
  const service = await serviceOf(collectionOf(240));
  service.fault = ({ number }) => (number === 5 ? throttled({ "retry-after": "3600" }) : null);
  const stateDir = tempFolder();
  const args = ["--state", stateDir, "--base-url", service.url, "--max-wait", "7200"];
  const { child, finished } = start("harvest", args);
  onTestFinished(() => void child.kill("SIGKILL"));
  await expect.poll(() => service.journal.length).toBeGreaterThan(5);
  // It is written at once, and the run goes on to wait for an hour.
  await expect.poll(() => notBeforeIn(stateDir)).toBeGreaterThan(Date.now());
  child.kill("SIGKILL");
  await finished;
  // What was under way has arrived by now, as this has.
  await fetch(service.url);
  const sent = service.journal.length;
  for (let again = 0; again < 20; again++) {
    const settings = settingsFor(service.url, stateDir, { maxWaitMs: 1_000 });
    const result = await harvest({ settings, ...how });
    expect(result.exitStatus).toBe(75);
    expect(Date.parse(result.resumeAt ?? "")).toBeGreaterThan(Date.now() + 3_500_000);
  }
  expect(service.journal.length).toBe(sent);
});

test.each([
  ["milliseconds", { "retry-after": "120000000" }],
  ["the year 9999", { "retry-after": "Fri, 31 Dec 9999 23:59:59 GMT" }],
  ["digits without end", { "retry-after": "9".repeat(400) }],
  ["a reset in the year 5000", { "x-ratelimit-reset": "95617584000" }],
])("harvest() stays away a day at most when a service names %s", async (_, headers) => {
  const service = await serviceOf(collectionOf(60));
  service.fault = ({ number }) => (number === 1 ? throttled(headers) : null);
  const settings = settingsFor(service.url, tempFolder());
  const first = await harvest({ settings, ...how });
  expect(first.exitStatus).toBe(75);
  expect(Date.parse(first.resumeAt ?? "")).toBeLessThanOrEqual(Date.now() + 86_400_000);
  const dayLater = { ...settings, now: () => Date.now() + 86_400_001 };
  expect((await harvest({ settings: dayLater, ...how })).harvest.label).toBe("complete:proved");
});

test("what a refusal taught is known to the next run, and the estimate has its share", async () => {
  const { settings } = await serviceWith(slidingWindow(12, 1_500), 10, sleepClock());
  await harvest({ settings, ...how });
  const plan = await estimate({ settings, ...how });
  expect(plan).toMatchObject({ quotes: 240, pageSize: 20, from: "last run" });
  expect(plan.spent).toBeLessThanOrEqual(1);
  expect(plan.quota).toMatchObject({ from: "refusals" });
  expect(plan.quotaShare).toBeGreaterThan(1);
});

test.each([0, 1, 19, 20, 21, 400, 4_321])(
  "estimate() finds the size of %i quotes in a few probes",
  async (size) => {
    const service = await serviceOf(collectionOf(size));
    const settings = settingsFor(service.url, tempFolder(), { maxRequests: 100 });
    const plan = await estimate({ settings, ...how });
    expect(plan.from).toBe("probes");
    expect(Math.abs(plan.quotes - size)).toBeLessThanOrEqual(Math.max(20, size * 0.06));
    expect(plan.spent).toBeLessThanOrEqual(16);
    expect(plan.spent).toBe(service.journal.length);
    expect(plan.nights).toBe(Math.max(1, Math.ceil(plan.requests / 100)));
  },
);

test("estimate() takes a refused offset for the end of the list", async () => {
  const service = await serviceOf(collectionOf(400));
  service.fault = ({ url }) =>
    Number(url.searchParams.get("offset")) >= 400 ? json({ detail: "Invalid page." }, 404) : null;
  const plan = await estimate({ settings: settingsFor(service.url, tempFolder()), ...how });
  expect(Math.abs(plan.quotes - 400)).toBeLessThanOrEqual(24);
});

test("estimate() ends with 69 where the service fails at the first page", async () => {
  const service = await serviceOf(collectionOf(400));
  service.fault = () => json({}, 502);
  const settings = { ...settingsFor(service.url, tempFolder()), now: sleepClock() };
  await expect(estimate({ settings, ...how })).rejects.toMatchObject({ exitStatus: 69 });
});

test("estimate() believes no absurd count, and no list without an end", async () => {
  const service = await serviceOf(collectionOf(400));
  const settings = settingsFor(service.url, tempFolder());
  for (const count of [-3, 0, 1e15]) {
    service.fault = ({ url }) =>
      json({ ...(answer(service.quotes, url, { cap: 20 }) as WirePage), count });
    expect((await estimate({ settings, ...how })).quotes).toBeGreaterThan(360);
  }
  service.fault = ({ url }) => {
    url.searchParams.delete("offset");
    return null;
  };
  await expect(estimate({ settings, ...how })).rejects.toThrow(
    /the same quotes at offset 80 as before/,
  );
});

test.each([
  ["one list of many pages", 900, {}],
  ["one list of a page", 15, {}],
  ["a small list before a large one", 900, { languages: ["he", "en"] }],
  ["three lists of a page", 30, { languages: ["en", "fr", "he"] }],
])("estimate() knows what the next harvest requests: %s", async (_, size, selection) => {
  const quotes = collectionOf(size);
  // Pages of the small language do not show how large a page is.
  if (size > 100) for (const quote of quotes) quote.language = quote.pk <= 7 ? "he" : "en";
  const service = await serviceOf(quotes, 100);
  const given = settingsFor(service.url, tempFolder());
  const settings: Settings = {
    ...given,
    selection: { ...given.selection, ...selection },
    site: { ...given.site, askCurated: "never" },
  };
  for (const from of ["probes", "last run"]) {
    const plan = await estimate({ settings, ...how });
    const before = service.journal.length;
    await harvest({ settings, ...how });
    const requests = service.journal.length - before;
    expect(plan.from).toBe(from);
    expect(Math.abs(plan.requests - requests), `${plan.requests} of ${requests}`).toBeLessThan(3);
  }
});

test("estimate() knows what a list takes that the last run read in slices", async () => {
  const quotes = collectionOf(400);
  for (const one of quotes) one.quote += "!".repeat(one.pk % 97);
  const service = await serviceOf(quotes);
  const random = seeded(1);
  // The order is another one in each answer.
  service.fault = () => {
    service.quotes.sort(() => random() - 0.5);
    return null;
  };
  const given = settingsFor(service.url, tempFolder());
  const settings: Settings = { ...given, site: { ...given.site, askCurated: "never" } };
  expect((await harvest({ settings, ...how })).harvest.label).toBe("complete:sliced");
  const plan = await estimate({ settings, ...how });
  const before = service.journal.length;
  await harvest({ settings, ...how });
  const requests = service.journal.length - before;
  expect(Math.abs(plan.requests - requests), `${plan.requests} of ${requests}`).toBeLessThan(
    requests / 4,
  );
});
