/**
 * Memoised components: rendered once, shown on many pages, stored by id as UTF-8 in memory that all threads share.
 *
 * Each thread renders a part of the missing components into a block of its own; then every thread receives all blocks. A
 * file in the state folder stores them for the next build.
 */
import { closeSync, fstatSync, openSync, readSync, writeFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { atomicWrite, asDiskError } from "../files/disk.ts";
import type { Part } from "../util/work.ts";
import type { Component } from "./astro/index.ts";
import { BYTES_PER_UNIT } from "./page-writer.ts";

/**
 * Exports of the module that the option `memo` of the integration names.
 *
 * @public a module of a site may name it
 */
export interface MemoModule {
  readonly component: Component;
  /**
   * Yields a part of all uses of the component: an id, a key that changes with everything it shows, and its props.
   *
   * @param isKept whether the memo has the component for an id and a key; its props are then null
   */
  entries(
    part: Part,
    isKept: (id: number, key: string) => boolean,
  ): Iterable<readonly [id: number, key: string, props: object | null]>;
  /** Receives the function that reads the memo; called once in each thread, before its first page. */
  use(find: (id: number) => Uint8Array | undefined): void;
}

/** Rendered components one after another. Each is a head with the id and two lengths in bytes, the key, the markup. */
export interface MemoBlock {
  readonly memory: SharedArrayBuffer;
  /** Number of bytes in use. */
  readonly size: number;
  readonly entries: number;
}

/** Offsets in the head: the id is a double, each length an integer of 32 bits. */
const ENTRY = { keyLength: 8, markupLength: 12, head: 16 };
/** Reserved address space; the memory is allocated as a block grows. */
const MOST_BYTES = 2 ** 31;
const GROW_BYTES = 1 << 20;
/** More bytes than a block can have. */
const STRIDE = 2 ** 40;

export class MemoWriter {
  readonly #memory = new SharedArrayBuffer(0, { maxByteLength: MOST_BYTES });
  #bytes = Buffer.from(this.#memory);
  #size = 0;
  #entries = 0;

  add(id: number, key: string, markup: string): void {
    const most = this.#size + ENTRY.head + (key.length + markup.length) * BYTES_PER_UNIT;
    if (most > this.#bytes.length) {
      this.#memory.grow(most + GROW_BYTES);
      this.#bytes = Buffer.from(this.#memory);
    }
    const bytes = this.#bytes;
    const start = this.#size + ENTRY.head;
    const keyLength = bytes.write(key, start);
    const markupLength = bytes.write(markup, start + keyLength);
    bytes.writeDoubleLE(id, this.#size);
    bytes.writeUInt32LE(keyLength, this.#size + ENTRY.keyLength);
    bytes.writeUInt32LE(markupLength, this.#size + ENTRY.markupLength);
    this.#size = start + keyLength + markupLength;
    this.#entries++;
  }

  get block(): MemoBlock {
    return { memory: this.#memory, size: this.#size, entries: this.#entries };
  }
}

/** Finds components in some blocks. For an id in two blocks, the later block wins. */
export class Memo {
  readonly #blocks: readonly Buffer[];
  /** Start of the entry of each id: index of the block times `STRIDE`, plus the offset in the block. */
  readonly #starts = new Map<number, number>();

  constructor(blocks: readonly MemoBlock[]) {
    this.#blocks = blocks.map(({ memory, size }) => Buffer.from(memory, 0, size));
    for (const [index, bytes] of this.#blocks.entries()) {
      for (let at = 0; at < bytes.length; at = entryIn(bytes, at).end) {
        this.#starts.set(bytes.readDoubleLE(at), index * STRIDE + at);
      }
    }
  }

  has(id: number, key: string): boolean {
    const entry = this.#entryOf(id);
    return entry?.bytes.toString("utf8", entry.key, entry.markup) === key;
  }

  find(id: number): Uint8Array | undefined {
    const entry = this.#entryOf(id);
    return entry?.bytes.subarray(entry.markup, entry.end);
  }

  #entryOf(id: number) {
    const start = this.#starts.get(id);
    if (start === undefined) return undefined;
    const bytes = this.#blocks[Math.floor(start / STRIDE)];
    return bytes === undefined ? undefined : { bytes, ...entryIn(bytes, start % STRIDE) };
  }
}

/** Offsets of the parts of an entry, and of its end. */
function entryIn(bytes: Buffer, at: number): { key: number; markup: number; end: number } {
  const key = at + ENTRY.head;
  const markup = key + bytes.readUInt32LE(at + ENTRY.keyLength);
  return { key, markup, end: markup + bytes.readUInt32LE(at + ENTRY.markupLength) };
}

interface Head {
  /** Digest of the bundle that rendered the blocks. */
  readonly bundle: string;
  /** CRC-32 of everything after the head. */
  readonly checksum: number;
  readonly entries: number;
}

const HEAD_BYTES = 256;

/** Writes blocks atomically: a head in JSON, and their bytes one after another. */
export function saveBlocks(file: string, bundle: string, blocks: readonly MemoBlock[]): void {
  const bytes = blocks.map(({ memory, size }) => new Uint8Array(memory, 0, size));
  const head: Head = {
    bundle,
    checksum: bytes.reduce((sum, each) => crc32(each, sum), 0),
    entries: blocks.reduce((sum, { entries }) => sum + entries, 0),
  };
  atomicWrite(file, (to) => {
    writeFileSync(to, JSON.stringify(head).padEnd(HEAD_BYTES));
    for (const each of bytes) writeFileSync(to, each);
  });
}

/** The components of an earlier build of this bundle, as one block; null if the file is missing or damaged. */
export function loadBlock(path: string, bundle: string): MemoBlock | null {
  let file;
  try {
    file = openSync(path, "r");
    const text = Buffer.alloc(HEAD_BYTES);
    readSync(file, text);
    const head = JSON.parse(text.toString()) as Head;
    if (head.bundle !== bundle) return null;
    // Reads directly into shared memory, without a copy.
    const memory = new SharedArrayBuffer(fstatSync(file).size - HEAD_BYTES);
    const bytes = new Uint8Array(memory);
    for (let offset = 0, got = 1; got > 0; offset += got) got = readSync(file, bytes, { offset });
    if (crc32(bytes) !== head.checksum) return null;
    return { memory, size: bytes.length, entries: head.entries };
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT")
      return null;
    throw asDiskError("read", path, error);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
