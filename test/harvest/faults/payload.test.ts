/**
 * Payload fuzz (docs/walk.md, section 10): whatever a page is made of, the harvest neither crashes nor hangs, writes no row that
 * breaks the schema, and names every record that it could not read.
 */
// @module-tag sized
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { decodeQuote } from "../../../src/contract/decode.ts";
import { Refusal } from "../../../src/contract/errors.ts";
import type { Quote } from "../../../src/contract/quote.ts";
import { decodePage } from "../../../src/contract/body.ts";
import { EVERYTHING, type ServedPage } from "../../../src/contract/window.ts";
import { LIMITS } from "../../../src/client/connection.ts";
import { quotesOf } from "../../../src/client/quotes.ts";
import { type Reply, startFaultServer, testClient } from "../../support/http/index.ts";
import { wireQuote } from "../../support/service/index.ts";
import { harvestInMemory } from "../drift/harvest.ts";
import { sized } from "../../support/tier.ts";
import { anyCharacter } from "../../support/any-character.ts";

const { count: RUNS, timeout } = sized("PAYLOADS", 100, 1_500);

const anything = fc.anything({ withNullPrototype: false, maxDepth: 2 });
const text = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.constantFrom("\ud800", "\0", "\u2028", "‮"),
);
const value = fc.oneof(
  fc.jsonValue(),
  text,
  fc.constantFrom(null, -1, 0, 1.5, 2 ** 53, 1e308, "7", "", [], {}, [null], ["a", 1], true),
);
const field = fc.constantFrom("pk", "quote", "author", "likes", "tags", "image", "language", "x");

/** A good record with some fields replaced, or left out, or no record at all. */
const record = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.nat(500), fc.array(fc.tuple(field, value), { maxLength: 3 }))
      .map(([pk, replaced]): unknown => ({
        ...wireQuote(pk + 1),
        ...Object.fromEntries(replaced),
      })),
  },
  { weight: 1, arbitrary: value },
);

const page = fc.record({
  records: fc.array(record, { maxLength: 12 }),
  next: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value }),
});

function bodyOf({ records, next }: typeof page extends fc.Arbitrary<infer T> ? T : never) {
  return { next, previous: null, results: records };
}

/** What decodePage() keeps is sound, with a decoder of records. */
const soundness = (decode: typeof decodeQuote) => {
  const counts = { kept: 0, quarantined: 0 };
  const property = fc.property(fc.oneof(page.map(bodyOf), anything), (body) => {
    const decoded = decodePage(body, decode);
    if (!decoded.ok) return;
    const { items, quarantined, vacant } = decoded.value;
    const results = Array.isArray(body)
      ? body
      : ((body as { results?: unknown[] }).results ?? [body]);
    counts.kept += items.length;
    counts.quarantined += quarantined.length;
    expect(items.length + quarantined.length + vacant.length).toBe(results.length);
    for (const { reason } of quarantined) expect(reason).toMatch(/^[^\u0000-\u001f]+$/);
    for (const { id, text: words, author, likes, tags, language } of items) {
      expect(Number.isSafeInteger(id) && id >= 0 && Number.isSafeInteger(likes)).toBe(true);
      expect(words.isWellFormed() && words.trim() !== "" && author !== "").toBe(true);
      expect(tags.every((tag) => tag !== "" && tag.isWellFormed())).toBe(true);
      expect([words, author ?? "", ...tags].join("")).not.toMatch(/[\0\r\x1b]/);
      expect(language).not.toBe("");
    }
  });
  return { property, counts };
};

test("decodePage() keeps or quarantines every record, and what it keeps is sound", () => {
  const { property, counts } = soundness(decodeQuote);
  fc.assert(property, { numRuns: RUNS });
  process.stdout.write(`${counts.kept} records kept, ${counts.quarantined} quarantined\n`);
  expect(Math.min(counts.kept, counts.quarantined)).toBeGreaterThan(RUNS / 10);
});

test.each<[string, Partial<Quote>]>([
  ["an empty author", { author: "" }],
  ["an empty tag", { tags: [""] }],
  ["a text of spaces", { text: " " }],
  ["a control character", { text: "a\u001bb" }],
  ["half of a pair", { tags: ["\ud800"] }],
  ["no language", { language: "" }],
  ["a key that is no whole number", { id: 1.5 }],
])("the fuzz of payloads finds a decoder that lets %s through", (_, fault) => {
  const { property } = soundness((value) => {
    const decoded = decodeQuote(value);
    return decoded.ok ? { ...decoded, value: { ...decoded.value, ...fault } } : decoded;
  });
  expect(fc.check(property, { numRuns: RUNS }).failed).toBe(true);
});

/** The page without the records before an offset: whatever it says of a next one, it is all there is. */
function from(offset: number, page: ServedPage): ServedPage {
  const left = page.quarantined.filter(({ index }) => index >= offset);
  const dropped = Math.max(0, offset - (page.quarantined.length - left.length));
  return {
    ...page,
    offset,
    quotes: page.quotes.slice(dropped),
    quarantined: left.map((one) => ({ ...one, index: one.index - offset })),
    next: null,
  };
}

/** Harvests one page of bytes over a socket, into a database. */
async function harvestBytes(url: string) {
  const { client } = testClient(url);
  const get = quotesOf(client);
  try {
    return await harvestInMemory(
      // One page is all there is, whatever it says of a next one.
      async (_, offset, limit) => from(offset, await get(EVERYTHING, 0, limit)),
      { concurrency: 1, overlap: 2 },
    );
  } finally {
    await client.close();
  }
}

test(
  "a harvest of mutated bytes costs at most two seconds and waits for nothing, with sound rows or a refusal",
  async () => {
    let reply: Reply = () => undefined;
    const ended = { harvested: 0, refused: 0 };
    const server = await startFaultServer(() => (response, request) => reply(response, request));
    onTestFinished(() => server.close());
    const mutation = fc.record({
      at: fc.nat(4_000),
      cut: fc.nat(12),
      put: fc.uint8Array({ maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(page, fc.array(mutation, { maxLength: 3 }), async (drawn, mutations) => {
        const body = bodyOf({ ...drawn, next: null });
        let bytes = Buffer.from(JSON.stringify(body));
        for (const { at, cut, put } of mutations) {
          const from = at % (bytes.length + 1);
          bytes = Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(from + cut)]);
        }
        reply = (response) => {
          response.writeHead(200, { "content-type": "application/json" });
          response.end(bytes);
        };
        const began = { at: performance.now(), cpu: process.cpuUsage() };
        try {
          const { quotes, quarantined } = await harvestBytes(server.url);
          ended.harvested++;
          if (mutations.length === 0) {
            expect(new Set(quotes.map(({ id }) => id)).size).toBe(quotes.length);
            expect(quotes.length + quarantined).toBeLessThanOrEqual(body.results.length);
          }
          for (const { id, text: words } of quotes) expect(id >= 0 && words !== "").toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
          ended.refused++;
        }
        const { user, system } = process.cpuUsage(began.cpu);
        expect((user + system) / 1_000).toBeLessThan(2_000);
        expect(performance.now() - began.at).toBeLessThan(LIMITS.bodyIdleMs);
      }),
      { numRuns: Math.ceil(RUNS / 3) },
    );
    process.stdout.write(`${ended.harvested} pages of bytes harvested, ${ended.refused} refused\n`);
    expect(Math.min(ended.harvested, ended.refused)).toBeGreaterThan(0);
  },
  timeout,
);
