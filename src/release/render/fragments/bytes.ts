/** The fragments' bytes for whoever knows where each lies: in memory that threads share, or else in the file. */
import { readSync } from "node:fs";

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
    for (let done = 0; done < length;) {
      const got = readSync(this.#file, into, at + done, length - done, offset + done);
      if (got === 0) return false;
      done += got;
    }
    return true;
  }
}
