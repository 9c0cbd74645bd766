/**
 * Pages that stand in one row of the catalogue: what is told of each lies behind what is told of the one before. Pages are
 * asked for one after another, so that most are in the row that was read last.
 */
import { DIGEST_BYTES } from "../digests.ts";
import type { PageParts } from "./page-parts.ts";
import { BETWEEN_PAGES, type RunRow } from "../read/rows.ts";

export const PAGES_A_ROW = 16;

const ID_BYTES = 8;
const LINK_BYTES = 4;

export class PageRun {
  readonly #sizes = new Uint32Array(PAGES_A_ROW);
  readonly #ids: Buffer;
  readonly #cards: Buffer;
  readonly #permalinks: Buffer;
  readonly #hasCards: boolean;
  #languages: string[] = [];
  #members = 0;

  /**
   * @param mostMembers that a page will have
   * @param hasCards whether members are quotes
   */
  constructor(mostMembers: number, hasCards: boolean) {
    const most = mostMembers * PAGES_A_ROW;
    this.#hasCards = hasCards;
    this.#ids = Buffer.alloc(most * ID_BYTES);
    this.#cards = Buffer.alloc(hasCards ? most * DIGEST_BYTES : 0);
    this.#permalinks = Buffer.alloc(hasCards ? most * LINK_BYTES : 0);
  }

  get length(): number {
    return this.#languages.length;
  }

  add(page: PageParts): void {
    this.#ids.set(page.ids, this.#members * ID_BYTES);
    if (this.#hasCards) {
      this.#cards.set(page.parts, this.#members * DIGEST_BYTES);
      this.#permalinks.set(page.permalinks, this.#members * LINK_BYTES);
    }
    this.#sizes[this.length] = page.length;
    this.#languages.push(page.languages);
    this.#members += page.length;
  }

  /** What was added since the last time. It holds until more is added. */
  take(): RunRow {
    const members = this.#members;
    const pages = this.length;
    const languages = this.#languages.join(BETWEEN_PAGES);
    this.#members = 0;
    this.#languages = [];
    return [
      new Uint8Array(this.#sizes.buffer, 0, pages * this.#sizes.BYTES_PER_ELEMENT),
      this.#ids.subarray(0, members * ID_BYTES),
      this.#cards.subarray(0, members * DIGEST_BYTES),
      this.#permalinks.subarray(0, members * LINK_BYTES),
      languages,
    ];
  }
}
