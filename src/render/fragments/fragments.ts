/**
 * The kept fragments as one thread sees them: a table of places, bytes in memory that all threads share, and the file
 * for what does not fit there.
 *
 * A thread publishes a place only after its bytes are written, so whoever finds one may read it.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import type { FragmentPart, FragmentStore, KeptFragment } from "../inside/types.ts";
import { FragmentBytes, type SharedBytes } from "./bytes.ts";
import { pack, unpack } from "./pack.ts";
import { FragmentTable } from "./table.ts";

/** What a thread needs to use the store. */
export interface SharedFragments extends SharedBytes {
  readonly table: SharedArrayBuffer;
}

export class Fragments implements FragmentStore {
  readonly #file: number;
  readonly #table: FragmentTable;
  readonly #bytes: FragmentBytes;
  readonly #memory: Buffer;
  readonly #start: number;

  constructor({ file, table, memory, memoryStart }: SharedFragments) {
    this.#file = openSync(file, "r+");
    this.#bytes = new FragmentBytes(this.#file, { memory, memoryStart });
    this.#table = new FragmentTable(table);
    this.#memory = Buffer.from(memory);
    this.#start = memoryStart;
  }

  find(of: number, key: string): readonly FragmentPart<KeptFragment>[] | KeptFragment | undefined {
    const place = this.#table.find(of, key);
    if (place === undefined) return undefined;
    const kept = new Kept(this, place.offset, place.length);
    return place.plain ? kept : this.#parts(kept);
  }

  keep(
    of: number,
    key: string,
    parts: readonly FragmentPart<string>[],
  ): readonly FragmentPart<KeptFragment>[] | KeptFragment | undefined {
    const [only] = parts;
    const plain = parts.length === 1 && typeof only === "string";
    const bytes = plain ? Buffer.from(only) : pack(parts);
    const { length } = bytes;
    const offset = this.#table.reserveToWrite(length, (at) => this.#write(bytes, at));
    if (!this.#table.add(of, key, { offset, length, plain })) return undefined;
    const kept = new Kept(this, offset, length);
    return plain ? kept : this.#parts(kept);
  }

  /** Copies a fragment's bytes into a buffer that has room for them. */
  read(offset: number, length: number, into: Buffer, at: number): void {
    if (!this.#bytes.read(offset, length, into, at)) {
      throw new Error(`Cannot read fragment at ${offset}: the file is too short`);
    }
  }

  close(): void {
    closeSync(this.#file);
  }

  #write(bytes: Buffer, offset: number): void {
    const to = offset - this.#start;
    // One that memory ends in is in both: what memory holds is written to the file later, over what is there.
    if (to >= 0 && to < this.#memory.length) bytes.copy(this.#memory, to);
    if (to >= 0 && to + bytes.length <= this.#memory.length) return;
    for (let done = 0; done < bytes.length;) {
      done += writeSync(this.#file, bytes, done, bytes.length - done, offset + done);
    }
  }

  #parts(whole: Kept): FragmentPart<KeptFragment>[] {
    const markup = (at: number, length: number): Kept => new Kept(this, whole.offset + at, length);
    return unpack(whole.bytes(), markup);
  }
}

class Kept implements KeptFragment {
  readonly #of: Fragments;
  readonly offset: number;
  readonly length: number;

  constructor(of: Fragments, offset: number, length: number) {
    this.#of = of;
    this.offset = offset;
    this.length = length;
  }

  bytes(): Buffer {
    const bytes = Buffer.allocUnsafe(this.length);
    this.#of.read(this.offset, this.length, bytes, 0);
    return bytes;
  }

  toString(): string {
    return this.bytes().toString("utf8");
  }
}
