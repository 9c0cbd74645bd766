/**
 * Components that are rendered once and shown on many pages, as bytes in memory that all threads share.
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
   * A part of everything the component may be asked for, by a key that names all that it shows.
   *
   * @param isKept whether the component is kept for a key; its props are then null
   */
  entries(
    part: Part,
    isKept: (key: string) => boolean,
  ): Iterable<readonly [key: string, props: object | null]>;
  /** Gets the function that looks up the memo; called in a thread before its first page. */
  use(find: (key: string) => Uint8Array | undefined): void;
}

/** Rendered components one after another: key, `END`, markup, `END`. */
export interface MemoBlock {
  readonly memory: SharedArrayBuffer;
  /** Bytes of it that are used. */
  readonly size: number;
  readonly entries: number;
}

/** A byte that no UTF-8 text has. */
const END = 0xff;
/** Memory is given by the page as a block grows; so much is set aside in the address space. */
const MOST_BYTES = 2 ** 31;
const GROW_BYTES = 1 << 20;

/** Gathers a block. */
export class MemoWriter {
  readonly #memory = new SharedArrayBuffer(0, { maxByteLength: MOST_BYTES });
  #bytes = Buffer.from(this.#memory);
  #size = 0;
  #entries = 0;

  add(key: string, markup: string): void {
    const most = this.#size + (key.length + markup.length) * BYTES_PER_UNIT + 2;
    if (most > this.#bytes.length) {
      this.#memory.grow(most + GROW_BYTES);
      this.#bytes = Buffer.from(this.#memory);
    }
    for (const text of [key, markup]) {
      this.#size += this.#bytes.write(text, this.#size);
      this.#bytes[this.#size++] = END;
    }
    this.#entries++;
  }

  get block(): MemoBlock {
    return { memory: this.#memory, size: this.#size, entries: this.#entries };
  }
}

/** Finds what some blocks hold. */
export class Memo {
  readonly #blocks: { readonly bytes: Buffer; readonly starts: Map<string, number> }[] = [];

  add({ memory, size }: MemoBlock): void {
    const bytes = Buffer.from(memory, 0, size);
    const starts = new Map<string, number>();
    for (let at = 0; at < size;) {
      const start = bytes.indexOf(END, at) + 1;
      starts.set(bytes.toString("utf8", at, start - 1), start);
      at = bytes.indexOf(END, start) + 1;
    }
    this.#blocks.push({ bytes, starts });
  }

  has(key: string): boolean {
    return this.#blocks.some(({ starts }) => starts.has(key));
  }

  find(key: string): Uint8Array | undefined {
    for (const { bytes, starts } of this.#blocks) {
      const start = starts.get(key);
      if (start !== undefined) return bytes.subarray(start, bytes.indexOf(END, start));
    }
    return undefined;
  }
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
