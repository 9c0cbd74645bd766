/** Limits on a record: on either side of each, and that a hostile record costs no more time than its length. */
import { expect, test } from "vitest";
import { decodeQuote, decodeTag, type Decoded } from "../../src/contract/decode.ts";
import type { Quote } from "../../src/contract/quote.ts";

const plain = { pk: 7, quote: "Know thyself.", author: null, likes: 3, tags: [], language: "en" };

const decode = (raw: object): Decoded<Quote> => decodeQuote({ ...plain, ...raw });
const nested = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));
/** Two units of UTF-16, one code point. */
const WIDE = "𝄞";
const ROMAN = "mdclxvi";
const numbered = (many: number, name = "tag"): string[] =>
  Array.from({ length: many }, (_, at) => `${name}-${at}`);

test.each<[string, object]>([
  ["10,000 code points of text", { quote: WIDE.repeat(10_000) }],
  ["400 lines", { quote: Array(400).fill("a").join("\n") }],
  ["an unknown field of 250 kB", { extra: "x".repeat(250_000) }],
  ["31 levels below the record", { extra: nested(31) }],
])("decodeQuote() reads a record with %s", (_, raw) => {
  expect(decode(raw)).toMatchObject({ ok: true, value: { id: 7 } });
});

test.each<[string, object, string]>([
  ["10,001 code points of text", { quote: WIDE.repeat(10_001) }, "more than 10000 characters"],
  ["401 lines", { quote: Array(401).fill("a").join("\r\n") }, "more than 400 lines"],
  ["800 kB of newlines", { quote: `So.${"\n".repeat(800_000)}Thales`, author: "Thales" }, "256 kB"],
  ["an unknown field of 300 kB", { extra: "x".repeat(300_000) }, "longer than 256 kB"],
  ["30,000 tags", { tags: numbered(30_000, ROMAN) }, "longer than 256 kB"],
  ["32 levels below the record", { extra: nested(32) }, "more than 32 levels deep"],
  ...["pk", "quote", "author", "likes", "tags", "image", "language"].map(
    (field): [string, object, string] => [
      `a ${field} that is 100,000 levels deep`,
      { [field]: nested(100_000) },
      "more than 32 levels deep",
    ],
  ),
])("decodeQuote() quarantines a record with %s", (_, raw, reason) => {
  const decoded = decode(raw);
  expect(decoded.ok).toBe(false);
  if (!decoded.ok) expect(decoded.reason).toContain(reason);
});

test.each([
  [200, { author: "Ā".repeat(200) }, undefined],
  [201, { author: null }, { authors: 1, tags: 0 }],
])("decodeQuote() reads an author of %i code points", (length, expected, dropped) => {
  const decoded = decode({ author: "Ā".repeat(length) });
  expect(decoded).toMatchObject({ ok: true, value: expected });
  expect(decoded.ok && decoded.dropped).toEqual(dropped);
  // What is left out is kept nowhere.
  expect(JSON.stringify(decoded).length).toBeLessThan(400);
});

test.each([
  ["64 tags", numbered(64), 64, undefined],
  ["65 tags", numbered(65), 64, 1],
  ["2,000 tags", numbered(2_000), 64, 1_936],
  ["a tag of 100 code points", [WIDE.repeat(100), "x"], 2, undefined],
  ["a tag of 101 code points", [WIDE.repeat(101), "x"], 1, 1],
  ["a long tag among many", [...numbered(64), "y".repeat(101)], 64, 1],
  ["65 tags in one string", numbered(65).join(","), 64, 1],
])("decodeQuote() keeps and counts of %s", (_, tags, kept, dropped) => {
  const decoded = decode({ tags });
  expect(decoded.ok && decoded.value.tags.length).toBe(kept);
  expect(decoded.ok && decoded.dropped?.tags).toBe(dropped);
});

test.each([
  ["zh-Hant", "zh-Hant"],
  [`en${"-abcdefgh".repeat(3)}-abcde`, `en${"-abcdefgh".repeat(3)}-abcde`],
  [`en${"-abcdefgh".repeat(3)}-abcdef`, "und"],
  ["en fr", "und"],
  ["<b>", "und"],
])("decodeQuote() reads the language %j as %j", (language, expected) => {
  expect(decode({ language })).toMatchObject({ value: { language: expected } });
});

test("decodeTag() quarantines a name of more than 100 code points, and a deep one", () => {
  expect(decodeTag({ name: WIDE.repeat(100) }).ok).toBe(true);
  expect(decodeTag({ name: WIDE.repeat(101) }).ok).toBe(false);
  expect(decodeTag({ name: nested(100_000) }).ok).toBe(false);
});

test.each([
  ["newlines", "\n"],
  ["blanks", " "],
  ["dashes", "-"],
  ["blanks and dashes", " -"],
  ["full stops", "."],
  ["closing marks and blanks", "” "],
])("decodeQuote() takes a long run of %s before the author in its stride", (_, run) => {
  const began = process.threadCpuUsage();
  for (const end of ["", "so ", "so. "]) {
    decode({ quote: `So it is.${run.repeat(120_000)}${end}Thales`, author: "Thales" });
  }
  const { user, system } = process.threadCpuUsage(began);
  // Quadratic, it takes seconds.
  expect((user + system) / 1_000).toBeLessThan(400);
});
