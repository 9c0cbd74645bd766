/**
 * The files of a site as hashes in memory that threads share: 8 bytes a file instead of its name in every thread.
 *
 * 64 bits of a SHA-256 name a file: among a million, a name that is not there is taken for one that is once in 10^13.
 */
import { hash } from "node:crypto";

const EMPTY = 0n;

export class FileTable {
  readonly #slots: BigUint64Array<SharedArrayBuffer>;
  readonly #mask: bigint;

  /** @param memory a table's own, from another thread */
  constructor(memory: SharedArrayBuffer) {
    this.#slots = new BigUint64Array(memory);
    this.#mask = BigInt(this.#slots.length - 1);
  }

  static of(files: readonly string[]): FileTable {
    const slots = 2 ** Math.ceil(Math.log2(files.length * 2 + 2));
    const table = new FileTable(new SharedArrayBuffer(slots * 8));
    for (const file of files) table.#slots[table.#find(keyOf(file))] = keyOf(file);
    return table;
  }

  get memory(): SharedArrayBuffer {
    return this.#slots.buffer;
  }

  has(file: string): boolean {
    return this.#slots[this.#find(keyOf(file))] !== EMPTY;
  }

  /** The slot of a key, or the empty one where it would go. */
  #find(key: bigint): number {
    let slot = Number(key & this.#mask);
    while (this.#slots[slot] !== EMPTY && this.#slots[slot] !== key) {
      slot = (slot + 1) % this.#slots.length;
    }
    return slot;
  }
}

function keyOf(file: string): bigint {
  const key = hash("sha256", file, "buffer").readBigUInt64LE();
  return key === EMPTY ? 1n : key;
}
