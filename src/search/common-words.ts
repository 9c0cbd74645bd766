/** Counts in how many blocks each word stands: to search for the commonest says little. */
import { isSign } from "../contract/search-words.ts";
import type { BlockWords } from "./blocks.ts";

export class CommonWords {
  readonly #counts = new Map<string, number>();

  count({ words }: BlockWords): void {
    for (const word of words) {
      if (!isSign(word)) this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1);
    }
  }

  /** The commonest, most common first. */
  first(most: number): string[] {
    return [...this.#counts]
      .sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
      .slice(0, most)
      .map(([word]) => word);
  }
}
