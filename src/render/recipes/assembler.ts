/** Puts a page together again from its recipe and the kept fragments, and believes it only when its checksum is the one. */
import { crc32 } from "node:zlib";
import type { FragmentBytes } from "../fragments/bytes.ts";
import type { Block, Pieces } from "./block.ts";

const FIRST_BUFFER_BYTES = 1 << 16;

export class Assembler implements Pieces {
  readonly #fragments: FragmentBytes;
  #page = Buffer.allocUnsafeSlow(FIRST_BUFFER_BYTES);
  #size = 0;
  #end = 0;

  constructor(fragments: FragmentBytes) {
    this.#fragments = fragments;
  }

  /**
   * @param size of the page in bytes
   * @returns the page, until the next one is made; undefined when something of it is not what it was
   */
  page(block: Block, place: number, size: number, checksum: number): Buffer | undefined {
    if (size > this.#page.length) this.#page = Buffer.allocUnsafeSlow(size * 2);
    this.#size = size;
    this.#end = 0;
    if (!block.hand(place, this) || this.#end !== size) return undefined;
    const page = this.#page.subarray(0, size);
    return crc32(page) === checksum ? page : undefined;
  }

  text(bytes: Buffer, from: number, to: number): void {
    const at = this.#advance(to - from);
    if (at !== null) bytes.copy(this.#page, at, from, to);
  }

  fragment(offset: number, length: number): void {
    const at = this.#advance(length);
    if (at !== null && !this.#fragments.read(offset, length, this.#page, at)) this.#end = -1;
  }

  /** Null when there is no room for what is more than the page. */
  #advance(length: number): number | null {
    const at = this.#end;
    this.#end = at < 0 || at + length > this.#size ? -1 : at + length;
    return this.#end < 0 ? null : at;
  }
}
