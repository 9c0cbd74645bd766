/** Records as services send them: what is read of each, what is refused, and that none costs more time than its length. */
import { expect, test } from "vitest";
import { decodeQuote, decodeTag } from "../../src/contract/decode.ts";
import { toWire, type Quote } from "../../src/contract/quote.ts";
import { realQuotes } from "../support/snapshot/index.ts";

const plain = {
  ...{ pk: 7, quote: "Know thyself.", author: "Thales", likes: 3, tags: ["wisdom"] },
  ...{ image: null, language: "en" },
};
const decode = (raw: object) => decodeQuote({ ...plain, ...raw });

function read(raw: object): Quote {
  const decoded = decode(raw);
  if (!decoded.ok) throw new Error(decoded.reason);
  return decoded.value;
}

const nested = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));
const WIDE = "𝄞";
const numbered = (many: number, name = "tag"): string[] =>
  Array.from({ length: many }, (_, at) => `${name}-${at}`);

test("decodeQuote() keeps a clean record as it is", () => {
  expect(read({})).toEqual({
    id: 7,
    text: "Know thyself.",
    author: "Thales",
    likes: 3,
    tags: ["wisdom"],
    image: null,
    language: "en",
    served: null,
    source: null,
  });
});

const REGION = `en${"-abcdefgh".repeat(3)}-abcde`;

test.each<[keyof Quote, unknown, unknown]>([
  ["tags", ["love", "Love", "love "], ["love", "Love"]],
  ["tags", "love, life,,love", ["love", "life"]],
  ["tags", null, []],
  ["tags", undefined, []],
  ["likes", undefined, 0],
  ["author", null, null],
  ["author", "", null],
  ["author", " \u0000\u200f ", null],
  ["author", undefined, null],
  ["author", "Marcus\r\nAurelius", "Marcus Aurelius"],
  ["language", "xx", "xx"],
  ["language", "pt-BR", "pt-BR"],
  ["language", "p_t", "und"],
  ["language", "zh-Hant", "zh-Hant"],
  ["language", REGION, REGION],
  ["language", `${REGION}f`, "und"],
  ["language", "../../etc", "und"],
  ["language", "en fr", "und"],
  ["language", "<b>", "und"],
  ["language", null, "und"],
  ["image", " https://x/y.png\n", "https://x/y.png"],
  ["image", "", null],
  ["image", 5, null],
  ["image", {}, null],
  ["image", "x".repeat(3_000), null],
])("decodeQuote() reads %s given as %j as %j", (field, given, expected) => {
  expect(read({ [field]: given })[field]).toEqual(expected);
});

test("decodeQuote() makes text well-formed, drops controls and unifies line ends", () => {
  const quote = read({ quote: "\uFEFFone\r\ntwo\u0000\u001b[31m \ud800three\u2028four\u0085 " });
  expect(quote.text).toBe("one\ntwo[31m \ufffdthree\nfour");
  expect(quote.served?.quote).toContain("\u001b[31m");
});

const TOO_DEEP = "more than 32 levels deep";

test.each<[string, object, string]>([
  ["pk -1", { pk: -1 }, "Cannot read pk: expected an integer from 0 to 9007199254740991, got -1"],
  ["a UUID as pk", { pk: "9f1c-77" }, "keys of text, such as UUIDs, are not supported: ask"],
  ["pk beyond integers", { pk: 2 ** 53 }, "Cannot read pk"],
  ["pk as a fraction", { pk: 1.5 }, "Cannot read pk"],
  ["no pk", { pk: null }, "Cannot read pk"],
  ["no text", { quote: null }, "Cannot read quote: expected text, got null"],
  ["a blank text", { quote: "\u0000 \n" }, "its text is empty"],
  ["10,001 code points of text", { quote: WIDE.repeat(10_001) }, "more than 10000 characters"],
  ["401 lines", { quote: Array(401).fill("a").join("\r\n") }, "more than 400 lines"],
  ["800 kB of newlines", { quote: `So.${"\n".repeat(800_000)}Thales` }, "longer than 256 kB"],
  ["an unknown field of 300 kB", { extra: "x".repeat(300_000) }, "longer than 256 kB"],
  ["30,000 tags", { tags: numbered(30_000, "mdclxvi") }, "longer than 256 kB"],
  ["32 levels below the record", { extra: nested(32) }, TOO_DEEP],
  ...["pk", "quote", "author", "likes", "tags", "image", "language"].map(
    (field) =>
      [`a deep ${field}`, { [field]: nested(100_000) }, TOO_DEEP] as [string, object, string],
  ),
])("decodeQuote() quarantines a record with %s, and says why", (_, raw, reason) => {
  expect(decode(raw)).toMatchObject({
    ok: false,
    reason: expect.stringContaining(reason) as string,
  });
});

test.each<[string, object, object]>([
  ["pk 0", { pk: 0 }, { id: 0 }],
  ["digits as pk", { pk: "7" }, { id: 7 }],
  ["digits as likes", { likes: "7" }, { likes: 7 }],
  ["whole votes with a fraction of zero as likes", { likes: "237.0" }, { likes: 237 }],
  ["digits below zero as likes", { likes: "-3" }, { likes: -3 }],
  ["a nested author", { author: { id: 1, name: "Sappho" } }, { author: "Sappho" }],
  ["an author in a list", { author: ["Sappho"] }, { author: "Sappho" }],
  [
    "a name in parts",
    { author: { first_name: "Jane", last_name: "Austen" } },
    { author: "Jane Austen" },
  ],
  ["a part of a name", { author: { firstName: null, lastName: "Homer" } }, { author: "Homer" }],
  ["two authors", { author: [{ name: "Marx" }, { name: "Engels" }] }, { author: "Marx, Engels" }],
  ["an empty list as author", { author: [] }, { author: null }],
  ["nested tags", { tags: [{ id: 1, name: "love" }, "life"] }, { tags: ["love", "life"] }],
  [
    "related tags",
    { tags: { data: [{ id: 1, attributes: { name: "love" } }] } },
    { tags: ["love"] },
  ],
  [
    "a related author",
    { author: { data: { id: 1, attributes: { name: "Sappho" } } } },
    { author: "Sappho" },
  ],
  ["no related author", { author: { data: null } }, { author: null }],
  ["tags as JSON in a text", { tags: '["love", "a, b"]' }, { tags: ["love", "a, b"] }],
  ["tags as an array of PostgreSQL", { tags: '{love,"a, b"}' }, { tags: ["love", "a, b"] }],
  ["an empty array of PostgreSQL", { tags: "{}" }, { tags: [] }],
  ["tags with bars between them", { tags: "love | life" }, { tags: ["love", "life"] }],
  ["labels as tags", { tags: [{ id: 1, label: "love" }] }, { tags: ["love"] }],
  ["tags of a table that joins", { tags: [{ tag: { id: 1, name: "love" } }] }, { tags: ["love"] }],
  ["likes with commas", { likes: "1,234,567" }, { likes: 1_234_567 }],
  ["counted likes", { likes: { count: 7 } }, { likes: 7 }],
  [
    "a nested language with a name",
    { language: { name: "Frisian", code: "fy" } },
    { language: "fy" },
  ],
  ["a locale of POSIX", { language: "pt_BR" }, { language: "pt-BR" }],
  ["a language in a list", { language: ["fr"] }, { language: "fr" }],
  ["the name of a language", { language: "English" }, { language: "en" }],
  ["a long name", { language: "portuguese" }, { language: "pt" }],
  ["a language's own name", { language: "Français" }, { language: "fr" }],
  ["a name in another script", { language: "עברית" }, { language: "he" }],
  // The contract's "be" is Bengali.
  ["Bengali", { language: "Bengali" }, { language: "bn" }],
  ["Belarusian", { language: "Belarusian" }, { language: "und" }],
  ["no language at all", { language: "Unknown" }, { language: "und" }],
  ["an unknown name", { language: "klingon" }, { language: "klingon" }],
  ["a nested language", { language: { code: "fr" } }, { language: "fr" }],
])("decodeQuote() reads %s without doubt", (_, raw, value) => {
  const decoded = decode(raw);
  expect(decoded).toMatchObject({ ok: true, value });
  expect(decoded.ok && decoded.unread).toBeUndefined();
});

test.each<[string, object, string[], object]>([
  ["a comma as likes", { likes: "1,5" }, ["likes"], { likes: 0 }],
  ["a fraction as likes", { likes: 1.5 }, ["likes"], { likes: 0 }],
  ["endless likes", { likes: Infinity }, ["likes"], { likes: 0 }],
  ["a number as author", { author: 5 }, ["author"], { author: null }],
  ["a list of numbers as author", { author: [5] }, ["author"], { author: null }],
  ["a fraction as text of likes", { likes: "1.5" }, ["likes"], { likes: 0 }],
  ["a number as tag", { tags: ["a", 1] }, ["tags"], { tags: [] }],
  ["a record as tags", { tags: { a: 1 } }, ["tags"], { tags: [] }],
  ["a number as language", { language: 3 }, ["language"], { language: "und" }],
  ["two at once", { language: 3, likes: "many" }, ["likes", "language"], { likes: 0 }],
])("decodeQuote() names a field that it cannot read: %s", (_, raw, unread, value) => {
  const decoded = decode(raw);
  expect(decoded).toMatchObject({ ok: true, value });
  expect(decoded.ok && new Set(decoded.unread)).toEqual(new Set(unread));
});

test.each<[string, object]>([
  ["10,000 code points of text", { quote: WIDE.repeat(10_000) }],
  ["400 lines", { quote: Array(400).fill("a").join("\n") }],
  ["an unknown field of 250 kB", { extra: "x".repeat(250_000) }],
  ["31 levels below the record", { extra: nested(31) }],
])("decodeQuote() reads a record with %s", (_, raw) => {
  expect(decode(raw)).toMatchObject({ ok: true, value: { id: 7 } });
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
  ["a tag of 100 code points", [WIDE.repeat(100), "x"], 2, undefined],
  ["a tag of 101 code points", [WIDE.repeat(101), "x"], 1, 1],
  ["a long tag among many", [...numbered(64), "y".repeat(101)], 64, 1],
  ["65 tags in one string", numbered(65).join(","), 64, 1],
])("decodeQuote() keeps and counts of %s", (_, tags, kept, dropped) => {
  const decoded = decode({ tags });
  expect(decoded.ok && decoded.value.tags.length).toBe(kept);
  expect(decoded.ok && decoded.dropped?.tags).toBe(dropped);
});

test.each(["\n", " ", "-", " -", ".", "” "])(
  "decodeQuote() takes a long run of %j before the author in its stride",
  (run) => {
    const began = process.threadCpuUsage();
    for (const end of ["", "so ", "so. "]) {
      decode({ quote: `So it is.${run.repeat(120_000)}${end}Thales` });
    }
    const { user, system } = process.threadCpuUsage(began);
    // Quadratic, it takes seconds.
    expect((user + system) / 1_000).toBeLessThan(400);
  },
);

test.each<[string, Record<string, unknown>, unknown]>([
  ["no source", {}, null],
  ["a title", { source: " Walden\n" }, { work: "Walden", year: null }],
  ["a title and a year", { source: "Walden", year: 1854 }, { work: "Walden", year: "1854" }],
  ["a work", { work: "Walden", year: "c. 1854" }, { work: "Walden", year: "c. 1854" }],
  ["a book", { book: { title: "Walden", year: 1854 } }, { work: "Walden", year: "1854" }],
  [
    "what the export writes",
    { source: { work: "Walden", year: null } },
    { work: "Walden", year: null },
  ],
  ["the most exact of several", { book: "B", work: "A", source: "" }, { work: "A", year: null }],
  ["the key of another table", { source: 17 }, null],
  [
    "an address, and a book",
    { source: "https://x.example/1", book: "B" },
    { work: "B", year: null },
  ],
  ["the author", { author: "Thoreau", source: "Thoreau" }, null],
  [
    "controls",
    { source: "\u202eWal\u0000den\u2028", year: "\u0007" },
    { work: "Walden", year: null },
  ],
  ["a long title", { source: "x".repeat(301) }, null],
  [
    "a long year",
    { source: "x".repeat(300), year: "1".repeat(31) },
    { work: "x".repeat(300), year: null },
  ],
  ["a list", { source: ["Walden"], year: [1854] }, null],
  ["a prototype", { source: { constructor: "x" } }, null],
])("decodeQuote() reads the source from %s, and calls nothing in it a fault", (_, more, source) => {
  const decoded = decode(more);
  expect(decoded).toMatchObject({ ok: true, value: { source } });
  expect(decoded).not.toHaveProperty("unread");
});

test("toWire() gives back the words that were served", () => {
  const served = { quote: "The soul of beauty. Augustine", author: "Augustine" };
  expect(read(served).text).toBe("The soul of beauty.");
  expect(toWire(read(served))).toMatchObject(served);
});

test("decodeQuote() reads every record of a real collection and can give it back", () => {
  for (const [index, raw] of realQuotes("quotes.sample.ndjson").entries()) {
    const quote = read({ likes: 0, image: null, ...raw, pk: index + 1 });
    expect(toWire(quote).quote).toBe(raw.quote);
    expect(toWire(quote).author).toBe(raw.author);
  }
});

test("decodeTag() reads a tag with or without a slug, and no long, deep or nameless one", () => {
  expect(decodeTag({ name: " Love ", slug: "love" })).toEqual({
    ok: true,
    value: { name: "Love", slug: "love" },
  });
  expect(decodeTag({ name: "x" })).toMatchObject({ value: { slug: "" } });
  expect(decodeTag({ name: " " })).toMatchObject({ ok: false });
  expect(decodeTag({ slug: "x" })).toMatchObject({ ok: false });
  expect(decodeTag({ name: WIDE.repeat(100) }).ok).toBe(true);
  expect(decodeTag({ name: WIDE.repeat(101) }).ok).toBe(false);
  expect(decodeTag({ name: nested(100_000) }).ok).toBe(false);
});
