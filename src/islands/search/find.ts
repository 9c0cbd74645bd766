/**
 * Answers a query, a few blocks of quotes at a time.
 *
 * What is asked of the index costs a part of it for each word, some 12 kB, and each block read 2 kB. So a phrase is
 * looked for by one pair of its words, and words one by one, the rarest first, while too many blocks are left.
 */
import { blocksWith, quotesIn, type BlockHandle, type FoundQuote } from "./blocks.ts";
import { openEngine } from "./pagefind.ts";
import { passes, readQuery, scoreOf, type Query } from "./query.ts";
import { waysTo, type Way } from "./ways.ts";

/** So few blocks are read without asking for more words: together they weigh less than a part of the index. */
const FEW = 12;

/** Most blocks read at a time; fewer at first, while the first may be enough. */
const AT_ONCE = 8;

/** Answers that are enough for now. */
const ENOUGH = 10;

/** A score from which on a single answer is enough: the very words, or the very name. */
const CERTAIN = 5;

export class Search {
  readonly #query: Query;
  readonly #folder: string;
  readonly #read = new Set<string>();
  readonly #ways: Way[];
  #left: BlockHandle[] = [];

  /** @param folder address of the index */
  constructor(query: Query, folder: string) {
    this.#query = query;
    this.#folder = folder;
    this.#ways = waysTo(query, folder);
  }

  /** Whether there may be more answers. */
  get more(): boolean {
    return this.#ways.length + this.#left.length > 0;
  }

  /** The next answers, best first. */
  async next(): Promise<FoundQuote[]> {
    const asked = readQuery(this.#query.text);
    const found: { quote: FoundQuote; score: number }[] = [];
    let certain = false;
    let atOnce = 1;
    while (found.length < ENOUGH && !certain) {
      if (this.#left.length === 0) {
        const way = this.#ways.shift();
        if (way === undefined) break;
        this.#left = (await this.#blocks(await way())).filter(({ file }) => !this.#read.has(file));
        continue;
      }
      const blocks = this.#left.splice(0, atOnce);
      atOnce = Math.min(AT_ONCE, atOnce * 2);
      for (const { file } of blocks) this.#read.add(file);
      const read = await Promise.all(blocks.map((block) => quotesIn(this.#folder, block)));
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

  /** @param words rarest first */
  async #blocks(words: readonly string[]): Promise<BlockHandle[]> {
    const engine = await openEngine(this.#folder);
    let blocks: BlockHandle[] = [];
    for (let many = 1; many <= words.length; many++) {
      const { results } = await engine.search(words.slice(0, many).join(" "));
      blocks = blocksWith(results, many);
      if (blocks.length <= FEW) break;
    }
    return blocks;
  }
}
