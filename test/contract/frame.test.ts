/** A page past the end, as frameworks write it that leave out what is empty. */
import { expect, test } from "vitest";
import { decodePage, readErrorBody } from "../../src/contract/body.ts";
import { decodeQuote } from "../../src/contract/decode.ts";
import { PageFrame } from "../../src/contract/frame.ts";

const quote = { pk: 1, quote: "a", author: null, likes: 0, tags: [], image: null, language: "en" };
const previous = "https://quotes.example/apiv1/quotes/?limit=20&offset=130";
const next = "https://quotes.example/apiv1/quotes/?limit=20&offset=20";
const found = { success: true, message: "1 quote found" };

function decodeAfter(page: object, body: object) {
  const frame = new PageFrame();
  expect(frame.read(page)).toBe(page);
  const read = frame.read(body);
  return readErrorBody(read) === null ? decodePage(read, decodeQuote) : null;
}

test.each<[string, object, object]>([
  [
    "lists that are left out (Go)",
    { count: 150, next, previous, results: [quote] },
    { count: 150, previous },
  ],
  ["nothing but what is not empty (Protobuf)", { next, results: [quote] }, {}],
  ["lists that are null (Go)", { next, results: [quote] }, { results: null }],
  [
    "objects that are left out (Spring)",
    { _embedded: { quotes: [quote] }, _links: { next: { href: next } }, page: { size: 20 } },
    { _links: { self: { href: previous } }, page: { size: 20 } },
  ],
  [
    "a list under another name, beside a message",
    { code: 0, msg: "ok", success: true, data: { list: [quote], total: 150 } },
    { code: 0, msg: "ok", success: true, data: { list: [], total: 150 } },
  ],
  ["data that is null", { code: 0, data: { list: [quote] } }, { code: 0, data: null }],
  ["other words", { ...found, data: [quote] }, { success: true, message: "None", data: [] }],
  ["the same words", { message: "Quotes", data: [quote] }, { message: "Quotes", data: [] }],
  ["lists that are objects (PHP)", { data: { list: [quote] } }, { data: { list: {} } }],
])("an empty page of a service with %s is read", (_, page, body) => {
  expect(decodeAfter(page, body)).toMatchObject({ ok: true, value: { items: [], next: null } });
});

test.each<[string, object, object]>([
  ["another name", { next, results: [quote] }, { previous }],
  ["another name beside the list", { data: { list: [quote] } }, { data: { reason: "slow down" } }],
  ["a message", { next, results: [quote] }, { results: null, message: "slow down" }],
  [
    "other words without a status",
    { message: "Quotes", data: [quote] },
    { message: "Wait", data: [] },
  ],
  ["another status", { ...found, data: [quote] }, { success: false, message: "Wait", data: [] }],
  ["no status", { ...found, data: [quote] }, { message: "Wait", data: [] }],
  ["another code", { code: 0, msg: "ok", data: [quote] }, { code: 429, msg: "ok", data: null }],
  ["another list", { code: 0, data: [quote] }, { code: 0, data: "x" }],
])("a body with %s is no empty page", (_, page, body) => {
  expect(decodeAfter(page, body)?.ok ?? false).toBe(false);
});

test("without a page before it, a body without a list is none", () => {
  const body = { count: 150, previous };
  expect(new PageFrame().read(body)).toBe(body);
});
