/** Makes a text fit to be set: without what no typeface here has, and cut where a reader would not stumble. */
import type { InstalledFonts } from "./install-fonts.ts";

/** What leaves no mark on paper: controls of joining and direction, variation selectors, blanks. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{White_Space}]/u;

/** Pictures and ornaments: an image reads as well without them. */
const ORNAMENT =
  /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\p{So}\p{Sk}\p{Co}\u20E3]/u;

/** Direction that a text imposes on what follows it; the image sets its own. */
const BIDI_CONTROL = /[\u202A-\u202E\u2066-\u2069]/g;

/**
 * @returns the text as it can be set, ornaments without a glyph left out; null when a letter, a number or a point has no
 *   glyph in any of our faces; empty when nothing of it would be seen
 */
export function settable(text: string, { covers }: Pick<InstalledFonts, "covers">): string | null {
  let kept = "";
  const plain = text.normalize("NFC").replace(BIDI_CONTROL, "");
  // The fonts lack the figure dash and the horizontal bar; these look alike.
  const dashed = plain.replaceAll("\u2012", "\u2013").replaceAll("\u2015", "\u2014");
  for (const grapheme of segments(dashed)) {
    const characters = [...grapheme];
    const missing = characters.filter((one) => !INVISIBLE.test(one) && !covers(one));
    if (!missing.every((one) => ORNAMENT.test(one))) return null;
    // What joined the parts of an emoji goes with it; the digit of a keycap stays.
    kept += missing.length === 0 ? grapheme : characters.filter(covers).join("");
  }
  // Joiners alone, such as those of an emoji that was left out, would be an image without words.
  if ([...kept].every((one) => INVISIBLE.test(one))) return "";
  return kept
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n\s*/g, "\n")
    .trim();
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** What is seen as one character each: a letter with its marks, an emoji with its parts. */
export function segments(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** A word longer than this is cut: going back to its start would lose too much. */
const LONGEST_WAY_BACK = 16;

/**
 * @param most graphemes of the text to keep at most, the ellipsis not counted
 * @returns the text itself when it is no longer than that; else a beginning of it, up to a whole word where one ends
 *   near, with an ellipsis
 */
export function shorten(text: string, most: number): string {
  const all = segments(text);
  if (all.length <= most) return text;
  let end = most;
  while (end > most - LONGEST_WAY_BACK && end > 0 && !isBlank(all[end])) end--;
  const cut = isBlank(all[end]) && end > 0 ? end : most;
  const kept = all.slice(0, cut).join("").replace(TRAILING, "");
  return `${kept}…`;
}

/** An ellipsis follows a word, not a comma, a dash or an opening mark. */
const TRAILING = /[\s,;:.،؛।\-–—―([{«“„"'‘]+$/u;

function isBlank(grapheme: string | undefined): boolean {
  return grapheme !== undefined && /^\s+$/.test(grapheme);
}
