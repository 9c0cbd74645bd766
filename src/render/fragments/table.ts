/**
 * Where each kept fragment lies, as a hash table in memory that all threads share: 24 bytes an entry, no locks.
 *
 * Two threads may both keep the same fragment, which wastes its bytes and harms nothing. A table that is too full
 * takes no more: the engine then renders what it cannot keep.
 */

/** Words of 32 bits in an entry: state, key, key, offset low, offset high and flag, length. */
const WORDS = 6;
const EMPTY = 0;
const FILLING = 1;
const READY = 2;

/** Beyond this share of entries in use, looking one up takes too long. */
const MOST_FULL = 0.7;

/** Words before the first entry: how many are in use, the seed of the keys, two numbers of 64 bits, writers at work. */
const HEADER_WORDS = 8;
const SEED_WORD = 1;
const WRITERS_WORD = 6;
const END_PAIR = 1;
const FIRST_END_PAIR = 2;

export interface Place {
  readonly offset: number;
  readonly length: number;
  /** Whether the bytes are markup alone, with no script between. */
  readonly plain: boolean;
}

export class FragmentTable {
  readonly buffer: SharedArrayBuffer;
  readonly #words: Int32Array;
  readonly #pairs: BigInt64Array;
  readonly #capacity: number;
  readonly #hash = { high: 0, low: 0 };

  constructor(buffer: SharedArrayBuffer) {
    this.buffer = buffer;
    this.#words = new Int32Array(buffer);
    this.#pairs = new BigInt64Array(buffer);
    this.#capacity = (this.#words.length - HEADER_WORDS) / WORDS;
  }

  /** @param entries how many are expected; the table takes at least these */
  static create(entries: number, seed: number): FragmentTable {
    const capacity = 2 ** Math.ceil(Math.log2(Math.max(1_024, entries / MOST_FULL)));
    const table = new FragmentTable(new SharedArrayBuffer((HEADER_WORDS + capacity * WORDS) * 4));
    table.#words[SEED_WORD] = seed;
    return table;
  }

  /** Whether bytes from a file have the shape of a table. */
  static fits(byteLength: number): boolean {
    const capacity = (byteLength / 4 - HEADER_WORDS) / WORDS;
    return capacity >= 1 && Number.isInteger(Math.log2(capacity));
  }

  /** Drawn for each store. */
  get seed(): number {
    return this.#words[SEED_WORD] ?? 0;
  }

  /** Where the next fragment goes in the file, in bytes. */
  get end(): number {
    return Number(Atomics.load(this.#pairs, END_PAIR));
  }

  /** The file's length after the run that made it; 0 until then. */
  get firstEnd(): number {
    return Number(Atomics.load(this.#pairs, FIRST_END_PAIR));
  }

  set firstEnd(bytes: number) {
    Atomics.store(this.#pairs, FIRST_END_PAIR, BigInt(bytes));
  }

  /** Takes `length` bytes of the file for the caller alone, and says where they begin. */
  reserve(length: number): number {
    return Number(Atomics.add(this.#pairs, END_PAIR, BigInt(length)));
  }

  /** The same for as long as the caller writes them there: until then the file's end is ahead of its bytes. */
  reserveToWrite(length: number, write: (offset: number) => void): number {
    Atomics.add(this.#words, WRITERS_WORD, 1);
    const offset = this.reserve(length);
    write(offset);
    Atomics.sub(this.#words, WRITERS_WORD, 1);
    return offset;
  }

  /** Whether a thread has taken bytes that it did not write yet. */
  get isBeingWritten(): boolean {
    return Atomics.load(this.#words, WRITERS_WORD) > 0;
  }

  get size(): number {
    return Atomics.load(this.#words, 0);
  }

  get capacity(): number {
    return this.#capacity;
  }

  /** @param of the component whose key it is */
  find(of: number, key: string): Place | undefined {
    const words = this.#words;
    const { high, low } = this.#hashed(of, key);
    for (let step = 0; step < this.#capacity; step++) {
      const at = this.#slot(low, step);
      const state = Atomics.load(words, at);
      if (state === EMPTY) return undefined;
      if (state === READY && words[at + 1] === high && words[at + 2] === low) {
        return this.#place(at);
      }
    }
    return undefined;
  }

  /** @returns false when the table is full */
  add(of: number, key: string, place: Place): boolean {
    const { high, low } = this.#hashed(of, key);
    return this.#add(high, low, place);
  }

  #add(high: number, low: number, place: Place): boolean {
    const words = this.#words;
    if (this.size >= this.#capacity * MOST_FULL) return false;
    for (let step = 0; step < this.#capacity; step++) {
      const at = this.#slot(low, step);
      if (Atomics.compareExchange(words, at, EMPTY, FILLING) !== EMPTY) continue;
      words[at + 1] = high;
      words[at + 2] = low;
      words[at + 3] = place.offset | 0;
      words[at + 4] = Math.floor(place.offset / 2 ** 32) * 2 + (place.plain ? 1 : 0);
      words[at + 5] = place.length;
      Atomics.store(words, at, READY);
      Atomics.add(words, 0, 1);
      return true;
    }
    return false;
  }

  /** The same entries in a table with room for more. */
  grown(entries: number): FragmentTable {
    const larger = FragmentTable.create(entries, this.seed);
    larger.reserve(this.end);
    larger.firstEnd = this.firstEnd;
    const words = this.#words;
    for (let at = HEADER_WORDS; at < words.length; at += WORDS) {
      if (words[at] !== READY) continue;
      larger.#add(words[at + 1] ?? 0, words[at + 2] ?? 0, this.#place(at));
    }
    return larger;
  }

  /**
   * A key's 64 bits: MurmurHash3's mixing over its code units. The seed differs from store to store, so that nobody can
   * choose keys that meet. The one object is used over and over: a card is looked up half a million times.
   */
  #hashed(of: number, key: string): { readonly high: number; readonly low: number } {
    const seed = this.seed ^ of;
    let high = seed | 0;
    let low = (seed ^ 0x9e3779b9) | 0;
    for (let i = 0; i < key.length; i++) {
      const unit = key.charCodeAt(i);
      high = Math.imul(high ^ unit, 0x5bd1e995);
      high ^= high >>> 15;
      low = Math.imul(low ^ unit, 0x1b873593);
      low = (low << 13) | (low >>> 19);
    }
    this.#hash.high = mixed(high ^ key.length);
    this.#hash.low = mixed(low ^ high);
    return this.#hash;
  }

  #slot(low: number, step: number): number {
    return HEADER_WORDS + (((low >>> 0) + step) & (this.#capacity - 1)) * WORDS;
  }

  #place(at: number): Place {
    const words = this.#words;
    const high = words[at + 4] ?? 0;
    return {
      offset: (high >>> 1) * 2 ** 32 + ((words[at + 3] ?? 0) >>> 0),
      length: words[at + 5] ?? 0,
      plain: (high & 1) === 1,
    };
  }
}

function mixed(word: number): number {
  let mix = word;
  mix = Math.imul(mix ^ (mix >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return mix ^ (mix >>> 16);
}
