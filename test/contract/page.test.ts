import { expect, test } from "vitest";
import { decodeQuote } from "../../src/contract/decode.ts";
import { readErrorBody, decodePage } from "../../src/contract/body.ts";

const quote = { pk: 1, quote: "a", author: null, likes: 0, tags: [], image: null, language: "en" };

test.each([
  ["envelope", { next: null, previous: null, results: [quote] }],
  ["array", [quote]],
  ["record", quote],
  ["envelope without next", { results: [quote] }],
])("decodePage() says that it read the shape %s", (shape, body) => {
  const page = decodePage(body, decodeQuote);
  expect(page).toMatchObject({ ok: true, value: { shape, next: null, items: [{ id: 1 }] } });
});

test.each([
  ["http://a/apiv1/quotes/?limit=5&offset=10", { offset: 10 }],
  ["https://elsewhere:8/x?offset=10&offset=20&limit=", { offset: 20 }],
  ["?offset=-5&limit=1e3", { offset: null }],
  ["javascript:alert(1)", { offset: null }],
  ["http://a/?limit=5&offset=10#offset=99", { offset: 10 }],
])("decodePage() takes only the offset from next %s", (next, expected) => {
  expect(decodePage({ next, results: [] }, decodeQuote)).toMatchObject({
    value: { next: expected },
  });
});

test.each<[string, object, { offset: number | null } | null]>([
  ["links.next", { links: { next: "?offset=5" }, results: [quote] }, { offset: 5 }],
  ["_links.next.href", { _links: { next: { href: "?offset=5" } }, items: [quote] }, { offset: 5 }],
  ["data and meta", { data: [quote], meta: { next: "?offset=5", total: 9 } }, { offset: 5 }],
  ["an inner envelope", { data: { results: [quote], next: null } }, null],
  ["next_page_url", { quotes: [quote], next_page_url: "?offset=5" }, { offset: 5 }],
  ["&amp; in next", { results: [quote], next: "?limit=5&amp;offset=5" }, { offset: 5 }],
  ["next.offset", { results: [quote], next: { limit: 5, offset: 5 } }, { offset: 5 }],
  ["next.url", { results: [quote], next: { url: "?offset=5" } }, { offset: 5 }],
  ["hasMore", { results: [quote], hasMore: true }, { offset: null }],
  ["last of Spring", { content: [quote], last: false }, { offset: null }],
  ["@odata.nextLink", { value: [quote], "@odata.nextLink": "?offset=5" }, { offset: 5 }],
  [
    "_embedded of HAL",
    { _embedded: { quotes: [quote] }, _links: { next: { href: "?offset=5" } } },
    { offset: 5 },
  ],
  ["results of one that is no list", { results: quote, next: "?offset=5" }, { offset: 5 }],
  ["results with numbers", { results: { 0: quote }, next: "?offset=5" }, { offset: 5 }],
  [
    "next in another address",
    { results: [quote], next: "https://a/?url=https%3A%2F%2Fb%2F%3Flimit%3D5%26offset%3D5" },
    { offset: 5 },
  ],
  ["next: true", { results: [quote], next: true }, { offset: null }],
  ["next: false", { results: [quote], next: false }, null],
])("decodePage() finds %s", (_, body, next) => {
  expect(decodePage(body, decodeQuote)).toMatchObject({
    value: { shape: "envelope", next, items: [{ id: 1 }] },
  });
});

test("decodePage() names the keys of what is no page", () => {
  const page = decodePage({ version: 2, paths: {} }, decodeQuote);
  expect(page).toMatchObject({
    reason:
      'the body is no page: it has the keys version, paths, and no list of quotes in "results"',
  });
});

test.each([
  ["null", null],
  ["an empty text", { ...quote, pk: 2, quote: "" }],
  ["a blank text", { ...quote, pk: 2, quote: "\n " }],
  ["no text", { ...quote, pk: 2, quote: null }],
  ["a key alone, as text", { pk: "2", quote: null }],
  ["a mark", { pk: 2, deleted: true }],
  ["a number as mark", { pk: 2, author: "Thales", is_deleted: 1 }],
])("decodePage() takes a row with %s for a deleted one", (_, row) => {
  const page = decodePage({ next: null, results: [row, quote, { pk: 3 }] }, decodeQuote);
  // The unreadable record comes second of the rows that hold a quote.
  expect(page).toMatchObject({
    value: { vacant: [0], items: [{ id: 1 }], quarantined: [{ index: 1, pk: 3 }] },
  });
});

const { pk: _, ...fields } = quote;

test.each<[string, object]>([
  ["JSON:API", { data: [{ type: "quotes", id: "1", attributes: fields }], links: { next: null } }],
  ["Django's own format", { next: null, results: [{ model: "quotes.quote", pk: 1, fields }] }],
  [
    "an index",
    {
      next: null,
      hits: { total: { value: 1 }, hits: [{ _id: "1", _score: 2.5, _source: fields }] },
    },
  ],
  ["a connection", { edges: [{ cursor: "x", node: quote }], pageInfo: { hasNextPage: false } }],
  ["CouchDB", { next: null, rows: [{ id: "1", value: { rev: "1-a" }, doc: fields }] }],
  ["an index two levels down", { data: { next: null, response: { found: [quote] } } }],
  ["a serializer of all fields", { next: null, results: [{ id: 1, ...fields }] }],
  ["a database", { next: null, found: [{ _id: 1, ...fields }] }],
  ["an index with the key inside", { next: null, hits: { hits: [{ _id: "q9", _source: quote }] } }],
])("decodePage() reads rows as %s writes them", (_name, body) => {
  const page = decodePage(body, decodeQuote);
  expect(page).toMatchObject({
    value: {
      shape: "envelope",
      next: null,
      items: [{ id: 1, text: quote.quote }],
      quarantined: [],
    },
  });
});

test("decodePage() takes the id of a row for no key where others have a pk", () => {
  const page = decodePage({ next: null, results: [quote, { id: 9, quote: "Buy!" }] }, decodeQuote);
  expect(page).toMatchObject({ value: { items: [{ id: 1 }], quarantined: [{ pk: null }] } });
  expect(page).toHaveProperty(
    "value.quarantined.0.reason",
    expect.stringMatching(/^Cannot read pk: .* got nothing; the record has id, quote$/),
  );
});

test("decodePage() names what a row lacks whose fields are one level deeper", () => {
  const row = { type: "quotes", id: "a3f", attributes: fields };
  const page = decodePage({ next: null, results: [row] }, decodeQuote);
  expect(page).toMatchObject({
    value: {
      quarantined: [{ pk: null, reason: expect.stringMatching(/^Cannot read pk/) as string }],
    },
  });
});

test.each([
  ["a row with a text and a mark", { ...quote, pk: 2, deleted: true }, true],
  ["a row without text and mark", { pk: 2, deleted: false }, false],
])("decodePage() takes %s for no deleted one", (_, row, isRead) => {
  const page = decodePage({ next: null, results: [row] }, decodeQuote);
  const lengths = isRead ? { items: [{ id: 2 }], vacant: [] } : { quarantined: [{ pk: 2 }] };
  expect(page).toMatchObject({ value: lengths });
});

test.each([
  [7, 7],
  ["7", 7],
  ["x", null],
  [0, 0],
  [1.5, null],
  ["9007199254740993", null],
  [undefined, null],
])("decodePage() reads pk %j of a record that it cannot read as %j", (pk, key) => {
  const page = decodePage([{ ...quote, pk, quote: 5 }], decodeQuote);
  expect(page).toMatchObject({ value: { items: [], quarantined: [{ index: 0, pk: key }] } });
});

test.each([
  ["an error with status 200", { errno: 429, errmsg: "too many requests" }],
  ["a DRF error", { detail: "Not found." }],
  ["text", "<html>"],
  ["null", null],
  ["an object without results", {}],
  ["results that are no list", { results: { page: 1 } }],
  ["a next that is no address", { results: [], next: [5] }],
])("decodePage() refuses %s", (_, body) => {
  expect(decodePage(body, decodeQuote).ok).toBe(false);
});

test("decodePage() reads a count and does not need one", () => {
  expect(decodePage({ count: 3, results: [] }, decodeQuote)).toMatchObject({ value: { count: 3 } });
  expect(decodePage({ count: "3", results: [] }, decodeQuote)).toMatchObject({
    value: { count: null },
  });
});

test.each([
  [{ errno: 400, errmsg: "Bad Request" }, "Bad Request"],
  [{ detail: "Request was throttled.\u001b[2J" }, "Request was throttled.[2J"],
  [{ errno: 500 }, "500"],
  [{ results: [], detail: "x" }, "x"],
  [{ results: [], message: "slow down" }, "slow down"],
  [{ results: [], error: { code: 9 } }, '{"code":9}'],
  [{ results: [], success: false }, "an error without a reason"],
  [{ results: [], status: "error" }, "an error without a reason"],
  [{ data: [], ok: false }, "an error without a reason"],
  [{ results: [], code: 429 }, "an error without a reason"],
  [{ results: [], msg: "too fast" }, "too fast"],
  [{ results: [], code: 200, errors: {} }, null],
  [{ results: [quote], message: "x" }, null],
  [{ results: [], message: "OK", error: null, errno: 0 }, null],
  [{ results: [], success: true, errors: [] }, null],
  [{ results: [], status: "fine" }, null],
  [{ ...quote, message: "x" }, null],
  [{ results: [quote], timed_out: true }, "timed_out: a part of the quotes is missing"],
  [
    { items: [quote], incomplete_results: true },
    "incomplete_results: a part of the quotes is missing",
  ],
  [{ results: [quote], _shards: { failed: 1 } }, "_shards.failed: a part of the quotes is missing"],
  [{ results: [quote], timed_out: false, _shards: { failed: 0 } }, null],
  [[], null],
  ["x", null],
])("readErrorBody(%j) is %j", (body, expected) => {
  expect(readErrorBody(body)).toBe(expected);
});
