/** The mark that opens a quotation, by language (CLDR, `delimiters`). */

const OPENING: Readonly<Record<string, string>> = {
  de: "„",
  cs: "„",
  pl: "„",
  bg: "„",
  he: "”",
  fr: "«",
  it: "«",
  es: "«",
  pt: "“",
  ru: "«",
  uk: "«",
  // Mirrored where it is set, as every bracket is.
  ar: "«",
  fa: "«",
};

/** Guillemets stand as high as a letter, the others are the size of a comma. */
const GUILLEMET_SCALE = 0.62;

/**
 * @param tag BCP 47; a tag not listed opens as English does
 * @returns the mark, and its size as a share of what a comma-like mark is set in
 */
export function openingMark(tag: string): { readonly mark: string; readonly scale: number } {
  const mark = OPENING[tag.split("-")[0] ?? ""] ?? "“";
  return { mark, scale: mark === "«" ? GUILLEMET_SCALE : 1 };
}
