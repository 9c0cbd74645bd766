/**
 * Answers a query, a few records at a time.
 *
 * Each word costs a part of the index, some 30 kB. So the rarest word is asked for alone, and the others follow only
 * while too many records are left. Of words that are not among the commonest, the longest is likely the rarest.
 */
import { languageWord, tagWord } from "../../contract/search-words.ts";
import {
  commonWords,
  openEngine,
  quotesOf,
  type FoundQuote,
  type RecordHandle,
} from "./pagefind.ts";
import { passes, readQuery, scoreOf, type Query } from "./query.ts";

/** So few records are read without asking for more words: together they weigh less than a part of the index. */
const FEW = 5;

/** Words asked for in each round. */
const ROUNDS = [1, 2, 4, 8];

/** Records read at a time. */
const AT_ONCE = 2;

/** Answers that are enough for now. */
const ENOUGH = 10;

/** A score from which on a single answer is enough: the very words, or the very name. */
const CERTAIN = 5;

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
    let certain = false;
    while (this.#left.length > 0 && found.length < ENOUGH && !certain) {
      const read = await Promise.all(this.#left.splice(0, AT_ONCE).map(quotesOf));
      for (const quote of read.flat()) {
        const score = asked.words.length === 0 ? 1 : scoreOf(asked, quote);
        if (score === 0 || !passes(this.#query, quote)) continue;
        found.push({ quote, score });
        certain ||= score >= CERTAIN;
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
    const once = [...new Set(words)];
    if (once.length + filters.length === 0) return [];
    const [engine, common] = await Promise.all([
      openEngine(this.#folder),
      commonWords(this.#folder),
    ]);
    const rank = (word: string): number => common.get(word) ?? common.size + word.length;
    const rarest = once.sort((a, b) => rank(b) - rank(a));
    let results: readonly RecordHandle[] = [];
    for (const many of ROUNDS) {
      const asked = [...rarest.slice(0, many), ...filters].join(" ");
      ({ results } = await engine.search(asked));
      if (results.length <= FEW || many >= rarest.length) break;
    }
    return [...results];
  }
}
