/** The quotes of a listing page, cut out of the text that Pagefind keeps of it. */
import type { Anchor, Fragment } from "./pagefind.ts";

export interface IndexedCard {
  readonly id: number;
  /** Below the root of the site, with the quote's anchor: `/language/en/2/#q17`. */
  readonly path: string;
  /** The text of the quote, word by word, punctuation included. */
  readonly words: readonly string[];
  /** The text between two words: empty in languages that write no spaces. */
  readonly joiner: string;
  readonly author: string;
  /** Names of the tags, as text. */
  readonly tags: string;
  /** Which words of the card were found, counted from the first word of the text; the author's and the tags' follow. */
  readonly found: readonly number[];
  /** Those words, with the ones of the author and the tags. */
  readonly foundWords: readonly string[];
}

/** How Pagefind splits its text into words. */
const SPACES = /[^\S\uFEFF]+/u;

/**
 * A card begins at the anchor `q<pk>` and its author at `b<pk>`. An anchor without its partner is no card: the text of a
 * quote can imitate one anchor of Pagefind's, but the card that it is in keeps its own two.
 *
 * @param places where words were found, counted in words of the page, in ascending order
 */
export function cardsOf(fragment: Fragment, places: readonly number[]): IndexedCard[] {
  const unspaced = fragment.raw_content.includes("\u200B");
  const words = unspaced
    ? fragment.raw_content.split("\u200B").map(unescape)
    : fragment.content.split(SPACES);
  const joiner = unspaced ? "" : " ";
  const bounds = boundsOf(fragment.anchors);
  return bounds.map(({ id, start, author }, index) => {
    const end = bounds[index + 1]?.start ?? words.length;
    const hits = places.filter((place) => place >= start && place < end);
    const rest = words.slice(author.location, end).join(joiner);
    return {
      id,
      path: `${fragment.raw_url}#q${id}`,
      words: words.slice(start, author.location),
      joiner,
      author: author.text,
      tags: rest.slice(author.text.length),
      found: hits.map((place) => place - start),
      foundWords: hits.map((place) => words[place] ?? ""),
    };
  });
}

interface Bounds {
  readonly id: number;
  readonly start: number;
  readonly author: Anchor;
}

function boundsOf(anchors: readonly Anchor[]): Bounds[] {
  const starts = new Map(
    anchors.filter(({ element }) => element === "article").map((anchor) => [anchor.id, anchor]),
  );
  return anchors.flatMap((author) => {
    const id = /^b(\d+)$/.exec(author.id)?.[1];
    const start = starts.get(`q${id ?? ""}`)?.location;
    return start === undefined ? [] : [{ id: Number(id), start, author }];
  });
}

function unescape(word: string): string {
  return word.replaceAll("&lt;", "<").replaceAll("&gt;", ">");
}
