/** The fragments' bytes for whoever knows where each lies: in memory that threads share, or else in the file. */
import { closeSync, openSync } from "node:fs";
import { readWhole } from "../read-whole.ts";

/** Fragments kept in memory: those of some 150,000 cards. Untouched memory costs nothing. */
export const MEMORY_BYTES = 96 * 2 ** 20;

export interface SharedBytes {
  readonly file: string;
  /** Holds the file's bytes from `memoryStart` on, as far as it reaches. */
  readonly memory: SharedArrayBuffer;
  readonly memoryStart: number;
}

export class FragmentBytes {
  readonly #file: number;
  readonly #memory: Buffer;
  readonly #start: number;

  /** @param file open to be read */
  constructor(file: number, { memory, memoryStart }: Omit<SharedBytes, "file">) {
    this.#file = file;
    this.#memory = Buffer.from(memory);
    this.#start = memoryStart;
  }

  /**
   * Copies a fragment's bytes into a buffer that has room for them.
   *
   * @returns false when the file is too short
   */
  read(offset: number, length: number, into: Buffer, at: number): boolean {
    const from = offset - this.#start;
    if (from >= 0 && from + length <= this.#memory.length) {
      this.#memory.copy(into, at, from, from + length);
      return true;
    }
    return readWhole(this.#file, into, at, length, offset);
  }
}

/** Fills memory with the beginning of a file, as far as it reaches. */
export function fillMemory(memory: SharedArrayBuffer, path: string, length: number): void {
  const file = openSync(path, "r");
  try {
    readWhole(file, new Uint8Array(memory), 0, Math.min(length, memory.byteLength), 0);
  } finally {
    closeSync(file);
  }
}
