/**
 * The kept fragments as one thread sees them: the shared table, and the one file that holds the bytes.
 *
 * The file stays in the kernel's cache, not in ours: reading a card from it takes a microsecond, and a million cards
 * cost this process nothing.
 */
import { closeSync, openSync, readSync, writeSync } from "node:fs";
import type { FragmentPart, FragmentStore, KeptFragment } from "../inside/types.ts";
import { FragmentTable, keyOf, type Place } from "./table.ts";

/** What a thread needs to use the store. */
export interface SharedFragments {
  readonly file: string;
  readonly table: SharedArrayBuffer;
}

export class Fragments implements FragmentStore {
  readonly #file: number;
  readonly #table: FragmentTable;
  readonly #seed: number;

  constructor({ file, table }: SharedFragments) {
    this.#file = openSync(file, "r+");
    this.#table = new FragmentTable(table);
    this.#seed = this.#table.seed;
  }

  find(key: string): readonly FragmentPart<KeptFragment>[] | undefined {
    const place = this.#table.find(keyOf(key, this.#seed));
    if (place === undefined) return undefined;
    return place.plain ? [this.#kept(place.offset, place.length)] : this.#unpack(place);
  }

  keep(
    key: string,
    parts: readonly FragmentPart<string>[],
  ): readonly FragmentPart<KeptFragment>[] | undefined {
    const [only] = parts;
    const plain = parts.length === 1 && typeof only === "string";
    const bytes = plain ? Buffer.from(only) : pack(parts);
    const { length } = bytes;
    const offset = this.#table.reserve(length);
    let written = 0;
    while (written < length) {
      written += writeSync(this.#file, bytes, written, length - written, offset + written);
    }
    const place = { offset, length, plain };
    if (!this.#table.add(keyOf(key, this.#seed), place)) return undefined;
    return plain ? [this.#kept(offset, length)] : this.#unpack(place);
  }

  /** Copies a fragment's bytes into a buffer that has room for them. */
  read({ offset, length }: { offset: number; length: number }, into: Buffer, at: number): void {
    let done = 0;
    while (done < length) {
      const got = readSync(this.#file, into, at + done, length - done, offset + done);
      if (got === 0) throw new Error(`Cannot read fragment at ${offset}: the file is too short`);
      done += got;
    }
  }

  close(): void {
    closeSync(this.#file);
  }

  #kept(offset: number, length: number): KeptFragment {
    return new Kept(this, offset, length);
  }

  #unpack(place: Place): FragmentPart<KeptFragment>[] {
    const bytes = Buffer.allocUnsafe(place.length);
    this.read(place, bytes, 0);
    const parts: FragmentPart<KeptFragment>[] = [];
    for (let at = 0; at < bytes.length;) {
      const head = bytes.readUInt32LE(at);
      const length = head >>> 1;
      at += 4;
      if ((head & 1) === SCRIPT) {
        const [id = "", content = ""] = JSON.parse(
          bytes.toString("utf8", at, at + length),
        ) as string[];
        parts.push({ id, content });
      } else parts.push(this.#kept(place.offset + at, length));
      at += length;
    }
    return parts;
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

  toString(): string {
    const bytes = Buffer.allocUnsafe(this.length);
    this.#of.read(this, bytes, 0);
    return bytes.toString("utf8");
  }
}

const MARKUP = 0;
const SCRIPT = 1;

/** Markup with scripts between: each part after its length, whose lowest bit says what it is. */
function pack(parts: readonly FragmentPart<string>[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const markup = typeof part === "string";
      const bytes = Buffer.from(markup ? part : JSON.stringify([part.id, part.content]));
      const head = Buffer.alloc(4);
      head.writeUInt32LE(bytes.length * 2 + (markup ? MARKUP : SCRIPT));
      return [head, bytes];
    }),
  );
}
