/**
 * The words of many texts, each once. A collection has millions of words, and few different ones: they are compared where they stand,
 * and only a new one becomes a string.
 */
import { plainLower } from "../util/fold.ts";

const IN_WORD = /[\p{L}\p{N}\p{M}]/u;

/** Half of a character, by itself or with the other. `OUTSIDE` leaves those of letters alone. */
const SURROGATE = /[\uD800-\uDFFF]/;

/** Between letters, the index takes them for a part of the word: `chef-d’œuvre`. */
const JOINERS = "'’‐‑–—…./-";

/** What is no letter and has two units, and half of a character. */
const OUTSIDE = /(?![\p{L}\p{N}\p{M}])[\p{Cs}\u{10000}-\u{10FFFF}]/gu;

const [SPACE, JOINER, LETTER] = [0, 1, 2];

/** What each UTF-16 unit is to a word. */
const KINDS = Uint8Array.from({ length: 0x1_00_00 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  if (JOINERS.includes(character)) return JOINER;
  return IN_WORD.test(character) || SURROGATE.test(character) ? LETTER : SPACE;
});

export class WordSet {
  readonly #words: string[] = [];
  readonly #hashes: number[] = [];
  /** Numbers of words from 1, at a place by their hash or after it; 0 where there is none. Its length is a power of two. */
  #slots = new Uint32Array(1 << 12);

  /** The words, sorted. */
  sorted(): string[] {
    return this.#words.toSorted();
  }

  /** Adds the words of a text in lower case, as the index splits it: with their accents and the punctuation inside. */
  add(text: string): void {
    const lower = plainLower(text);
    const plain = SURROGATE.test(lower) ? lower.replace(OUTSIDE, " ") : lower;
    for (let at = 0; at < plain.length; at++) {
      if (KINDS[plain.charCodeAt(at)] !== LETTER) continue;
      const start = at;
      let [end, hash] = [at, 0];
      for (let running = 0; at < plain.length; at++) {
        const unit = plain.charCodeAt(at);
        const kind = KINDS[unit];
        if (kind === SPACE) break;
        running = (Math.imul(running, 31) + unit) | 0;
        if (kind === LETTER) [end, hash] = [at + 1, running];
      }
      this.#addWord(plain, start, end, hash);
    }
  }

  #addWord(text: string, start: number, end: number, hash: number): void {
    const last = this.#slots.length - 1;
    let slot = spread(hash) & last;
    for (let number; (number = this.#slots[slot] ?? 0) > 0; slot = (slot + 1) & last) {
      if (this.#hashes[number - 1] !== hash) continue;
      const word = this.#words[number - 1] ?? "";
      if (word.length === end - start && text.startsWith(word, start)) return;
    }
    this.#hashes.push(hash);
    this.#slots[slot] = this.#words.push(text.slice(start, end));
    if (this.#words.length * 2 > this.#slots.length) this.#grow();
  }

  #grow(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2);
    const last = this.#slots.length - 1;
    for (const [index, hash] of this.#hashes.entries()) {
      let slot = spread(hash) & last;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & last;
      this.#slots[slot] = index + 1;
    }
  }
}

const spread = (hash: number): number => hash ^ (hash >>> 15);
