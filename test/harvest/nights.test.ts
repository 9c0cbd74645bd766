/** Harvests after night: what is removed, what stays, and what is refused (docs/walk.md, sections 1 and 5). */
import { expect, test } from "vitest";
import { startHarvests, wireQuote } from "../support/service/index.ts";

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
