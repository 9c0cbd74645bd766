/**
 * The shape of the search index, which is written by one stage and read in the browser.
 *
 * Pagefind knows records, of which it lists all before the first search: they are few and large. A record holds some
 * blocks of quotes, each in a file of its own: where in its record a word was found says in which block.
 */

/**
 * Places of a block: of words that are a whole name, of words and pairs of names, and of all others. The last stand there
 * as often as there are weights.
 */
export const PLACES = { whole: 64, name: 512, word: 2_048 } as const;
export const WORD_WEIGHTS = ["1", "2"] as const;

const WORDS_FROM = PLACES.whole + PLACES.name;
const BLOCK_PLACES = WORDS_FROM + PLACES.word * WORD_WEIGHTS.length;

/** Where in a record a word is found. */
export interface Spot {
  readonly block: number;
  /** Within the block; the same however often the word stands there. */
  readonly place: number;
  readonly kind: keyof typeof PLACES;
}

export function spotOf(place: number): Spot {
  const block = Math.floor(place / BLOCK_PLACES);
  const within = place % BLOCK_PLACES;
  if (within < PLACES.whole) return { block, place: within, kind: "whole" };
  if (within < WORDS_FROM) return { block, place: within, kind: "name" };
  return { block, place: WORDS_FROM + ((within - WORDS_FROM) % PLACES.word), kind: "word" };
}

/** Name of a block's file, packed with gzip, below the index. */
export function blockFile(record: string, block: number): string {
  return `quotes/${record}.${block}`;
}

/** A quote as the index keeps it, in the order of the fields: kept short, since there are dozens in a file. */
export type IndexedQuote = readonly [
  id: number,
  text: string,
  /** Slugs. */
  tags: readonly string[],
  /** Only there where a person chose the quote. */
  curated?: 1,
];

/** The quotes of one page of an author's listing that are in one block. */
export type IndexedPage = readonly [
  path: string,
  author: string | null,
  quotes: readonly IndexedQuote[],
];

/** What a block's file holds, as JSON. */
export interface IndexedBlock {
  /** The service's code. */
  readonly language: string;
  readonly pages: readonly IndexedPage[];
}
