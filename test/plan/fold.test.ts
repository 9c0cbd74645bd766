import fc from "fast-check";
import { expect, test } from "vitest";
import { fold } from "../../src/plan/fold.ts";
import { anyCharacter } from "../support/any-character.ts";

test.each([
  ["accents", "Molière", "Moliere"],
  ["the two forms of an accent", "é", "e\u0301"],
  ["case", "LOVE", "love"],
  ["sharp s", "STRASSE", "straße"],
  ["strokes and ligatures", "Søren Œuvre", "soren oeuvre"],
  ["the Turkish letters", "İstanbul ışık", "istanbul isik"],
  ["punctuation", "― Harvey MacKay", "harvey mackay"],
  ["blanks after initials", "J.K. Rowling", "J. K.  Rowling"],
  ["full-width digits", "２０２０", "2020"],
  ["soft hyphens and joiners", "soc\u00ADra\u200Dtes", "Socrates"],
  ["the final sigma", "Σωκράτης", "ΣΩΚΡΆΤΗΣ"],
  ["letter-like apostrophes", "обовʼязок", "обов'язок"],
  ["yo", "Ёлка", "елка"],
  ["hamza and harakat", "أَحمد", "احمد"],
  ["stretched Arabic", "محـــمد", "محمد"],
  ["Hebrew points", "שָׁלוֹם", "שלום"],
])("fold() takes %s for nothing", (_, a, b) => {
  expect(fold(a)).toBe(fold(b));
  expect(fold(a)).not.toBe("");
});

test.each([
  ["a Cyrillic letter with a breve", "мой", "мои"],
  ["vowel signs of Devanagari", "हिन्दी", "हन्दी"],
  ["vowel signs of Bengali", "বাংলা", "বংল"],
  ["vowel signs of Telugu", "తెలుగు", "తలగ"],
  ["voiced Kana", "が", "か"],
  ["words run together", "no one", "noone"],
])("fold() keeps apart %s", (_, a, b) => {
  expect(fold(a)).not.toBe(fold(b));
});

test.each(["", "?", ")", "— … —", "🙂", "\u3164", "\u0301"])(
  "fold() has no key for %j, which has no letter",
  (name) => {
    expect(fold(name)).toBe("");
  },
);

test("fold() of a key is the key", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (name) => {
      expect(fold(fold(name))).toBe(fold(name));
    }),
  );
});

test("fold() gives words of letters, marks and digits with single blanks between", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (name) => {
      expect(fold(name)).toMatch(/^(?:[\p{L}\p{N}\p{M}]+(?: [\p{L}\p{N}\p{M}]+)*)?$/u);
    }),
  );
});
