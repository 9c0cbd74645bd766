/** Makes the blocks of a record: what the reader's page shows of the quotes, and the words they are found by. */
import type { IndexedPage, IndexedQuote } from "../../contract/search-index.ts";
import {
  CURATED_WORD,
  indexedWord,
  languageWord,
  pairsFor,
  pairsOf,
  searchWords,
  tagWord,
} from "../../contract/search-words.ts";
import type { QuoteToIndex } from "./documents.ts";

export interface Block {
  readonly pages: readonly IndexedPage[];
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
  return dealt.filter((of) => of.length > 0).map((of) => blockOf(language, of));
}

function blockOf(language: string, quotes: readonly QuoteToIndex[]): Block {
  const wholeNames = new Set<string>();
  const names = new Set<string>();
  const words = new Set<string>([languageWord(language)]);
  const signs = new Set<string>();
  const pages = new Map<string, { author: string | null; quotes: IndexedQuote[] }>();
  for (const { id, text, author, tags, curated, page } of quotes) {
    const name = searchWords(author ?? "");
    const said = searchWords(text);
    const own = name.length === 1 ? wholeNames : names;
    for (const word of [...name.map(indexedWord), ...pairsOf(name)]) own.add(word);
    if (curated) words.add(CURATED_WORD);
    for (const tag of tags) words.add(tagWord(tag));
    for (const word of said) words.add(indexedWord(word));
    for (const pair of pairsFor(said)) signs.add(pair);
    const of = pages.get(page) ?? { author, quotes: [] };
    pages.set(page, of);
    of.quotes.push(curated ? [id, text, tags, 1] : [id, text, tags]);
  }
  const kept = Array.from(pages, ([path, of]): IndexedPage => [path, of.author, of.quotes]);
  return { pages: kept, wholeNames, names, words: new Set([...words, ...signs]) };
}
