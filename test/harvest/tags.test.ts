/** The tag list of a harvest: read whole, or given up after few requests. */
import { expect, test } from "vitest";
import { openPublished } from "../../src/snapshot/index.ts";
import { json } from "../support/http/index.ts";
import { startHarvests } from "../support/service/index.ts";

const tagsFrom = (offset: number, many: number) =>
  Array.from({ length: many }, (_, at) => ({ name: `tag-${offset + at}`, slug: "" }));

/** A service whose tag list has a page for each offset. */
async function beginWith(page: (offset: number) => unknown) {
  const { service, run, stateDir } = await startHarvests(60);
  const isTagList = ({ url }: { readonly url: URL }) => url.pathname === "/apiv1/tags/";
  service.fault = (call) =>
    isTagList(call) ? json(page(Number(call.url.searchParams.get("offset")))) : null;
  /** The number of published tags, what the harvest says of the list, and the requests for it. */
  return async () => {
    service.journal.length = 0;
    const { harvest, remarks } = await run();
    expect(harvest.label).toBe("complete:proved");
    const snapshot = openPublished(stateDir);
    const tags = snapshot?.tagList().length;
    snapshot?.close();
    return { tags, remarks: remarks.join(), requests: service.journal.filter(isTagList).length };
  };
}

const NEXT = "http://127.0.0.1/apiv1/tags/?limit=100&offset=100";

test("a list of many pages is read whole", async () => {
  const run = await beginWith((offset) => ({
    next: offset + 100 < 5_000 ? NEXT : null,
    results: tagsFrom(offset, Math.min(100, 5_000 - offset)),
  }));
  expect(await run()).toMatchObject({ tags: 5_000, requests: 51 });
});

test.each<[string, (offset: number) => unknown, number]>([
  ["begins anew at every offset", () => ({ next: NEXT, results: tagsFrom(0, 100) }), 25],
  ["is empty and goes on", () => ({ next: NEXT, results: [] }), 25],
  [
    "is empty behind its end and goes on",
    (offset) => ({ next: NEXT, results: offset < 300 ? tagsFrom(offset, 100) : [] }),
    30,
  ],
  ["is made up as it is read", (offset) => ({ next: NEXT, results: tagsFrom(offset, 40_000) }), 8],
  ["cannot be read", () => ({ next: NEXT, results: [7, 8, 9] }), 25],
  ["is made up in small pages", (offset) => ({ next: NEXT, results: tagsFrom(offset, 20) }), 1_000],
])("a list that %s is given up, the harvest says so, and is complete", async (_, page, most) => {
  const { tags, remarks, requests } = await (await beginWith(page))();
  expect(tags).toBe(0);
  expect(remarks).toBe("the tag list was not read: it has no end, or two answers differ");
  expect(requests).toBeLessThanOrEqual(most);
});

test.each([
  ["stay where one answer lacks them", 1, 5],
  ["go where two answers lack them", 2, 1],
])("published tags %s", async (_, lacking, tags) => {
  let asked = -1;
  const run = await beginWith(() => ({
    next: null,
    results: tagsFrom(0, asked++ < 0 || asked > lacking ? 5 : 1),
  }));
  expect(await run()).toMatchObject({ tags: 5, requests: 1 });
  expect(await run()).toMatchObject({ tags, requests: 2 });
});
