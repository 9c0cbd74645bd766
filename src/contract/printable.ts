/** Makes upstream text safe to print: on one line, without control sequences and bidi controls. */

/** C0 and C1 controls, line and paragraph separators, and bidi controls. */
const STEERING =
  /[\u0000-\u001F\u007F-\u009F\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/g;

/** Writes JSON on one line, with `\u` escapes for what could control a terminal or a CI system. */
export function printableJson(value: unknown): string {
  const escape = (character: string): string =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value)
    .replace(STEERING, (run) => Array.from(run, escape).join(""))
    .replaceAll("##[", "#\\u0023[");
}

/** @param most code points kept; the rest becomes an ellipsis */
export function printable(text: string, most = 300): string {
  const line = text.toWellFormed().replace(STEERING, " ").trim();
  const letters = Array.from(line.slice(0, most * 2 + 2));
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : line;
}

/** Makes each line of a text with upstream text in it safe to print; the indent stays. */
export function printableLines(text: string): string {
  return text
    .split("\n")
    .map((line) => (/^ */.exec(line)?.[0] ?? "") + harmless(printable(line, LONGEST_LINE)))
    .join("\n");
}

/** Characters; enough for names of files and for findings. */
const LONGEST_LINE = 4_000;

/**
 * Disarms commands to a CI system in a line of the log: to GitHub's runner, `::` at the beginning and the older `##[`
 * anywhere are commands.
 */
export function harmless(line: string): string {
  return line.replace(/^(\s*):(?=:)/, "$1: ").replaceAll("##[", "## [");
}
