/** The quotation marks of languages. */

/**
 * Opening and closing quotation mark by the first part of a language tag (CLDR, `delimiters`; Arabic and Spanish as in
 * print): on Open Graph images, in copied text and, by `src/styles/base.css`, on pages.
 */
export const QUOTATION_MARKS: Readonly<Record<string, readonly [open: string, close: string]>> = {
  ar: ["«", "»"],
  bg: ["„", "“"],
  cs: ["„", "“"],
  de: ["„", "“"],
  es: ["«", "»"],
  fa: ["«", "»"],
  fr: ["«\u00a0", "\u00a0»"],
  he: ["”", "”"],
  it: ["«", "»"],
  pl: ["„", "”"],
  ru: ["«", "»"],
  uk: ["«", "»"],
};

/** @param tag BCP 47; a language that the table lacks is quoted as English */
export function quotationMarks(tag: string): readonly [open: string, close: string] {
  return QUOTATION_MARKS[tag.split("-")[0] ?? ""] ?? ["“", "”"];
}
