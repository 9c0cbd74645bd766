/**
 * Components that are rendered once and shown on many pages, as bytes in memory that all threads share.
 *
 * Each thread renders a part of what is missing into a block of its own; when all are done, every thread is handed every
 * block. Blocks are kept in a file of the state folder from build to build.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import type { Part } from "../contract/part.ts";
import type { Component } from "./astro-internals.ts";

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
  /** Told how to find what is kept; called in a thread before its first page. */
  use(find: (key: string) => Uint8Array | undefined): void;
}

/** Rendered components: their keys, as JSON; where each ends, in bytes; their markup, one after another. */
export interface MemoBlock {
  readonly keys: SharedArrayBuffer;
  readonly ends: SharedArrayBuffer;
  readonly markup: SharedArrayBuffer;
}

const FIRST_BYTES = 1 << 20;
/** A UTF-16 code unit is at most this many bytes in UTF-8. */
const BYTES_PER_UNIT = 3;

/** Gathers a block. */
export class MemoWriter {
  readonly #keys: string[] = [];
  readonly #ends: number[] = [];
  #markup = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #end = 0;

  add(key: string, markup: string): void {
    const most = this.#end + markup.length * BYTES_PER_UNIT;
    if (most > this.#markup.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(this.#markup.length * 2, most));
      this.#markup.copy(larger, 0, 0, this.#end);
      this.#markup = larger;
    }
    this.#end += this.#markup.write(markup, this.#end);
    this.#keys.push(key);
    this.#ends.push(this.#end);
  }

  block(): MemoBlock {
    return {
      keys: shared(Buffer.from(JSON.stringify(this.#keys))),
      ends: shared(new Uint8Array(Uint32Array.from(this.#ends).buffer)),
      markup: shared(this.#markup.subarray(0, this.#end)),
    };
  }
}

function shared(bytes: Uint8Array): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  return buffer;
}

/** Finds what some blocks hold. */
export class Memo {
  readonly #blocks: {
    readonly first: number;
    readonly ends: Uint32Array;
    readonly markup: SharedArrayBuffer;
  }[] = [];
  /** Place of each key, counted through all blocks: a number costs less memory than what it leads to. */
  readonly #places = new Map<string, number>();

  constructor(blocks: readonly MemoBlock[]) {
    let place = 0;
    for (const { keys, ends, markup } of blocks) {
      this.#blocks.push({ first: place, ends: new Uint32Array(ends), markup });
      const names = JSON.parse(Buffer.from(keys).toString()) as string[];
      for (const name of names) this.#places.set(name, place++);
    }
  }

  has(key: string): boolean {
    return this.#places.has(key);
  }

  find(key: string): Uint8Array | undefined {
    const place = this.#places.get(key);
    if (place === undefined) return undefined;
    const block = this.#blocks.findLast(({ first }) => first <= place);
    if (block === undefined) return undefined;
    const { first, ends, markup } = block;
    const start = place === first ? 0 : (ends[place - first - 1] ?? 0);
    return new Uint8Array(markup, start, (ends[place - first] ?? start) - start);
  }
}

const PARTS = ["keys", "ends", "markup"] as const;

interface Head {
  /** Digest of the bundle that rendered the blocks. */
  readonly bundle: string;
  /** CRC-32 of all that follows. */
  readonly checksum: number;
  /** Bytes of keys, ends and markup of each block. */
  readonly lengths: readonly number[];
}

/** Writes blocks, whole or not at all: a line of JSON, and their bytes one after another. */
export function saveBlocks(file: string, bundle: string, blocks: readonly MemoBlock[]): void {
  const bytes = blocks.flatMap((block) => PARTS.map((part) => new Uint8Array(block[part])));
  const head: Head = {
    bundle,
    checksum: bytes.reduce((sum, each) => crc32(each, sum), 0),
    lengths: bytes.map(({ length }) => length),
  };
  const unfinished = `${file}.unfinished`;
  writeFileSync(unfinished, `${JSON.stringify(head)}\n`);
  for (const each of bytes) writeFileSync(unfinished, each, { flag: "a" });
  renameSync(unfinished, file);
}

/** The blocks that this bundle rendered in an earlier build; none when there is no such file, or it is damaged. */
export function loadBlocks(file: string, bundle: string): MemoBlock[] {
  try {
    const bytes = readFileSync(file);
    const start = bytes.indexOf("\n") + 1;
    const head = JSON.parse(bytes.toString("utf8", 0, start)) as Head;
    if (head.bundle !== bundle || head.checksum !== crc32(bytes.subarray(start))) return [];
    let at = start;
    const parts = head.lengths.map((length) => shared(bytes.subarray(at, (at += length))));
    return Array.from({ length: parts.length / PARTS.length }, (_, block) => {
      const [keys, ends, markup] = parts.slice(block * PARTS.length);
      if (keys === undefined || ends === undefined || markup === undefined) throw new SyntaxError();
      return { keys, ends, markup };
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    if (!(error instanceof SyntaxError)) throw error;
    rmSync(file);
    return [];
  }
}
