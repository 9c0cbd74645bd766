/**
 * Cleans text, so that it is well-formed, without control characters and with one kind of line end; escapes it for HTML,
 * terminals and logs of CI systems.
 *
 * Joiners (U+200C, U+200D) and bidi controls are kept: scripts need the former, and pages isolate each quote. Text that is
 * not isolated, such as a title or a feed, needs `plainText` or `plainLine`; a terminal needs `printable`.
 */

/** C0 and C1 controls but tab and line feed, the byte order mark, and the noncharacters of plane 0. */
const UNWANTED = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\uFEFF\uFFFE\uFFFF]/g;

/**
 * Tag characters, which are invisible: a text of them is a message to programs alone. After the black flag they spell the flags of
 * England, Scotland and Wales, the only such sequences that are recommended for interchange.
 *
 * @see Unicode Technical Standard 51, annex C
 */
const TAGS =
  /(\u{1F3F4}(?:\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F})?)|[\u{E0000}-\u{E007F}]/gu;

/** Bidi controls; no name needs them. */
const BIDI = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** Replaces lone surrogates, removes controls and invisible tags, ends lines by a line feed, and trims outer blanks. */
export function cleanText(raw: string): string {
  return raw
    .toWellFormed()
    .replace(/\r\n?|\u2028|\u2029/g, "\n")
    .replace(UNWANTED, "")
    .replace(TAGS, "$1")
    .trim();
}

/** As `cleanText`, without bidi controls: they would reorder the text that follows. */
export function plainText(raw: string): string {
  return cleanText(raw).replace(BIDI, "");
}

/** As `plainText`, on one line: inner blanks and line ends become one space. */
export function plainLine(raw: string): string {
  return plainText(raw).replace(/\s+/g, " ").trim();
}

/** Shortens a title: cuts at a blank where there is one, and never between a letter and its marks. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length - 1).replace(/\P{M}\p{M}*$/u, "");
  const words = cut.replace(/\s+\S*$/, "");
  return `${(words.length < length / 2 ? cut : words).trimEnd()}…`;
}

/** Escapes text for HTML and XML, as an element's content or as an attribute in double quotation marks. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** C0 and C1 controls, line and paragraph separators, and bidi controls. */
const CONTROLS =
  /[\u0000-\u001F\u007F-\u009F\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/g;

/** Writes JSON on one line, with `\u` escapes for what could control a terminal or a CI system. */
export function printableJson(value: unknown): string {
  const escape = (character: string): string =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value)
    .replace(CONTROLS, (run) => Array.from(run, escape).join(""))
    .replaceAll("##[", "#\\u0023[");
}

/**
 * Makes a text safe to print on one line.
 *
 * @param most code points; a longer text is cut and ends in an ellipsis
 */
export function printable(text: string, most = 300): string {
  const line = text.toWellFormed().replace(CONTROLS, " ").trim();
  const letters = Array.from(line.slice(0, most * 2 + 2));
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : line;
}

/** Makes each line safe to print, and keeps its indent: it may contain text of the service. */
export function printableLines(text: string): string {
  return text
    .split("\n")
    .map((line) => (/^ */.exec(line)?.[0] ?? "") + disarmCommands(printable(line, LONGEST_LINE)))
    .join("\n");
}

/** Code points; enough for names of files and for findings. */
const LONGEST_LINE = 4_000;

/**
 * Disarms commands to a CI system in a line of its log: GitHub's runner reads `::` at the beginning, and the older `##[`
 * anywhere, as a command.
 */
export function disarmCommands(line: string): string {
  return line.replace(/^(\s*):(?=:)/, "$1: ").replaceAll("##[", "## [");
}

/** A number with its noun: "1 page", "2 pages". */
export function counted(
  number: number,
  noun: string,
  show: (number: number) => string = String,
): string {
  return `${show(number)} ${noun}${number === 1 ? "" : "s"}`;
}
