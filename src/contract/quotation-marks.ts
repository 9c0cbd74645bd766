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

/** An apostrophe begins a word, too: it is a mark if the text has another one at the end of a word. */
const OPENING = /^\s*(?:[\p{Pi}„‚"＂〝「『«‹”»›]|['’](?=.*\p{L}\P{L}*['’](?!\p{L})))/su;

/** Whether a text begins with a quotation mark of its own: then it gets no second one. */
export function beginsWithMark(text: string): boolean {
  return OPENING.test(text);
}

const STRAIGHT = /(?<=\p{L})'(?=\p{L})/gu;
const CURLY = /(?<=\p{L})’(?=\p{L})/gu;

/**
 * The text as a page prints it: with ’ for ' between letters. `sourceText()` gives the source again.
 *
 * @returns null where nothing is replaced: also for a text that has both, whose source could not be told
 */
export function typeset(text: string): string | null {
  if (!text.includes("'") || text.search(CURLY) >= 0) return null;
  const set = text.replace(STRAIGHT, "’");
  return set === text ? null : set;
}

/** The source of a text that `typeset()` changed. */
export function sourceText(set: string): string {
  return set.replace(CURLY, "'");
}
