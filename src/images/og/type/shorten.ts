/** Cuts a text short where a reader would not stumble: never inside of what is seen as one character. */

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
