/** The short way through a record that has nothing unusual: it says what the long way says. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeQuote } from "../../src/contract/decode.ts";

test("decodeQuote() reads a regular record as it reads any other", () => {
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
