/** Upstream text where people read it: one line, and nothing in it that steers a terminal or turns the writing round. */

/** C0 and C1 controls, line and paragraph separators, and bidi controls. */
const STEERING =
  /[\u0000-\u001F\u007F-\u009F\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/g;

/** @param most code points kept; the rest becomes an ellipsis */
export function printable(text: string, most = 300): string {
  const line = text.toWellFormed().replace(STEERING, " ").trim();
  const letters = Array.from(line.slice(0, most * 2 + 2));
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : line;
}
