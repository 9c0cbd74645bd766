/**
 * The files of a site as hashes in memory that threads share: 16 bytes a file instead of its name in every thread.
 *
 * 64 bits of a SHA-256 name a file: among a million, a name that is not there is taken for one that is once in 10^13.
 */
import { hash } from "node:crypto";

const EMPTY = 0n;
const FIRST_SLOTS = 1_024;

export class FileTable {
  #slots: BigUint64Array<SharedArrayBuffer>;
  #count = 0;

  /** @param memory a table's own, from another thread: to be read alone, since the first may move on to more */
  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(FIRST_SLOTS * 8)) {
    this.#slots = new BigUint64Array(memory);
  }

  /** What it holds until the next `add`. */
  get memory(): SharedArrayBuffer {
    return this.#slots.buffer;
  }

  get size(): number {
    return this.#count;
  }

  /** @returns whether it was not there before */
  add(file: string): boolean {
    if (this.#count * 2 >= this.#slots.length) this.#grow();
    const key = keyOf(file);
    const slot = this.#find(key);
    if (this.#slots[slot] === key) return false;
    this.#slots[slot] = key;
    this.#count++;
    return true;
  }

  has(file: string): boolean {
    return this.#slots[this.#find(keyOf(file))] !== EMPTY;
  }

  /** The slot of a key, or the empty one where it would go. */
  #find(key: bigint): number {
    const slots = this.#slots;
    let slot = Number(key & BigInt(slots.length - 1));
    while (slots[slot] !== EMPTY && slots[slot] !== key) slot = (slot + 1) % slots.length;
    return slot;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new BigUint64Array(new SharedArrayBuffer(before.length * 16));
    for (const key of before) if (key !== EMPTY) this.#slots[this.#find(key)] = key;
  }
}

/** 32 bits of the same: for sets in which a name too many does no harm. */
export const shortHashOf = (file: string): number => hash("sha256", file, "buffer").readUInt32LE();

function keyOf(file: string): bigint {
  const key = hash("sha256", file, "buffer").readBigUInt64LE();
  return key === EMPTY ? 1n : key;
}
