/** Lists that are not in the order of their keys: complete in slices, or not at all (docs/walk.md, sections 3 and 4). */
import { expect, test } from "vitest";
import type { Quote } from "../../src/contract/quote.ts";
import type { ServedPage } from "../../src/contract/window.ts";
import { harvest } from "../../src/harvest/index.ts";
import { chooseVersions } from "../../src/harvest/slices/versions.ts";
import { startHarvests, type Harvests, wireQuote } from "../support/service/index.ts";
import { settingsFor } from "../support/run/index.ts";
import { MISSING } from "../support/snapshot/index.ts";
import { beginNights } from "./false-answers/nights.ts";
import { libraryOf, quoteAt } from "./false-answers/service.ts";

/** Most liked first, which the keys do not show. */
function byLikes({ service }: Harvests, text: (pk: number) => string): void {
  service.quotes = service.quotes
    .map(({ pk }) => wireQuote(pk, { quote: text(pk), likes: (pk * 37) % 101 }))
    .sort((a, b) => b.likes - a.likes || a.pk - b.pk);
}

test("where there are no slices either it is the best that could be done, and removes nothing", async () => {
  const harvests = await startHarvests(300);
  byLikes(harvests, (pk) => `${"x".repeat((pk * 7) % 97)} ${pk}`);
  harvests.service.fault = ({ url }) => {
    url.searchParams.delete("minlength");
    url.searchParams.delete("maxlength");
    return null;
  };
  expect((await harvests.run()).harvest.label).toBe("best-effort");
  harvests.service.quotes = harvests.service.quotes.slice(1);
  expect((await harvests.run()).harvest).toMatchObject({ label: "best-effort", removed: 0 });
  expect(harvests.keys()).toHaveLength(300);
});

test.each([5, 50])(
  "slices of an index that lacks one quote in %i, which the list shows, are no proof",
  async (nth) => {
    const harvests = await startHarvests(300);
    byLikes(harvests, (pk) => `${"x".repeat((pk * 7) % 97)} ${pk}`);
    const all = harvests.service.quotes;
    const indexed = all.filter(({ pk }) => pk % nth > 0);
    harvests.service.fault = ({ url }) => {
      const isSlice = url.searchParams.has("minlength") || url.searchParams.has("maxlength");
      harvests.service.quotes = isSlice ? indexed : all;
      return null;
    };
    const { harvest: fact } = await harvests.run();
    expect([fact.label, fact.assumption]).toEqual([
      "best-effort",
      "none: the list shows quotes that no slice does",
    ]);
    expect(harvests.keys()).toHaveLength(300);
  },
);

test("an index of the night before is no incomplete one: what is gone leaves a night later", async () => {
  const harvests = await startHarvests(300);
  const { service } = harvests;
  byLikes(harvests, (pk) => `${"x".repeat((pk * 7) % 97)} ${pk}`);
  let [indexed, all] = [service.quotes, service.quotes];
  service.fault = ({ url }) => {
    const isSlice = url.searchParams.has("minlength") || url.searchParams.has("maxlength");
    service.quotes = isSlice ? indexed : all;
    return null;
  };
  await harvests.run();
  for (const night of [1, 2, 3]) {
    const fresh = wireQuote(1_000 + night, { quote: `A new one, ${night}`, likes: 50 });
    const gone = all[night * 40]?.pk;
    [indexed, all] = [all, [...all.filter(({ pk }) => pk !== gone), fresh]];
    all.sort((a, b) => b.likes - a.likes || a.pk - b.pk);
    expect((await harvests.run()).harvest.label).toBe("complete:sliced");
    const shown = new Set(all.map(({ pk }) => pk));
    expect(harvests.keys().filter((pk) => !shown.has(pk))).toEqual([gone]);
    expect(harvests.keys()).toContain(1_000 + night);
  }
});

test("more quotes of one length than a page holds are read by language and in windows, also after a crash", async () => {
  const harvests = await startHarvests(300);
  byLikes(harvests, (pk) => `All of them are as long: ${String(pk).padStart(4, "0")}`);
  const stop = new AbortController();
  harvests.service.fault = ({ url }) => {
    if (url.pathname === "/apiv1/tags/") stop.abort(new Error("stopped for the test"));
    return null;
  };
  const settings = settingsFor(harvests.service.url, harvests.stateDir);
  await expect(harvest({ settings, signal: stop.signal })).rejects.toThrow();
  harvests.service.fault = () => null;
  const { harvest: fact } = await harvests.run();
  expect(fact.label).toBe("complete:sliced");
  expect(fact.assumption).toMatch("there are no languages but those seen");
  expect(harvests.keys()).toHaveLength(300);
});

test("deletions of the most common lengths arrive: a control comes from quotes that are listed", async () => {
  const common = Array.from({ length: 9 }, (_, at) =>
    quoteAt(101 + at, { quote: `${"x".repeat(190 + (at % 3))} ${101 + at}.` }),
  );
  const quotes = [...libraryOf(60), ...common];
  const nights = await beginNights({ quotes, cap: 10, order: "by likes" });
  expect((await nights.run()).label).toBe("complete:sliced");
  nights.service.quotes = libraryOf(60);
  expect((await nights.run()).label).toBe("complete:sliced");
  expect(nights.keys()).toEqual(nights.service.keys());
});

test("of answers to a slice with the same keys the version counts that most of them show", () => {
  const quote = (id: number, text: string): Quote => ({ id, text, ...MISSING });
  const page = (...texts: string[]): ServedPage => ({
    ...{ offset: 0, quarantined: [], shape: "envelope", next: null, count: null },
    quotes: texts.map((text, at) => quote(at + 1, text)),
  });
  const textsOf = (...pages: ServedPage[]): (string | boolean)[] => {
    const { quotes, isContested } = chooseVersions(pages);
    return [...quotes.map(({ text }) => text), isContested];
  };
  expect(textsOf(page("a", "b"), page("a", "b"))).toEqual(["a", "b", false]);
  expect(textsOf(page("a", "b"), page("b", "a"))).toEqual(["b", "a", true]);
  expect(textsOf(page("a", "b"), page("b", "a"), page("a", "b"))).toEqual(["a", "b", false]);
  // Two pairs that contradict each other hide nothing.
  expect(textsOf(page("a", "b"), page("a", "b"), page("b", "a"), page("b", "a"))).toEqual([
    "b",
    "a",
    true,
  ]);
  expect(textsOf(page("a", "b"), page("a"), page("a", "c"), page("a", "b"))).toEqual([
    "a",
    "b",
    false,
  ]);
});
