/**
 * Makes the blocks of a record: what the reader's page shows of the quotes, and the words they are found by.
 *
 * The words of a million quotes are more than their texts, so they are made when they are asked for and not kept.
 */
import type { IndexedPage, IndexedQuote } from "../contract/search-index.ts";
import {
  CURATED_WORD,
  indexedWord,
  languageWord,
  pairsFor,
  pairsOf,
  searchWords,
  tagWord,
} from "../contract/search-words.ts";

export interface QuoteToIndex {
  readonly id: number;
  readonly text: string;
  readonly author: string | null;
  readonly language: string;
  /** Slugs. */
  readonly tags: readonly string[];
  /** Whether a person chose it. */
  readonly curated: boolean;
  /** Path of the author's listing page it stands on. */
  readonly page: string;
}

export interface Block {
  /** The service's code. */
  readonly language: string;
  readonly pages: readonly IndexedPage[];
}

/** The words of a block, each once. */
export interface BlockWords {
  /** Names of a single word. */
  readonly wholeNames: ReadonlySet<string>;
  /** Words of names, and signs of their pairs. */
  readonly names: ReadonlySet<string>;
  /** Of the language, the tags and the texts, and then signs of the pairs of texts. */
  readonly words: ReadonlySet<string>;
}

/** Size of a block's texts, in UTF-16 units: about twice what its file has in bytes. */
const BLOCK_SIZE = 5_000;

/** What a quote takes besides its text. */
const QUOTE_SIZE = 40;

export function sizeOf({ text }: QuoteToIndex): number {
  return text.length + QUOTE_SIZE;
}

/** @param most that a record has */
export function blocksOf(language: string, quotes: readonly QuoteToIndex[], most: number): Block[] {
  const size = quotes.reduce((sum, quote) => sum + sizeOf(quote), 0);
  const count = Math.min(most, Math.max(1, Math.round(size / BLOCK_SIZE)));
  const dealt: QuoteToIndex[][] = Array.from({ length: count }, () => []);
  let before = 0;
  for (const quote of quotes) {
    dealt[Math.floor((before / size) * count)]?.push(quote);
    before += sizeOf(quote);
  }
  return dealt.filter((of) => of.length > 0).map((of) => ({ language, pages: pagesOf(of) }));
}

function pagesOf(quotes: readonly QuoteToIndex[]): IndexedPage[] {
  const pages = new Map<string, { author: string | null; quotes: IndexedQuote[] }>();
  for (const { id, text, author, tags, curated, page } of quotes) {
    const of = pages.get(page) ?? { author, quotes: [] };
    pages.set(page, of);
    of.quotes.push(curated ? [id, text, tags, 1] : [id, text, tags]);
  }
  return Array.from(pages, ([path, of]) => [path, of.author, of.quotes]);
}

export function wordsOf({ language, pages }: Block): BlockWords {
  const wholeNames = new Set<string>();
  const names = new Set<string>();
  const words = new Set<string>([languageWord(language)]);
  const signs = new Set<string>();
  for (const [, author, quotes] of pages) {
    const name = searchWords(author ?? "");
    const own = name.length === 1 ? wholeNames : names;
    for (const word of [...name.map(indexedWord), ...pairsOf(name)]) own.add(word);
    for (const [, text, tags, curated] of quotes) {
      const said = searchWords(text);
      if (curated === 1) words.add(CURATED_WORD);
      for (const tag of tags) words.add(tagWord(tag));
      for (const word of said) words.add(indexedWord(word));
      for (const pair of pairsFor(said)) signs.add(pair);
    }
  }
  return { wholeNames, names, words: new Set([...words, ...signs]) };
}
