/** Another service than the contract's: what the walk does for it, and what it cannot do (docs/another-service.md). */
import { expect, onTestFinished, test } from "vitest";
import { fromOffset, NO_PAGE } from "../../../src/client/service-api.ts";
import type { Page } from "../../../src/contract/body.ts";
import { harvest } from "../../../src/harvest/index.ts";
import type { Settings } from "../../../src/settings/settings.ts";
import { json, startFaultServer, text, type Reply } from "../../support/http/index.ts";
import { settingsFor, tempFolder } from "../../support/run/index.ts";
import { publishedIn } from "../../support/snapshot/index.ts";
import { SECOND_API, SIZE } from "./second-api.ts";

interface Item {
  readonly id: number;
  readonly body: string;
  readonly writer: string;
  readonly tongue: string;
}

const itemAt = (id: number): Item => ({
  ...{ id, body: `Sentence number ${id} stands here.`, writer: `Writer ${id % 7}` },
  tongue: "en",
});

/** The second service over a real socket, and a state that is harvested from it. */
async function second(size: number) {
  const state = {
    items: Array.from({ length: size }, (_, at) => itemAt(at + 1)),
    fault: (_page: number): Reply | null => null,
  };
  const asked: string[] = [];
  const server = await startFaultServer(({ url }) => {
    asked.push(url.pathname + url.search);
    if (url.pathname !== "/v2/items") return text("", 404);
    const page = Number(url.searchParams.get("page"));
    const from = (page - 1) * SIZE;
    const items = state.items.slice(from, from + SIZE);
    return state.fault(page) ?? json({ items, page, more: from + SIZE < state.items.length });
  });
  onTestFinished(() => server.close());
  const stateDir = tempFolder("another");
  const { signal } = new AbortController();
  return Object.assign(state, {
    asked,
    run: (walk: Partial<Settings["walk"]> = {}) =>
      harvest({ settings: settingsFor(server.url, stateDir, walk), signal, api: SECOND_API }),
    keys: () => publishedIn(stateDir).map(({ id }) => id),
  });
}

test("a list in pages with numbers and other names is read whole, at some five requests a page", async () => {
  const service = await second(190);
  const { harvest: fact } = await service.run();
  expect(service.keys()).toEqual(Array.from({ length: 190 }, (_, at) => at + 1));
  expect(fact.label).toBe("complete:proved");
  expect(service.asked.length).toBeLessThanOrEqual(60);
  expect(service.asked.every((path) => path.startsWith("/v2/items?page="))).toBe(true);
});

test(
  "new items arrive; what is gone stays published for a night without filters, as does a page that fails",
  { tags: "long" },
  async () => {
    const service = await second(190);
    await service.run();
    service.items = [...service.items.filter(({ id }) => ![5, 77, 190].includes(id)), itemAt(300)];
    const { change, harvest: fact } = await service.run();
    // Without filters, the list alone shows that a quote is absent: in two nights (docs/another-service.md).
    expect([change.added, change.removed, fact.label]).toEqual([1, 0, "complete:proved"]);
    expect(service.keys()).toHaveLength(191);
    service.fault = (page) => (page === 4 ? text("", 500) : null);
    expect((await service.run({ maxWaitMs: 1_000 })).harvest.label).toBe("partial");
    expect(service.keys()).toHaveLength(191);
    service.fault = () => null;
    await service.run();
    expect(service.keys().filter((id) => [5, 77, 190].includes(id))).toEqual([]);
  },
);

test("a list in no order, which no filter can cut into slices, is never called complete", async () => {
  const service = await second(190);
  const place = ({ id }: Item): number => (id * 79) % 191;
  service.items = service.items.toSorted((a, b) => place(a) - place(b));
  expect((await service.run()).harvest.label).toBe("best-effort");
  expect(service.keys()).toHaveLength(190);
});

const pageOf = (places: string): Page<string> => ({
  ...NO_PAGE,
  items: [...places].filter((place) => /[a-z]/.test(place)),
  vacant: [...places].flatMap((place, at) => (place === "." ? [at] : [])),
  quarantined: [...places]
    .filter((place) => place !== ".")
    .flatMap((place, index) => (place === "!" ? [{ index, pk: null, reason: "bad" }] : [])),
});

// Letters are items, "!" a record that could not be read, "." a row without one.
test.each([
  ["abcd", 0, "abcd"],
  ["abcd", 1, "bcd"],
  ["abcd", 4, ""],
  ["a.cd", 1, ".cd"],
  ["a.cd", 2, "cd"],
  ["!bcd", 1, "bcd"],
  ["a!cd", 1, "!cd"],
  [".!.a!b", 2, ".a!b"],
  [".!.a!b", 4, "!b"],
  ["..!!", 3, "!"],
])("of a page %j that begins %i places early, %j is left", (sent, early, left) => {
  expect(fromOffset(pageOf(sent), 40, 40 + early)).toEqual(pageOf(left));
});
