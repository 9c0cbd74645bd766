import { expect, test } from "vitest";
import {
  isLanguageCode,
  isWrittenCode,
  languageName,
  languageOf,
  LANGUAGES,
} from "../../src/contract/languages.ts";

test("the table holds the contract's 13 codes and Hindi", () => {
  expect(Object.keys(LANGUAGES).toSorted()).toEqual(
    ["ar", "be", "de", "en", "es", "fr", "he", "hi", "it", "pt", "ru", "te", "tr", "uk"].toSorted(),
  );
});

test.each(["be", "BE"])("the service's %s is Bengali, which HTML calls bn", (code) => {
  expect(languageOf(code)).toMatchObject({ tag: "bn", script: "bengali" });
});

test.each([
  ["ur", { tag: "ur", dir: "rtl", script: "arabic" }],
  ["pt-BR", { tag: "pt-BR", dir: "ltr", script: "latin" }],
  ["mid", { dir: "rtl", script: "other" }],
  ["sr-Cyrl", { dir: "ltr", script: "cyrillic" }],
  ["zh", { name: "中文", script: "other" }],
  ["ka", { name: "ქართული" }],
  ["qq", { tag: "qq" }],
  ["und", { name: "Unknown language", tag: "und", dir: "ltr" }],
  ["en-x-short", { name: "En-x-short", tag: "en-x-short", dir: "ltr", script: "latin" }],
  ["ar-u-nu-latn", { tag: "ar-u-nu-latn", dir: "rtl", script: "arabic" }],
  ["constructor", { dir: "ltr" }],
  ["en-aaaaaa-aaaaaa", { tag: "und" }],
])("languageOf(%s) describes a code that the table lacks", (code, expected) => {
  expect(languageOf(code)).toMatchObject(expected);
});

test.each([
  ["de", "allemand"],
  ["en-x-short", null],
  ["und", null],
])("languageName(%s) in French is %s", (tag, name) => {
  expect(languageName(tag, "fr")).toBe(name);
});

test.each(["", "e", "../x", "en\n", "a b", "en/../x", "pt_BR", "x".repeat(50)])(
  "isLanguageCode(%j) refuses what is unsafe in a path",
  (code) => {
    expect(isLanguageCode(code)).toBe(false);
  },
);

test.each([
  ["en", true],
  ["PT-br", true],
  ["fil", true],
  ["zh-Hant", true],
  ["english", false],
  ["English", false],
  ["engl-x", false],
  ["en\n", false],
  ["../x", false],
])("isWrittenCode(%j) is %j", (code, expected) => {
  expect(isWrittenCode(code)).toBe(expected);
});
