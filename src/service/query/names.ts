/** Names as the search and the tag list need them: folded for comparing, and slugged for the list. */

/**
 * A name by which spellings in any case and script compare: NFKC, then one case.
 *
 * Upper and then lower case brings ß to "ss" and both Greek sigmas together; the dotted and the dotless I of Turkish
 * become the plain one, so that "IŞIK" finds "Işık".
 */
export function foldName(name: string): string {
  return name
    .normalize("NFKC")
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replaceAll("i\u0307", "i")
    .normalize("NFKC")
    .replace(/\s+/g, " ")
    .trim();
}

/** Longer slugs are cut: they are a hint and nobody's key. */
const MAX_SLUG_LENGTH = 50;

/** The slug of a tag: letters and digits of any script in lower case, joined by hyphens; "tag" where none is left. */
export function tagSlug(name: string): string {
  const words = name
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? ["tag"];
  return [...words.join("-")].slice(0, MAX_SLUG_LENGTH).join("");
}
