/** Pages that stand in one row of the catalogue, taken apart again. */
import { DIGEST_BYTES } from "../digests.ts";
import {
  BETWEEN_PAGES,
  bufferOf,
  linksOf,
  numbersOf,
  type PageMembers,
  type RunRow,
} from "./rows.ts";

export class KeptRun {
  readonly #ids: Float64Array;
  readonly #cards: Buffer;
  readonly #permalinks: Uint32Array;
  readonly #languages: readonly string[];
  readonly #starts: readonly number[];

  constructor([sizes, ids, cards, permalinks, languages]: RunRow) {
    this.#ids = numbersOf(ids);
    this.#cards = bufferOf(cards);
    this.#permalinks = linksOf(permalinks);
    this.#languages = languages.split(BETWEEN_PAGES);
    let start = 0;
    this.#starts = [0, ...Array.from(linksOf(sizes), (size) => (start += size))];
  }

  /** @param place from 0; undefined when the row holds fewer */
  page(place: number): PageMembers | undefined {
    const from = this.#starts[place];
    const to = this.#starts[place + 1];
    if (from === undefined || to === undefined) return undefined;
    const languages = this.#languages[place] ?? "";
    return {
      ids: this.#ids.subarray(from, to),
      cards: this.#cards.subarray(from * DIGEST_BYTES, to * DIGEST_BYTES),
      permalinks: this.#permalinks.subarray(from, to),
      languages: languages === "" ? [] : languages.split(" "),
    };
  }
}
