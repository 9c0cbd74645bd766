/** Upstream text where people read it: one line, and nothing in it that steers a terminal or turns the writing round. */

/** C0 and C1 controls, line and paragraph separators, and bidi controls. */
const STEERING =
  /[\u0000-\u001F\u007F-\u009F\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/g;

/** JSON on one line whose strings read the same, with `\u` escapes for what steers a terminal or a CI system. */
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

/** Lines with upstream text in them, each for itself, its indent kept. */
export function printableLines(text: string): string {
  return text
    .split("\n")
    .map((line) => (/^ */.exec(line)?.[0] ?? "") + harmless(printable(line, LONGEST_LINE)))
    .join("\n");
}

/** Characters; names of files and findings fit in. */
const LONGEST_LINE = 4_000;

/**
 * What a line may be printed as where a CI system reads commands out of the log: `::` at its beginning, and the older
 * `##[` anywhere in it, are commands to GitHub's runner.
 */
export function harmless(line: string): string {
  return line.replace(/^(\s*):(?=:)/, "$1: ").replaceAll("##[", "## [");
}
