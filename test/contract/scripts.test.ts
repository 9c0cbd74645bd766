import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { SCRIPT_SHEET, scriptSheet } from "../../scripts/reference.ts";
import {
  beginsWithMark,
  quotationMarks,
  sourceText,
  typeset,
} from "../../src/contract/quotation-marks.ts";
import { SCRIPT_SETTINGS, scriptSetting } from "../../src/contract/scripts.ts";

test("src/styles/scripts.css is what the tables give: npm run format writes it", async () => {
  expect(readFileSync(SCRIPT_SHEET, "utf8")).toBe(await scriptSheet());
});

/** All codes of ISO 639-1 that ICU names. */
const ISO_639_1 = Array.from({ length: 26 * 26 }, (_, index) =>
  String.fromCharCode(97 + Math.floor(index / 26), 97 + (index % 26)),
).filter((code) => new Intl.DisplayNames("en", { type: "language" }).of(code) !== code);

test("the sheet sets every language of ISO 639-1 as its script is set", () => {
  const aliases = new Set(["iw", "ji", "bh"]);
  const rows = new Map(
    Object.entries(SCRIPT_SETTINGS).flatMap(([script, { languages }]) =>
      languages.map((language) => [language, script] as const),
    ),
  );
  // The Arabic script has two styles.
  const styled = (code: string) => (code === "Aran" ? "Arab" : code);
  const wrong = ISO_639_1.filter((code) => !aliases.has(code)).filter((code) => {
    const script = new Intl.Locale(code).maximize().script ?? "";
    const expected = script in SCRIPT_SETTINGS && script !== "Latn" ? script : undefined;
    const row = rows.get(code);
    return (row && styled(row)) !== expected;
  });
  expect(ISO_639_1.length).toBeGreaterThan(180);
  expect(wrong).toEqual([]);
});

test.each([
  ["fa-AF", "Arab"],
  ["zh-Hant-TW", "Hant"],
  ["zh-SG", "Hans"],
  ["awa", "Deva"],
  ["sr-Cyrl", "Latn"],
  ["qq", "Latn"],
  ["en-x-short", "Latn"],
])("scriptSetting(%s) is that of %s", (tag, script) => {
  expect(scriptSetting(tag)).toBe(SCRIPT_SETTINGS[script]);
});

test.each([
  ["pt-BR", "“”"],
  ["pt-PT", "«»"],
  ["de-CH", "„“"],
  ["zh-Hant-HK", "「」"],
  ["fr", "«\u00a0\u00a0»"],
  ["qq", "“”"],
  ["constructor", "“”"],
])("quotationMarks(%s) are %s", (tag, marks) => {
  expect(quotationMarks(tag).join("")).toBe(marks);
});

describe("beginsWithMark", () => {
  test.each(["“Go”, he said.", '"Go" he said', "«Va", "„Geh“", "‘Nothing’", "'Nothing' it said"])(
    "%s has a mark",
    (text) => {
      expect(beginsWithMark(text)).toBe(true);
    },
  );
  test.each(["」x", "Go “there”", "'Tis the season", "’Tis the Season o’ joy", "— Go", "'n", ""])(
    "%s has none",
    (text) => {
      expect(beginsWithMark(text)).toBe(false);
    },
  );
});

describe("typeset", () => {
  test.each([
    ["It's l'ami", "It’s l’ami"],
    ["п'ять", "п’ять"],
    ["צה'ל", "צה’ל"],
  ])("%s is %s, and its source is found again", (source, set) => {
    expect(typeset(source)).toBe(set);
    expect(sourceText(set)).toBe(source);
  });
  test.each(["the dogs' 'bone'", "5'6", "it’s", "it's and it’s", "plain"])(
    "%s is printed as it is",
    (text) => {
      expect(typeset(text)).toBe(null);
    },
  );
});
