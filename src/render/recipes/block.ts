/**
 * What pages are put together from, a batch at a time: text of their own, and where the kept fragments between lie.
 *
 * Two members of a gzip file: the places as they are, since they hardly pack, and the text, which does: the frame of one
 * page is much like that of the next, and a page costs some 250 bytes instead of 1,200.
 */
import { pack, readMember, store } from "./member.ts";

/** Text of all pages of a block, in bytes: it is in memory as a whole. A page that has no room there is rendered instead. */
const MOST_TEXT = 1 << 24;

/** Offsets have 32 bits; a fragment beyond is not named, and its page not kept. */
const MOST_OFFSET = 2 ** 32;

const FRAGMENT = 1;

/** Words in the list of pages, for each: where its pieces and its text end. */
const PAGE_WORDS = 2;

/** Recipes while a batch is rendered. */
export class BlockBuilder {
  #words = new Uint32Array(1 << 14);
  #wordsEnd = 0;
  #text = Buffer.allocUnsafeSlow(1 << 18);
  #textEnd = 0;
  #ends: number[] = [];
  #isKept = true;

  /** Text that stands next on the page. */
  text(page: Buffer, from: number, to: number): void {
    const end = this.#textEnd + to - from;
    this.#isKept &&= end <= MOST_TEXT;
    if (!this.#isKept || from === to) return;
    if (end > this.#text.length) {
      const larger = Buffer.allocUnsafeSlow(end * 2);
      this.#text.copy(larger, 0, 0, this.#textEnd);
      this.#text = larger;
    }
    page.copy(this.#text, this.#textEnd, from, to);
    this.#textEnd = end;
    this.#reserve(1);
    this.#words[this.#wordsEnd++] = (to - from) << 1;
  }

  /** A kept fragment that stands next on the page. */
  fragment(offset: number, length: number): void {
    this.#isKept &&= offset < MOST_OFFSET && length < MOST_OFFSET / 2;
    if (!this.#isKept) return;
    this.#reserve(2);
    this.#words[this.#wordsEnd++] = (length << 1) | FRAGMENT;
    this.#words[this.#wordsEnd++] = offset;
  }

  /** @returns the page's place in the block; null when there is no room for it */
  endPage(): number | null {
    if (!this.#isKept) return this.dropPage();
    this.#ends.push(this.#wordsEnd, this.#textEnd);
    return this.pages - 1;
  }

  /** Forgets the page that was begun. */
  dropPage(): null {
    this.#wordsEnd = this.#ends.at(-2) ?? 0;
    this.#textEnd = this.#ends.at(-1) ?? 0;
    this.#isKept = true;
    return null;
  }

  get pages(): number {
    return this.#ends.length / PAGE_WORDS;
  }

  /** The block of all pages since the last call; null when there is none. */
  take(): Uint8Array<ArrayBuffer> | null {
    const { pages } = this;
    if (pages === 0) return null;
    const places = new Uint32Array(1 + this.#ends.length + this.#wordsEnd);
    places[0] = pages;
    places.set(this.#ends, 1);
    places.set(this.#words.subarray(0, this.#wordsEnd), 1 + this.#ends.length);
    const first = store(new Uint8Array(places.buffer));
    const second = pack(this.#text.subarray(0, this.#textEnd));
    const block = new Uint8Array(first.length + second.length);
    block.set(first);
    block.set(second, first.length);
    this.#ends = [];
    this.#wordsEnd = this.#textEnd = 0;
    return block;
  }

  #reserve(words: number): void {
    if (this.#wordsEnd + words <= this.#words.length) return;
    const larger = new Uint32Array(this.#words.length * 2);
    larger.set(this.#words);
    this.#words = larger;
  }
}

/** What is done with a page's pieces, in the order of the page. */
export interface Pieces {
  text(bytes: Buffer, from: number, to: number): void;
  fragment(offset: number, length: number): void;
}

export class Block {
  readonly #words: Uint32Array;
  readonly #text: Buffer;

  constructor(words: Uint32Array, text: Buffer) {
    this.#words = words;
    this.#text = text;
  }

  /**
   * @returns false when the block has no such page; a block that was damaged may also name pieces that there are none of
   */
  hand(place: number, to: Pieces): boolean {
    const words = this.#words;
    const pages = words[0] ?? 0;
    if (place >= pages) return false;
    const start = 1 + pages * PAGE_WORDS;
    const ends = 1 + place * PAGE_WORDS;
    let at = start + (place === 0 ? 0 : (words[ends - 2] ?? 0));
    let from = place === 0 ? 0 : (words[ends - 1] ?? 0);
    for (const end = start + (words[ends] ?? 0); at < end;) {
      const word = words[at++];
      if (word === undefined) return false;
      const length = word >>> 1;
      if ((word & FRAGMENT) !== 0) to.fragment(words[at++] ?? 0, length);
      else {
        to.text(this.#text, from, from + length);
        from += length;
      }
    }
    return from === words[ends + 1];
  }
}

/** Undefined where no whole block lies. */
export function readBlock(file: number, offset: number): Block | undefined {
  const places = readMember(file, offset);
  const text = places === undefined ? undefined : readMember(file, places.end);
  if (places === undefined || text === undefined) return undefined;
  const { buffer, byteOffset, length } = places.bytes;
  if (length < 4 || length % 4 !== 0) return undefined;
  const words = new Uint32Array(buffer.slice(byteOffset, byteOffset + length));
  return new Block(words, text.bytes);
}
