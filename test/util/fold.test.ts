import fc from "fast-check";
import { expect, test } from "vitest";
import {
  fold,
  listedWords,
  lookedUpWords,
  SAME_LETTERS,
  SEARCHED_LETTERS,
  searchedWords,
} from "../../src/util/fold.ts";
import { anyCharacter } from "../support/any-character.ts";

test.each([
  ["accents", "Molière", "Moliere"],
  ["the two forms of an accent", "é", "e\u0301"],
  ["case", "LOVE", "love"],
  ["sharp s", "STRASSE", "straße"],
  ["the capital sharp s", "STRAẞE", "straße"],
  ["strokes and ligatures", "Søren Œuvre", "soren oeuvre"],
  ["the letters of Icelandic", "Guðrún Þórðardóttir", "gudrun thordardottir"],
  ["Polish and Croatian strokes", "Łódź Đilas", "lodz dilas"],
  ["Persian letters of Arabic", "محمود درویش کاظم", "محمود درويش كاظم"],
  ["a last yeh without dots", "مصطفى", "مصطفي"],
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
  ["teh marbuta", "فاطمة", "فاطمه"],
  ["the Arabic article", "الكتاب", "كتاب"],
  ["the nukta of Devanagari", "ज़रा", "जरा"],
])("fold() keeps apart %s", (_, a, b) => {
  expect(fold(a)).not.toBe(fold(b));
});

test.each(["", "?", ")", "— … —", "🙂", "\u3164", "\u0301"])(
  "fold() has no key for %j, which has no letter",
  (name) => {
    expect(fold(name)).toBe("");
  },
);

test.each([
  ["Latin", "naïve Straße ØRE", "naive strasse ore"],
  ["Cyrillic", "Ґанок, ёлка", "ганок елка"],
  ["Greek", "Λόγος", "ΛΟΓΟΣ"],
  ["Hebrew", "שָׁלוֹם", "שלום"],
  ["Arabic with its article", "الحَيَاة", "حياه"],
  ["Arabic on a Persian keyboard", "الکتاب علی", "كتاب علي"],
  ["Devanagari", "ज़िन्दगी चाँद", "जिन्दगी चांद"],
  ["Bengali", "উৎসব বড়", "উত্\u200Dসব ব\u09A1\u09BC"],
  ["Telugu", "త\u0C46\u0C56లుగు", "త\u0C48లుగు"],
  ["Han", "己所不欲，", "己所不欲"],
  ["Kana", "ｶﾞﾗｽ", "がらす"],
])("searchedWords() compares %s", (_, a, b) => {
  expect(searchedWords(a)).toEqual(searchedWords(b));
  expect(searchedWords(a)).not.toEqual([]);
});

test.each([
  ["a short word that begins like the article", "الله", "له"],
  ["vowel signs of Devanagari", "हिन्दी", "हन्दी"],
  ["letters of Bengali with a point", "বড়", "বড"],
  ["voiced Kana", "が", "か"],
  ["a Cyrillic letter with a breve", "мой", "мои"],
])("searchedWords() keeps apart %s", (_, a, b) => {
  expect(searchedWords(a)).not.toEqual(searchedWords(b));
});

test("searchedWords() gives the words of a text, and each character of a script without spaces", () => {
  expect(searchedWords("To be, or “not”!")).toEqual(["to", "be", "or", "not"]);
  expect(searchedWords("己所不欲 ABC")).toEqual(["己", "所", "不", "欲", "abc"]);
  expect(searchedWords("…")).toEqual([]);
});

test("searchedWords() folds a word alone as it folds a text", () => {
  for (let code = 0x30; code < 0x0600; code++) {
    const word = String.fromCharCode(code).repeat(2);
    expect(searchedWords(word), word).toEqual(searchedWords(`${word} —`));
  }
});

test.each(Object.entries({ ...SAME_LETTERS, ...SEARCHED_LETTERS }))(
  "searchedWords() takes %j for %j",
  (letter, other) => {
    expect(searchedWords(`बब${letter}ब`)).toEqual(searchedWords(`बब${other}ब`));
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

// Pages print ’ where the source has '; a keyboard types either.
test.each(["don't", "l'homme d'état", "обов'язок", "O'Neill's"])(
  "%s is looked up and listed the same with a typographic apostrophe",
  (text) => {
    const printed = text.replaceAll("'", "’");
    expect(lookedUpWords(printed)).toEqual(lookedUpWords(text));
    expect(lookedUpWords(text)).not.toEqual([]);
    const [word = ""] = text.split(" ");
    expect(listedWords(word.replaceAll("'", "’"))).toEqual(listedWords(word));
  },
);
