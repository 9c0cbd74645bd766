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

test.each([
  [7, 7],
  ["7", 7],
  ["x", null],
  [0, null],
  [1.5, null],
  ["9007199254740993", null],
  [undefined, null],
])("decodePage() reads pk %j of a record that it cannot read as %j", (pk, key) => {
  const page = decodePage([{ ...quote, pk, likes: "7" }], decodeQuote);
  expect(page).toMatchObject({ value: { items: [], quarantined: [{ index: 0, pk: key }] } });
});

test.each([
  ["an error with status 200", { errno: 429, errmsg: "too many requests" }],
  ["a DRF error", { detail: "Not found." }],
  ["text", "<html>"],
  ["null", null],
  ["an object without results", {}],
  ["results that are no list", { results: {} }],
  ["a next that is no address", { results: [], next: 5 }],
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
  [{ results: [], detail: "x" }, null],
  [[], null],
  ["x", null],
])("readErrorBody(%j) is %j", (body, expected) => {
  expect(readErrorBody(body)).toBe(expected);
});
