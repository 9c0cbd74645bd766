/**
 * Cleans text: well-formed, without control characters, with one kind of line end.
 *
 * Joiners (U+200C, U+200D) and bidi controls stay: scripts need the former, and pages isolate each quote. Text that
 * nothing isolates, such as a title or a feed, needs `plainText` or `plainLine`.
 */

/** C0 and C1 controls but tab and line feed, the byte order mark, and the noncharacters of plane 0. */
const UNWANTED = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\uFEFF\uFFFE\uFFFF]/g;

/** Bidi controls; no name needs them. */
const BIDI = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** Printable ASCII without outer spaces: most quotes, which need no cleaning. */
const CLEAN_TEXT = /^[\x21-\x7E](?:[\x20-\x7E]*[\x21-\x7E])?$/;
const CLEAN_NAME = /^[\x21-\x7E]+(?: [\x21-\x7E]+)*$/;

/** The words of a quote: lone surrogates replaced, controls removed, lines ended by a line feed, outer blanks trimmed. */
export function cleanText(raw: string): string {
  if (CLEAN_TEXT.test(raw)) return raw;
  return raw
    .toWellFormed()
    .replace(/\r\n?|\u2028|\u2029/g, "\n")
    .replace(UNWANTED, "")
    .trim();
}

/** As `cleanText`, without bidi controls: they would reorder the text that follows. */
export function plainText(raw: string): string {
  return cleanText(raw).replace(BIDI, "");
}

/** As `plainText`, on one line: inner blanks and line ends folded to one space. */
export function plainLine(raw: string): string {
  return plainText(raw).replace(/\s+/g, " ").trim();
}

/** A name, as a plain line. */
export function cleanName(raw: string): string {
  return CLEAN_NAME.test(raw) ? raw : plainLine(raw);
}

/** What must precede a trailing author: the end of a sentence, a closing mark, a dash, or a line end. */
const BOUNDARY = /(?:[.!?…。！？।॥"”»’')\]]|[\n\-–—―~])\s*$/u;

/** A dash, or a bracket left open, between the words and the author. */
const JOINER = /[\s\-–—―~(]+$/u;

/** No person's name is longer, and the search below is quadratic in it. */
const MAX_NAME_LENGTH = 200;

/** Characters before the author in which a boundary is searched: the expressions are quadratic in them. */
const BOUNDARY_REACH = 64;

/**
 * Cuts the author's name off the end of the text, where the service appended it (contract, section 2).
 *
 * Only the record's own author is cut, compared after NFKC, case and blanks, and only after the end of a sentence,
 * a dash or a line end: "I am Groot" keeps its last word. Text that would become empty is left alone.
 */
export function cutAuthor(text: string, author: string): string {
  if (author.length > MAX_NAME_LENGTH || surelyDiffer(text.at(-1), author.at(-1))) return text;
  const wanted = foldForComparison(author);
  // A name's compatibility form may be shorter or longer than its spelling; four times is beyond any real name.
  const earliest = Math.max(1, text.length - author.length * 4 - 4);
  if (wanted === "" || !foldForComparison(text.slice(earliest)).endsWith(wanted)) return text;
  for (let at = text.length - 1; at >= earliest; at--) {
    if (foldForComparison(text.slice(at)) !== wanted) continue;
    const before = text.slice(0, at);
    const end = before.slice(-BOUNDARY_REACH);
    if (!BOUNDARY.test(end)) return text;
    const words = (before.slice(0, -BOUNDARY_REACH) + end.replace(JOINER, "")).trimEnd();
    return words === "" ? text : words;
  }
  return text;
}

/** Whether folding cannot make two last letters equal, as in most quotes: a fast check. */
function surelyDiffer(a = "", b = ""): boolean {
  return a < "\x7F" && b < "\x7F" && a.toLowerCase() !== b.toLowerCase();
}

function foldForComparison(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
}
