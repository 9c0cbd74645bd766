/** The tag list over a real socket: read whole, or given up after few requests. */
import { expect, onTestFinished, test } from "vitest";
import { tagsOf } from "../../src/client/quotes.ts";
import { readTagList, walkTags } from "../../src/harvest/tags.ts";
import { json, startFaultServer, testClient } from "../support/http/index.ts";

const tagsFrom = (offset: number, many: number) =>
  Array.from({ length: many }, (_, at) => ({ name: `tag-${offset + at}`, slug: "" }));

/** Serves what `page` makes of an offset; walks it in pages of 100. */
async function walked(page: (offset: number) => unknown) {
  const server = await startFaultServer(({ url }) =>
    json(page(Number(url.searchParams.get("offset")))),
  );
  onTestFinished(() => server.close());
  const tags = await walkTags(tagsOf(testClient(server.url).client), 100);
  return { tags: tags?.length ?? null, requests: server.journal.length };
}

const NEXT = "http://127.0.0.1/apiv1/tags/?limit=100&offset=100";

test("walkTags() reads a list of many pages", async () => {
  const page = (offset: number) => ({
    next: offset + 100 < 5_000 ? NEXT : null,
    results: tagsFrom(offset, Math.min(100, 5_000 - offset)),
  });
  await expect(walked(page)).resolves.toEqual({ tags: 5_000, requests: 51 });
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
])("walkTags() gives up a list that %s", async (_, page, most) => {
  const { tags, requests } = await walked(page);
  expect(tags).toBeNull();
  expect(requests).toBeLessThanOrEqual(most);
});

test.each([
  ["one answer lacks", 1, null],
  ["two answers lack", 2, 1],
])("readTagList(): published tags that %s", async (_, lacking, tags) => {
  let asked = 0;
  const server = await startFaultServer(() =>
    json({ next: null, results: tagsFrom(0, asked++ < lacking ? 1 : 5) }),
  );
  onTestFinished(() => server.close());
  const get = tagsOf(testClient(server.url).client);
  const read = await readTagList(get, 100, tagsFrom(0, 5));
  expect([read?.length ?? null, asked]).toEqual([tags, 2]);
});
