/** Lists that are not in the order of their keys: complete in slices, or not at all (docs/walk.md, sections 3 and 4). */
import { expect, test } from "vitest";
import { harvest } from "../../src/commands/harvest.ts";
import { begin, type Night, wireQuote } from "../support/service/index.ts";
import { settingsFor } from "../support/run/index.ts";

/** Most liked first, which nobody would see from the keys. */
function byLikes({ service }: Night, text: (pk: number) => string): void {
  service.quotes = service.quotes
    .map(({ pk }) => wireQuote(pk, { quote: text(pk), likes: (pk * 37) % 101 }))
    .sort((a, b) => b.likes - a.likes || a.pk - b.pk);
}

test("a list in another order is complete only in slices, though nothing moved in it", async () => {
  const night = await begin(300);
  byLikes(night, (pk) => `${"x".repeat((pk * 7) % 97)} ${pk}`);
  const { harvest: fact } = await night.run();
  expect(fact.label).toBe("complete:sliced");
  expect(fact.assumption).toMatch("the order of the list is not that of the keys");
  expect(night.keys()).toHaveLength(300);
  const lists = night.service.journal.filter(({ url }) => url.pathname === "/apiv1/quotes/");
  expect(lists.length).toBeLessThanOrEqual((3 * 300) / 20);
});

test("where there are no slices either it is the best that could be done, and removes nothing", async () => {
  const night = await begin(300);
  byLikes(night, (pk) => `${"x".repeat((pk * 7) % 97)} ${pk}`);
  night.service.fault = ({ url }) => {
    url.searchParams.delete("minlength");
    url.searchParams.delete("maxlength");
    return null;
  };
  expect((await night.run()).harvest.label).toBe("best-effort");
  night.service.quotes = night.service.quotes.slice(1);
  expect((await night.run()).harvest).toMatchObject({ label: "best-effort", removed: 0 });
  expect(night.keys()).toHaveLength(300);
});

test("more quotes of one length than a page holds are no proof, nor are they after a crash", async () => {
  const night = await begin(300);
  byLikes(night, (pk) => `All of them are as long: ${String(pk).padStart(4, "0")}`);
  const stop = new AbortController();
  night.service.fault = ({ url }) => {
    if (url.pathname === "/apiv1/tags/") stop.abort(new Error("stopped for the test"));
    return null;
  };
  const settings = settingsFor(night.service.url, night.stateDir);
  await expect(harvest(settings, () => undefined, { signal: stop.signal })).rejects.toThrow();
  night.service.fault = () => null;
  const { harvest: fact } = await night.run();
  expect(fact.label).toBe("best-effort");
  expect(fact.assumption).toMatch("more quotes of one length than a page holds");
  expect(night.keys()).toHaveLength(300);
});
