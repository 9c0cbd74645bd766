/** The quotation marks of languages: on pages, by `src/styles/scripts.css`, on Open Graph images, in copied text and in books. */
import { tagPrefixes } from "../util/tag-prefixes.ts";

type Marks = readonly [open: string, close: string];

const PLAIN: Marks = ["“", "”"];

/**
 * Opening and closing mark, with the languages (BCP 47) that have them, by CLDR 48 (`delimiters`); but Arabic and Spanish as in
 * print. All others are quoted as English. A language costs each page three bytes, so the smallest are left out.
 */
export const QUOTATION_MARKS: readonly (readonly [...Marks, languages: string])[] = [
  ["«", "»", "am ar ca el es eu fa hy it kk ky nb nn no pt-PT ru uk"],
  ["«\u00a0", "\u00a0»", "fr"],
  ["„", "“", "bg cs de et hr is ka lb lt mk sk sl"],
  ["„", "”", "bs hu pl ro sr"],
  ["”", "”", "fi he sv yi"],
  ["‘", "’", "nl"],
  ["”", "“", "ur"],
  ["「", "」", "ja yue zh-Hant zh-HK zh-TW"],
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
