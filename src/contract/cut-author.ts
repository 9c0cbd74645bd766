/** Cuts the name of the author off the end of a text, where the service appended it. */

/** Matches what must precede a trailing author: the end of a sentence, a closing mark, a dash, or a line end. */
const BOUNDARY = /(?:[.!?…。！？।॥"”»’')\]]|[\n\-–—―~])\s*$/u;

/** Matches a dash or an open bracket between the text and the author. */
const JOINER = /[\s\-–—―~(]+$/u;

/** No name is longer, and the search below is quadratic in its length. */
const MAX_NAME_LENGTH = 200;

/** Characters before the author that are searched for a boundary: the expressions are quadratic in their number. */
const BOUNDARY_REACH = 64;

/**
 * Cuts the author's name off the end of the text, where the service appended it (docs/contract.md, section 2).
 *
 * Only the record's own author is cut, compared without regard to case, blanks and compatibility forms (NFKC), and only
 * after the end of a sentence, a dash or a line end: "I am Groot" keeps its last word. The text never becomes empty.
 */
export function cutAuthor(text: string, author: string): string {
  if (author.length > MAX_NAME_LENGTH) return text;
  const wanted = foldForComparison(author);
  // A name's compatibility form may be shorter or longer than its spelling; four times is beyond any real name.
  const earliest = Math.max(1, text.length - author.length * 4 - 4);
  if (wanted === "" || !foldForComparison(text.slice(earliest)).endsWith(wanted)) return text;
  for (let at = text.length - 1; at >= earliest; at--) {
    if (foldForComparison(text.slice(at)) !== wanted) continue;
    const before = text.slice(0, at);
    const end = before.slice(-BOUNDARY_REACH);
    if (!BOUNDARY.test(end)) return text;
    const rest = (before.slice(0, -BOUNDARY_REACH) + end.replace(JOINER, "")).trimEnd();
    return rest === "" ? text : rest;
  }
  return text;
}

function foldForComparison(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
}
