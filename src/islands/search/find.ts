/**
 * Answers a query, a few records at a time.
 *
 * Each word costs a part of the index, some 25 kB. So the longest word, which is likely the rarest, is asked for alone,
 * and the others follow only while too many records are left.
 */
import { languageWord, tagWord } from "../../contract/search-words.ts";
import { openEngine, quotesOf, type FoundQuote, type RecordHandle } from "./pagefind.ts";
import { passes, readQuery, scoreOf, type Query } from "./query.ts";

/** So few records are read without asking for more words. */
const FEW = 3;

/** Words asked for in each round. */
const ROUNDS = [1, 2, 4, 8];

/** Records read at a time, and before answers are shown that nobody has to wait for more. */
const AT_ONCE = 3;

/** Answers that are enough for now. */
const ENOUGH = 10;

export class Search {
  readonly #query: Query;
  readonly #folder: string;
  #left: RecordHandle[] | undefined;

  /** @param folder address of the index */
  constructor(query: Query, folder: string) {
    this.#query = query;
    this.#folder = folder;
  }

  /** Whether there may be more answers. */
  get more(): boolean {
    return this.#left === undefined || this.#left.length > 0;
  }

  /** The next answers, best first. */
  async next(): Promise<FoundQuote[]> {
    const asked = readQuery(this.#query.text);
    this.#left ??= await this.#records(asked.words);
    const found: { quote: FoundQuote; score: number }[] = [];
    while (this.#left.length > 0 && found.length < ENOUGH) {
      const read = await Promise.all(this.#left.splice(0, AT_ONCE).map(quotesOf));
      for (const quote of read.flat()) {
        const score = asked.words.length === 0 ? 1 : scoreOf(asked, quote);
        if (score > 0 && passes(this.#query, quote)) found.push({ quote, score });
      }
    }
    // Sorting keeps equals in the order of the index and of the listings: most liked first.
    return found.sort((a, b) => b.score - a.score).map(({ quote }) => quote);
  }

  async #records(words: readonly string[]): Promise<RecordHandle[]> {
    const { language, tag } = this.#query;
    const filters = [
      ...(language === "" ? [] : [languageWord(language)]),
      ...(tag === "" ? [] : [tagWord(tag)]),
    ];
    const byLength = [...new Set(words)].sort((a, b) => b.length - a.length);
    if (byLength.length + filters.length === 0) return [];
    const engine = await openEngine(this.#folder);
    let results: readonly RecordHandle[] = [];
    for (const many of ROUNDS) {
      const asked = [...byLength.slice(0, many), ...filters].join(" ");
      ({ results } = await engine.search(asked));
      if (results.length <= FEW || many >= byLength.length) break;
    }
    return [...results];
  }
}
