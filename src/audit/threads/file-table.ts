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

/** Multipliers of two hashes in the manner of FNV-1a: its own prime, and another odd number of 32 bits. */
const PRIMES = [0x01000193, 0x9e3779b1] as const;

/**
 * 53 bits that stand for a file's name: among a million, a name that is not there is taken for one that is once in 10^10.
 * Every link of every page is hashed, and a digest of `node:crypto` takes ten times as long.
 *
 * @returns a whole number above 0, the same in every run
 */
export function hashOf(file: string): number {
  let low = 0x811c9dc5;
  let high = file.length;
  for (let at = 0; at < file.length; at++) {
    const unit = file.charCodeAt(at);
    low = Math.imul(low ^ unit, PRIMES[0]);
    high = Math.imul(high ^ unit, PRIMES[1]);
  }
  return (spread(high) >>> 11) * 2 ** 32 + (spread(low) >>> 0) || 1;
}

/** Lets each bit of a hash depend on all others: the lower ones depend on few characters alone. */
function spread(bits: number): number {
  const once = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  const twice = Math.imul(once ^ (once >>> 12), 0x297a2d39);
  return twice ^ (twice >>> 15);
}

/** The lower 32 bits of `hashOf`, for sets in which a name too many does no harm. */
export const shortHashOf = (key: number): number => key | 0;
