import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeQuote, decodeTag } from "../../src/contract/decode.ts";
import { toWire, type Quote } from "../../src/contract/quote.ts";
import { realQuotes } from "../support/snapshot/index.ts";

const plain = { pk: 7, quote: "Know thyself.", author: "Thales", likes: 3, tags: ["wisdom"] };

function read(raw: object): Quote {
  const decoded = decodeQuote({ ...plain, image: null, language: "en", ...raw });
  if (!decoded.ok) throw new Error(decoded.reason);
  return decoded.value;
}

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
  });
});

test.each([
  ["an array", ["love", "Love", "love "], ["love", "Love"]],
  ["a comma-separated string", "love, life,,love", ["love", "life"]],
  ["null", null, []],
  ["nothing", undefined, []],
])("decodeQuote() reads tags given as %s", (_, tags, expected) => {
  expect(read({ tags }).tags).toEqual(expected);
});

test.each([
  ["null", null, null],
  ["an empty string", "", null],
  ["blanks and controls", " \u0000\u200f ", null],
  ["nothing", undefined, null],
  ["several lines", "Marcus\r\nAurelius", "Marcus Aurelius"],
])("decodeQuote() reads an author given as %s", (_, author, expected) => {
  expect(read({ author }).author).toBe(expected);
});

test.each([
  ["an unknown code", "xx", "xx"],
  ["a code with a region", "pt-BR", "pt-BR"],
  ["a code with an underscore", "pt_BR", "und"],
  ["a path", "../../etc", "und"],
  ["null", null, "und"],
])("decodeQuote() reads a language given as %s", (_, language, expected) => {
  expect(read({ language }).language).toBe(expected);
});

test("decodeQuote() makes text well-formed, drops controls and unifies line ends", () => {
  const quote = read({ quote: "\uFEFFone\r\ntwo\u0000\u001b[31m \ud800three\u2028four\u0085 " });
  expect(quote.text).toBe("one\ntwo[31m \ufffdthree\nfour");
  expect(quote.served?.quote).toContain("\u001b[31m");
});

test.each([
  [{ pk: 0 }, "Cannot read pk: expected an integer from 1 to 9007199254740991, got 0"],
  [{ pk: "7" }, 'Cannot read pk: expected an integer from 1 to 9007199254740991, got "7"'],
  [{ pk: 2 ** 53 }, "Cannot read pk"],
  [{ pk: 1.5 }, "Cannot read pk"],
  [{ pk: null }, "Cannot read pk"],
  [{ quote: null }, "Cannot read quote: expected text, got null"],
  [{ quote: "\u0000 \n" }, "its text is empty"],
  [{ likes: 1.5 }, "Cannot read likes"],
  [{ likes: Infinity }, "Cannot read likes"],
  [{ author: 5 }, "Cannot read author"],
  [{ tags: [1] }, "Cannot read tags"],
  [{ tags: { a: 1 } }, "Cannot read tags"],
  [{ language: 3 }, "Cannot read language"],
])("decodeQuote() quarantines %j with its reason", (raw, reason) => {
  const decoded = decodeQuote({ ...plain, image: null, language: "en", ...raw });
  expect(decoded).toMatchObject({ ok: false });
  if (!decoded.ok) expect(decoded.reason).toContain(reason);
});

test("decodeQuote() takes a picture's address as text alone, and drops what cannot be one", () => {
  expect(read({ image: " https://x/y.png\n" }).image).toBe("https://x/y.png");
  for (const image of [null, "", 5, {}, "x".repeat(3_000)]) {
    expect(read({ image }).image).toBeNull();
  }
});

test("decodeQuote() never throws, and what it accepts is clean", () => {
  const record = fc.record(
    {
      pk: fc.oneof(fc.maxSafeNat(), fc.anything()),
      quote: fc.oneof(fc.string({ unit: "binary" }), fc.anything()),
      author: fc.oneof(fc.string({ unit: "binary" }), fc.anything()),
      likes: fc.oneof(fc.integer(), fc.anything()),
      tags: fc.oneof(fc.array(fc.string({ unit: "binary" })), fc.anything()),
      image: fc.anything(),
      language: fc.oneof(fc.constantFrom("en", "be"), fc.anything()),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(record, fc.anything()), (raw) => {
      const decoded = decodeQuote(raw);
      if (!decoded.ok) return decoded.reason !== "" && !/[\u0000-\u001f]/.test(decoded.reason);
      const { text, author, tags } = decoded.value;
      const words = [text, author ?? "x", ...tags];
      return words.every((word) => word !== "" && word.isWellFormed() && !/[\0\r\x1b]/.test(word));
    }),
    { numRuns: 2_000 },
  );
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

test("decodeTag() reads a tag, with or without a slug", () => {
  expect(decodeTag({ name: " Love ", slug: "love" })).toEqual({
    ok: true,
    value: { name: "Love", slug: "love" },
  });
  expect(decodeTag({ name: "x" })).toMatchObject({ value: { slug: "" } });
  expect(decodeTag({ name: " " })).toMatchObject({ ok: false });
  expect(decodeTag({ slug: "x" })).toMatchObject({ ok: false });
});

test("decodeQuote() reads a regular record the fast way as the schema does", () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.constant(null),
    fc.integer(),
  );
  const record = fc.record({
    pk: fc.oneof(fc.integer(), fc.double(), fc.constantFrom("7", null, 2 ** 53, 0)),
    quote: text,
    author: text,
    tags: fc.oneof(fc.array(text), fc.constantFrom("a, b", null, ["x", "x"], ["x "])),
    language: fc.oneof(fc.constantFrom("en", "pt_BR", ""), text),
    image: text,
  });
  fc.assert(
    fc.property(record, (raw) => {
      // Without likes no record is regular; the meaning is the same.
      expect(decodeQuote({ ...raw, likes: 0 })).toEqual(decodeQuote(raw));
    }),
    { numRuns: 1_000 },
  );
});
