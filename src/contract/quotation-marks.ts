/** The quotation marks of languages: on pages, by `src/styles/scripts.css`, on Open Graph images, in copied text and in books. */
import { tagPrefixes } from "../util/tag-prefixes.ts";

type Marks = readonly [open: string, close: string];

const PLAIN: Marks = ["“", "”"];

/**
 * Opening and closing mark, with the languages (BCP 47) that have them: all of ISO 639-1, and larger ones beside, by CLDR 48
 * (`delimiters`); but Arabic and Spanish as in print. All others are quoted as English.
 */
export const QUOTATION_MARKS: readonly (readonly [...Marks, languages: string])[] = [
  [
    "«",
    "»",
    "am ar ast be bm br ca cv el es eu fa gsw ht hy ie it kk ky mg nb nn no oc os pt-PT rm ru rw sc sg ti uk",
  ],
  ["«\u00a0", "\u00a0»", "fr"],
  ["„", "“", "bg cs de dsb et hr hsb is ka lb lt mk nds sk sl"],
  ["„", "”", "bs ff hu pl ro sr"],
  ["”", "”", "fi he rn se sn sv yi"],
  ["‘", "’", "fur ia nl tn"],
  ["”", "“", "ur"],
  ["»", "«", "ug"],
  ["「", "」", "ja yue zh-Hant zh-HK zh-MO zh-TW"],
];

const byLanguage: ReadonlyMap<string, Marks> = new Map(
  QUOTATION_MARKS.flatMap(([open, close, languages]) =>
    languages.split(" ").map((language) => [language, [open, close]] as const),
  ),
);

/** @param tag BCP 47; a language that the table lacks is quoted as English */
export function quotationMarks(tag: string): Marks {
  const language = tagPrefixes(tag).find((prefix) => byLanguage.has(prefix));
  return byLanguage.get(language ?? "") ?? PLAIN;
}

/** Words that begin with an apostrophe, of English and Dutch. */
const ELIDED = "(?:tis|twas|twere|twill|til|till|em|n|cause|bout|round|neath|[kmstz])";

/** A mark, or an apostrophe that is one: it begins no shortened word, and another one ends a word. */
const OPENING = RegExp(
  String.raw`^\s*(?:[\p{Pi}„‚"＂〝「『«‹”»›]|['’](?!${ELIDED}(?!\p{L}))(?=.*\p{L}\P{L}*['’](?!\p{L})))`,
  "isu",
);

/** Whether a text begins with a quotation mark of its own: then it gets no second one. */
export function beginsWithMark(text: string): boolean {
  return OPENING.test(text);
}

const STRAIGHT = /(?<=\p{L})'(?=\p{L})/gu;
const CURLY = /(?<=\p{L})’(?=\p{L})/gu;

/** Accents that follow their letter: the typefaces have most letters with an accent, but few accents. */
const ACCENTS = /[\u0300-\u036F]/;

/**
 * The text as a page prints it: accents composed with their letters, and ’ for ' between letters. `sourceText()` gives back the
 * latter.
 *
 * @returns `straight`: whether apostrophes are replaced; not in a text that has both, whose source could not be told
 */
export function typeset(text: string): { readonly text: string; readonly straight: boolean } {
  const composed = ACCENTS.test(text) ? text.normalize("NFC") : text;
  const isPlain = !composed.includes("'") || composed.search(CURLY) >= 0;
  const set = isPlain ? composed : composed.replace(STRAIGHT, "’");
  return { text: set, straight: set !== composed };
}

/** The source of a text whose apostrophes `typeset()` replaced. */
export function sourceText(set: string): string {
  return set.replace(CURLY, "'");
}
