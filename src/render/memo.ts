/**
 * Components that are rendered once and shown on many pages, by number, as bytes in memory that all threads share.
 *
 * Each thread renders a part of what is missing into a block of its own; when all are done, every thread is handed every
 * block. Blocks are kept in a file of the state folder from build to build.
 */
import { closeSync, fstatSync, openSync, readSync, writeFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { atomicWrite, asDiskError } from "../files/disk.ts";
import type { Part } from "../contract/work.ts";
import type { Component } from "./astro-internals.ts";
import { BYTES_PER_UNIT } from "./page-writer.ts";

/** What a project's module of memoised components exports; `memo` of the integration names the file. */
export interface MemoModule {
  /** A compiled `.astro` file. */
  readonly component: Component;
  /**
   * A part of everything the component may be asked for: its id, a key that names all that it shows, and its props.
   *
   * @param isKept whether the component is kept for an id and a key; its props are then null
   */
  entries(
    part: Part,
    isKept: (id: number, key: string) => boolean,
  ): Iterable<readonly [id: number, key: string, props: object | null]>;
  /** Gets the function that looks up the memo; called once in each thread, before its first page. */
  use(find: (id: number) => Uint8Array | undefined): void;
}

/** Rendered components one after another: a head of the id and the two lengths in bytes, the key, the markup. */
export interface MemoBlock {
  readonly memory: SharedArrayBuffer;
  /** Bytes of it that are used. */
  readonly size: number;
  readonly entries: number;
}

/** The id is a double, each length a whole number of 32 bits. */
const ENTRY = { keyLength: 8, markupLength: 12, head: 16 };
/** Memory is given by the page as a block grows; so much is set aside in the address space. */
const MOST_BYTES = 2 ** 31;
const GROW_BYTES = 1 << 20;
/** More than a file of blocks has. */
const STRIDE = 2 ** 40;

/** Gathers a block. */
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

/** Finds what some blocks hold; of an id that two of them have, what the later block does. */
export class Memo {
  readonly #blocks: readonly Buffer[];
  /** By id, where its entry starts, counted as if each block before it had `STRIDE` bytes. */
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

/** Where the parts of an entry start, and where it ends. */
function entryIn(bytes: Buffer, at: number): { key: number; markup: number; end: number } {
  const key = at + ENTRY.head;
  const markup = key + bytes.readUInt32LE(at + ENTRY.keyLength);
  return { key, markup, end: markup + bytes.readUInt32LE(at + ENTRY.markupLength) };
}

interface Head {
  /** Digest of the bundle that rendered the blocks. */
  readonly bundle: string;
  /** CRC-32 of all that follows. */
  readonly checksum: number;
  readonly entries: number;
}

const HEAD_BYTES = 256;

/** Writes blocks, whole or not at all: a line of JSON, and their bytes one after another. */
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

/** What this bundle rendered in an earlier build, as one block; null when there is no such file, or it is damaged. */
export function loadBlock(path: string, bundle: string): MemoBlock | null {
  let file;
  try {
    file = openSync(path, "r");
    const text = Buffer.alloc(HEAD_BYTES);
    readSync(file, text);
    const head = JSON.parse(text.toString()) as Head;
    if (head.bundle !== bundle) return null;
    // Read into the memory that threads share: a copy would be as large again.
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
