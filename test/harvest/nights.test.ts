/** Night after night: what is removed, what stays, and what is refused (harvest.md §5.7, §5.8). */
import { expect, test } from "vitest";
import { harvest } from "../../src/commands/harvest.ts";
import type { HarvestResult } from "../../src/contract/harvest-result.ts";
import { openPublished } from "../../src/snapshot/published/read.ts";
import type { Settings } from "../../src/settings/settings.ts";
import { collectionOf, wireQuote } from "../support/collection.ts";
import { json } from "../support/replies.ts";
import { serviceOf, type TestService } from "../support/service-of.ts";
import { settingsFor, temporaryFolder } from "../support/settings.ts";

const { signal } = new AbortController();

interface Night {
  readonly service: TestService;
  readonly stateDir: string;
  readonly run: (
    walk?: Partial<Settings["walk"]>,
    more?: Partial<Settings>,
  ) => Promise<HarvestResult>;
  readonly keys: () => number[];
}

async function begin(size: number, cap = 20): Promise<Night> {
  const service = await serviceOf(collectionOf(size), cap);
  const stateDir = temporaryFolder();
  return {
    service,
    stateDir,
    run: (walk = {}, more = {}) =>
      harvest({ ...settingsFor(service.url, stateDir, walk), ...more }, () => undefined, {
        signal,
      }),
    keys: () => {
      const snapshot = openPublished(stateDir);
      const keys = [...(snapshot?.all() ?? [])].map(({ id }) => id);
      snapshot?.close();
      return keys;
    },
  };
}

test("quotes that are gone are asked for, removed and remembered", async () => {
  const { service, run, keys } = await begin(300);
  await run();
  service.quotes = service.quotes.filter(({ pk }) => pk % 100 !== 0);
  service.journal.length = 0;
  const result = await run();
  expect(result.change).toEqual({ added: 0, changed: 0, removed: 3, deselected: 0 });
  expect(result.harvest).toMatchObject({ label: "complete:proved", removed: 3, repaired: 0 });
  expect(keys()).toHaveLength(297);
  const probes = service.journal.filter(({ url }) => url.searchParams.has("minlength"));
  expect(probes.length).toBeGreaterThan(0);
});

test("a quote that the list hides and a question finds is kept, and the walk is no longer trusted", async () => {
  const { service, run, keys } = await begin(300);
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
  const { service, run, keys } = await begin(size, 100);
  await run();
  service.quotes = service.quotes.filter(({ pk }) => stays(pk));
  await expect(run()).rejects.toThrow(message);
  expect(keys()).toHaveLength(size);
  const requests = service.journal.length;
  await run({ allowShrink: true });
  expect(keys()).toEqual(service.quotes.map(({ pk }) => pk));
  // What was read for the refused one is not read again.
  expect(service.journal.length - requests).toBeLessThan(size / 100);
});

test("an empty list removes nothing", async () => {
  const { service, run, keys } = await begin(60);
  await run();
  service.quotes = [];
  await expect(run()).rejects.toThrow(/^Cannot publish this harvest/);
  expect(keys()).toHaveLength(60);
});

test("a part of a harvest merges what is new and changed and removes nothing", async () => {
  const { service, run, keys } = await begin(300);
  await run();
  service.quotes = service.quotes.filter(({ pk }) => pk !== 5);
  service.quotes[0] = wireQuote(1, { likes: 77 });
  const night = await run({ maxRequests: 4 });
  expect(night).toMatchObject({ published: true, exitStatus: 0 });
  expect(night.harvest.label).toBe("partial");
  expect(keys()).toHaveLength(300);
});

test("without a whole harvest before it a part is not published, unless it is allowed", async () => {
  const { run, keys } = await begin(300);
  const first = await run({ maxRequests: 4 });
  expect(first).toMatchObject({ published: false, snapshot: null, exitStatus: 75 });
  const second = await run({ maxRequests: 4, allowPartial: true });
  expect(second).toMatchObject({ published: true, exitStatus: 0 });
  expect(keys().length).toBeGreaterThan(100);
});

test("a small budget spreads the walk over nights, and it still ends complete and proved", async () => {
  const { service, run, keys } = await begin(600);
  const nights: HarvestResult[] = [];
  while (nights.at(-1)?.harvest.label !== "complete:proved") {
    const before = service.journal.length;
    nights.push(await run({ maxRequests: 10 }));
    expect(service.journal.length - before).toBeLessThanOrEqual(10);
    expect(nights.length).toBeLessThan(8);
  }
  expect(nights.length).toBeGreaterThan(2);
  expect(keys()).toEqual(service.quotes.map(({ pk }) => pk));
  expect(nights.at(-1)?.harvest.requests).toBe(service.journal.length);
});

test("on a night that will not reach the end, the most liked, the newest and the quote of the day come first", async () => {
  const { service, run } = await begin(600);
  await run();
  service.quotes[300] = wireQuote(301, { likes: 1_000 });
  service.quotes.push(wireQuote(601));
  service.journal.length = 0;
  const night = await run({ maxRequests: 12 });
  expect(night.change).toMatchObject({ added: 1, changed: 1, removed: 0 });
  expect(service.journal.map(({ url }) => url.pathname)).toContain("/apiv1/qod/");
});

test("a narrower selection is no mass delete", async () => {
  const { service, run, keys } = await begin(600);
  await run();
  const only = { languages: ["fr"], tags: [], curated: false };
  const result = await run({}, { selection: only });
  expect(result.change).toMatchObject({ removed: 0, deselected: 400 });
  expect(keys()).toHaveLength(200);
  const wide = await run();
  expect(wide.change).toMatchObject({ added: 400, removed: 0 });
  expect(keys()).toHaveLength(service.quotes.length);
});

test("a filter that the service ignores is made good here", async () => {
  const { service, run, keys } = await begin(90);
  service.fault = ({ url }) => {
    url.searchParams.delete("lang");
    url.searchParams.delete("tags");
    return null;
  };
  await run({}, { selection: { languages: ["he"], tags: ["TAG-1"], curated: false } });
  const wanted = service.quotes.filter(
    ({ language, tags }) => language === "he" && tags.includes("tag-1"),
  );
  expect(keys()).toEqual(wanted.map(({ pk }) => pk));
});

test("tags of the list and of the quotes are compared", async () => {
  const { service, run, stateDir } = await begin(60);
  service.fault = ({ url }) =>
    url.pathname === "/apiv1/tags/"
      ? json({ count: 2, next: null, results: [tag("tag-1"), tag("lonely")] })
      : null;
  const { remarks } = await run();
  expect(remarks).toEqual([
    "3 tags of quotes are not in the tag list: tag-0, tag-2, tag-3",
    "1 tags of the list are on no quote: lonely",
  ]);
  const snapshot = openPublished(stateDir);
  expect(snapshot?.tagList()).toEqual([tag("lonely"), tag("tag-1")]);
  snapshot?.close();
});

const tag = (name: string) => ({ name, slug: name });

test("a service that refuses deep offsets is read in slices", async () => {
  const { service, run, keys } = await begin(400);
  service.quotes = service.quotes.map((quote) => ({
    ...quote,
    quote: `${"x".repeat(quote.pk % 97)} ${quote.pk}`,
  }));
  service.fault = ({ url }) =>
    Number(url.searchParams.get("offset")) > 100
      ? json({ errno: 400, errmsg: "offset too large" }, 400)
      : null;
  const result = await run();
  expect(result.harvest.label).toBe("complete:sliced");
  expect(keys()).toHaveLength(400);
});

test("more than one bad record in a hundred fails the run, a single one is told", async () => {
  const { service, run, keys } = await begin(100);
  const bad = (from: number) => {
    service.quotes = collectionOf(100).map((quote) =>
      quote.pk > from ? { ...quote, pk: -quote.pk } : quote,
    );
  };
  bad(99);
  const { harvest: fact, quarantined } = await run();
  expect(fact.quarantined).toBe(1);
  expect(quarantined[0]?.reason).toMatch(/^Cannot read pk/);
  bad(97);
  await expect(run()).rejects.toThrow("3 of 1");
  expect(keys()).toHaveLength(99);
});
