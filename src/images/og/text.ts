/** Prepares a text for an image: removes ornaments without a glyph, and shortens it at a word. */

/** Characters without a glyph: controls of joining and direction, variation selectors, white space. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{White_Space}]/u;

/** Emoji and ornaments, without which a text reads as well. */
const ORNAMENT =
  /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\p{So}\p{Sk}\p{Co}\u20E3]/u;

/** Would change the direction of the text that follows. */
const BIDI_CONTROL = /[\u202A-\u202E\u2066-\u2069]/g;

/**
 * @param covers whether a font has a glyph for a character
 * @returns the text without ornaments that have no glyph; null when another character has none; empty when nothing is visible
 */
export function settable(text: string, covers: (character: string) => boolean): string | null {
  let kept = "";
  const plain = text.normalize("NFC").replace(BIDI_CONTROL, "");
  // The fonts lack the figure dash and the horizontal bar; the replacements look alike.
  const dashed = plain.replaceAll("\u2012", "\u2013").replaceAll("\u2015", "\u2014");
  for (const grapheme of segments(dashed)) {
    const characters = [...grapheme];
    const missing = characters.filter((one) => !INVISIBLE.test(one) && !covers(one));
    if (!missing.every((one) => ORNAMENT.test(one))) return null;
    // The joiners of a removed emoji are removed too; the digit of a keycap is kept.
    kept += missing.length === 0 ? grapheme : characters.filter(covers).join("");
  }
  // Without a visible character the image would have no text.
  if ([...kept].every((one) => INVISIBLE.test(one))) return "";
  return kept
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n\s*/g, "\n")
    .trim();
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Splits a text into graphemes: a letter with its marks, an emoji with its parts. */
export function segments(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** Graphemes: a longer word at the end is cut, not removed. */
const LONGEST_WORD = 16;

/**
 * Shortens a text at the end of a word where possible, and adds an ellipsis.
 *
 * @param most graphemes without the ellipsis; a text with no more is unchanged
 */
export function shorten(text: string, most: number): string {
  const all = segments(text);
  if (all.length <= most) return text;
  const blank = all.slice(0, most + 1).findLastIndex((grapheme) => grapheme.trim() === "");
  const end = blank >= Math.max(1, most - LONGEST_WORD) ? blank : most;
  const kept = all.slice(0, end).join("").replace(TRAILING, "");
  return `${kept}…`;
}

/** Removed before an ellipsis. */
const TRAILING = /[\s,;:.،؛।\-–—―([{«“„"'‘]+$/u;
