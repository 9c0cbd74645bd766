/**
 * Lays the words of a record out for Pagefind, so that its index comes out small.
 *
 * Pagefind keeps where in a record each word stands. Here a word stands in a place of its own, the same in every block,
 * with dashes between, which are not indexed: equal numbers pack to almost nothing. It stands there twice, since
 * Pagefind cuts its index into files by the number of places: more of them make smaller files.
 */
import { fnv1a } from "../contract/hash.ts";
import { PLACES, WORD_WEIGHTS } from "../contract/search-index.ts";
import type { BlockWords } from "./blocks.ts";

/** Words that begin alike lie together in the index, so their places should be near: letters that decide. */
const DECIDING = 4;

/** @returns HTML as Pagefind reads it */
export function layOut(blocks: readonly BlockWords[]): string {
  const body = blocks.map(({ wholeNames, names, words }) => {
    const text = placed(words, PLACES.word);
    return [
      paragraph("1", placed(wholeNames, PLACES.whole)),
      paragraph("1", placed(names, PLACES.name)),
      ...WORD_WEIGHTS.map((weight) => paragraph(weight, text)),
    ].join("");
  });
  return `<html lang="en"><body data-pagefind-body>${body.join("")}</body></html>`;
}

/** @param text words as `searchWords` gives them: nothing that HTML would read as more */
function paragraph(weight: string, text: string): string {
  return `<p data-pagefind-weight="${weight}">${text}</p>`;
}

/** The first of the words only, where there are more than places: a quote of a thousand words is found by its beginning. */
function placed(words: ReadonlySet<string>, places: number): string {
  const cells = new Array<string>(places).fill("-");
  for (const word of [...words].slice(0, places).sort()) {
    let at = placeOf(word) % places;
    while (cells[at] !== "-") at = (at + 1) % places;
    cells[at] = word;
  }
  return cells.join(" ");
}

function placeOf(word: string): number {
  return fnv1a(word.slice(0, DECIDING));
}
