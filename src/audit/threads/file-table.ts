/** The files of a site as hashes in memory that threads share: 16 bytes a file instead of its name in every thread. */

const EMPTY = 0;

export class FileTable {
  readonly #slots: Float64Array<SharedArrayBuffer>;

  /** @param memory of a table that another thread made */
  constructor(memory: SharedArrayBuffer) {
    this.#slots = new Float64Array(memory);
  }

  static of(files: ReadonlySet<string>): FileTable {
    const table = new FileTable(new SharedArrayBuffer(16 * (files.size + 1)));
    for (const file of files) {
      const key = hashOf(file);
      table.#slots[table.#find(key)] = key;
    }
    return table;
  }

  get memory(): SharedArrayBuffer {
    return this.#slots.buffer;
  }

  /** @param key `hashOf` a file's name */
  has(key: number): boolean {
    return this.#slots[this.#find(key)] !== EMPTY;
  }

  /** The slot of a key, or the empty one where it would go. */
  #find(key: number): number {
    const slots = this.#slots;
    let slot = key % slots.length;
    while (slots[slot] !== EMPTY && slots[slot] !== key) slot = (slot + 1) % slots.length;
    return slot;
  }
}

/**
 * 53 bits that name a file: among a million, a name that is not there is taken for one that is once in 10^10. Every link
 * of every page is hashed, and a digest of `node:crypto` takes ten times as long.
 *
 * @see https://github.com/bryc/code/blob/master/jshash/experimental/cyrb53.js, which this is
 * @returns a whole number above 0
 */
export function hashOf(file: string): number {
  let [low, high] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < file.length; at++) {
    const unit = file.charCodeAt(at);
    low = Math.imul(low ^ unit, 2_654_435_761);
    high = Math.imul(high ^ unit, 1_597_334_677);
  }
  low =
    Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  high =
    Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  return 4_294_967_296 * (2_097_151 & high) + (low >>> 0) || 1;
}

/** The lower 32 bits of `hashOf`, for sets in which a name too many does no harm. */
export const shortHashOf = (key: number): number => key | 0;
