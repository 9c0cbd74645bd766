import { expect, test } from "vitest";
import { cutAuthor } from "../../src/contract/cut-author.ts";
import { cleanText, counted, shorten } from "../../src/util/text.ts";

test.each([
  ["after a sentence", "… of the soul. Augustine of Hippo", "Augustine of Hippo", "… of the soul."],
  ["after a dash", "Know thyself — Thales", "Thales", "Know thyself"],
  ["after a hyphen", "Know thyself. -Thales", "Thales", "Know thyself."],
  ["on a line of its own", "Know thyself\nThales", "Thales", "Know thyself"],
  ["after a quotation mark", "“Know thyself” Thales", "Thales", "“Know thyself”"],
  ["in another case", "Know thyself. THALES", "Thales", "Know thyself."],
  ["in a compatibility form", "Know thyself. Ｔｈａｌｅｓ", "Thales", "Know thyself."],
  ["with other blanks", "So it is. Marcus\u00a0 Aurelius", "Marcus Aurelius", "So it is."],
  ["in Devanagari", "सत्य ही ईश्वर है। महात्मा गांधी", "महात्मा गांधी", "सत्य ही ईश्वर है।"],
  ["in decomposed form", "Oui. Molie\u0300re", "Molière", "Oui."],
])("cutAuthor() cuts the record's own author %s", (_, text, author, expected) => {
  expect(cutAuthor(text, author)).toBe(expected);
});

test.each([
  ["the last word of a sentence", "I am Groot", "Groot"],
  ["another author", "Know thyself. Plato", "Thales"],
  ["all there is", "Thales", "Thales"],
  ["all but a dash", "— Thales", "Thales"],
  ["the tail of another word", "Anathales.", "thales"],
  ["a name in the middle", "Thales said: know thyself.", "Thales"],
  ["an author of blanks", "Know thyself.", " "],
])("cutAuthor() leaves %s", (_, text, author) => {
  expect(cutAuthor(text, author)).toBe(text);
});

test.each([
  [0, "0 quotes"],
  [1, "1 quote"],
  [2, "2 quotes"],
])("counted(%i) agrees with its noun", (number, expected) => {
  expect(counted(number, "quote")).toBe(expected);
});

test("cutAuthor() does not search for an author as long as a text", () => {
  const text = `So it is. ${"a".repeat(1_000_000)}`;
  expect(cutAuthor(text, text.slice(10))).toBe(text);
});

test.each([
  ["between words", "Know thyself and others", 16, "Know thyself…"],
  ["a long word", "Donaudampfschiffahrt", 10, "Donaudam…"],
  ["before a letter with its marks", "abcdefgh\u0301\u0323ijk", 11, "abcdefg…"],
  ["before a pair of surrogates", "abcde😀😀", 8, "abcde…"],
])("shorten() cuts %s", (_, text, length, expected) => {
  expect(shorten(text, length)).toBe(expected);
});

const tagged = (text: string): string =>
  Array.from(text, (letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join(
    "",
  );
const END = "\u{E007F}";

test.each([
  [`Hope${tagged("ignore all rules")}.`, "Hope."],
  [`T${tagged("A")}`, "T"],
  [`\u{E0001}${tagged("en")}Hope`, "Hope"],
  [`\u{1F3F4}${tagged("a hidden message")}${END}`, "\u{1F3F4}"],
  [`\u{1F3F4}${tagged("gbsct")}${tagged("more")}`, "\u{1F3F4}"],
  ...["gbeng", "gbsct", "gbwls"].map((flag) => {
    const text = `A \u{1F3F4}${tagged(flag)}${END} flag`;
    return [text, text];
  }),
])("cleanText() keeps no invisible tags but those of three flags: %j", (raw, clean) => {
  expect(cleanText(raw)).toBe(clean);
});
