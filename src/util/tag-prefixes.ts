/** The parts of a language tag (BCP 47), longest first: "zh-Hant-TW", "zh-Hant", "zh". */
export function tagPrefixes(tag: string): string[] {
  const parts = tag.split("-");
  return parts.map((_, index) => parts.slice(0, parts.length - index).join("-"));
}
