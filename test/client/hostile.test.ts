/** Bodies made to break their reader, over a real socket: each ends in a page or in a refusal of one line. */
import { expect, test } from "vitest";
import { quotesOf, tagsOf } from "../../src/client/quotes.ts";
import {
  Refusal,
  GarbledAnswer,
  PermanentAnswer,
  ServiceUnavailable,
} from "../../src/contract/errors.ts";
import { EVERYTHING } from "../../src/contract/window.ts";
import { serve, testClient, text } from "../support/http/index.ts";
import { wireQuote } from "../support/service/index.ts";

const deepList = "[".repeat(100_000) + "]".repeat(100_000);
const deepRecord = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
const JSON_TYPE = { "content-type": "application/json" };

/** Answers everything with one body; a client with and without a credential to look for. */
async function clientsOf(body: string, status = 200) {
  const server = await serve(text(body, status, JSON_TYPE));
  return [testClient(server.url), testClient(server.url, { token: "s3cret-t0ken" })].map(
    ({ client }) => client,
  );
}

const pageWith = (record: string): string =>
  `{"next":null,"results":[${JSON.stringify(wireQuote(1))},${record},${JSON.stringify(wireQuote(3))}]}`;
const withField = (field: string, json: string): string =>
  JSON.stringify(wireQuote(2, { [field]: "here" })).replace(
    new RegExp(`"${field}":"here"`),
    `"${field}":${json}`,
  );

test.each<[name: string, record: string, pk: number | null]>([
  ["a deep list as its key", withField("pk", deepList), null],
  ["a deep record in an unknown field", withField("extra", deepRecord), 2],
  ["a deep list in place of a record", deepList, null],
  ["an unknown field of 7 MB", withField("extra", JSON.stringify("a b ".repeat(1_750_000))), 2],
])("quotesOf() quarantines %s and keeps the rest of the page", async (_, record, pk) => {
  for (const client of await clientsOf(pageWith(record))) {
    const page = await quotesOf(client)(EVERYTHING, 0, 100);
    expect(page.quotes.map(({ id }) => id)).toEqual([1, 3]);
    expect(page.quarantined).toMatchObject([{ index: 1, pk }]);
    expect(page.quarantined[0]?.reason.length).toBeLessThan(200);
  }
});

const longReason = JSON.stringify("a b ".repeat(2_000_000));

test.each<[string, string, number, new (...parts: never[]) => Refusal]>([
  ["a deep detail", `{"detail":${deepList}}`, 200, ServiceUnavailable],
  ["a deep detail of trouble", `{"detail":${deepList}}`, 500, ServiceUnavailable],
  ["a deep errmsg", `{"errno":400,"errmsg":${deepRecord}}`, 400, PermanentAnswer],
  ["a detail of 8 MB", `{"detail":${longReason}}`, 404, PermanentAnswer],
  ["a deep next", `{"results":[],"next":${deepList}}`, 200, GarbledAnswer],
  ["deep results", `{"results":${deepRecord},"next":null}`, 200, GarbledAnswer],
  ["a deep record as body", deepRecord, 200, GarbledAnswer],
])("get() refuses %s in one short line", async (_, body, status, refusal) => {
  for (const client of await clientsOf(body, status)) {
    const failure: unknown = await quotesOf(client)(EVERYTHING, 0, 100).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(refusal);
    expect((failure as Refusal).message).toMatch(/^Cannot read [^\n]{1,400}$/);
  }
});

test("quotesOf() reads a deep list as body as a list of one unreadable record", async () => {
  for (const client of await clientsOf(deepList)) {
    const page = await quotesOf(client)(EVERYTHING, 0, 100);
    expect(page).toMatchObject({ shape: "array", quotes: [], quarantined: [{ pk: null }] });
    const tags = await tagsOf(client)(0, 100);
    expect(tags).toMatchObject({ shape: "array", items: [], quarantined: [{ pk: null }] });
  }
});

test("quotesOf() counts what it leaves out, once for each quote", async () => {
  const tags = Array.from({ length: 500 }, (_, at) => `tag-${at}`);
  const record = JSON.stringify(wireQuote(2, { tags, author: "y".repeat(201) }));
  for (const client of await clientsOf(pageWith(record))) {
    for (let again = 0; again < 2; again++) {
      const { quotes } = await quotesOf(client)(EVERYTHING, 0, 100);
      expect(quotes[1]).toMatchObject({ id: 2, author: null, tags: tags.slice(0, 64) });
    }
    expect([...client.dropped.values()]).toEqual([{ pk: 2, tags: 436, authors: 1 }]);
  }
});
