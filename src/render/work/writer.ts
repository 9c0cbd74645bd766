/**
 * Puts pages on disk: pieces into one buffer, the buffer into the file, and nothing at all where the file already says
 * the same.
 *
 * Everything is synchronous: each thread has a core to itself, and a promise costs more than creating a file does.
 */
import { hash } from "node:crypto";
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  rmSync,
  utimesSync,
  writeSync,
  type Stats,
} from "node:fs";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { Folders } from "../../files/folders.ts";
import type { Fragments } from "../fragments/fragments.ts";
import type { Piece } from "../inside/types.ts";
import { readWhole } from "../read-whole.ts";
import { BlockBuilder } from "../recipes/block.ts";

export interface Written {
  readonly written: boolean;
  readonly size: number;
  /** In whole seconds. */
  readonly mtime: number;
  /** Of the bytes, where one was asked for. */
  readonly digest: string | null;
  /** CRC-32 of the page. */
  readonly checksum: number;
  /** Of the page in the batch's recipes; null where it has none. */
  readonly place: number | null;
}

/** The page as it was. */
export interface Before {
  /** Seconds to date a lost file back to, or null for now. */
  readonly mtime: number | null;
  /** For a page that no key says anything of: it is dated back only where its bytes have this digest. */
  readonly digest: string | null;
}

/** Room for a page; grows when one is larger. */
const FIRST_BUFFER_BYTES = 1 << 20;

/** A UTF-16 code unit is at most this many bytes in UTF-8. */
const BYTES_PER_UNIT = 3;

export class Writer {
  readonly #outDir: string;
  readonly #fragments: Fragments;
  readonly #fresh: boolean;
  readonly #folders: Folders;
  readonly #recipes = new BlockBuilder();
  #page = Buffer.allocUnsafeSlow(FIRST_BUFFER_BYTES);
  #there = Buffer.allocUnsafeSlow(FIRST_BUFFER_BYTES);

  /** @param fresh the folder was empty when the build began */
  constructor(outDir: string, fragments: Fragments, fresh: boolean) {
    this.#fresh = fresh;
    this.#outDir = outDir;
    this.#folders = new Folders(outDir);
    this.#fragments = fragments;
  }

  /** @param file from the output folder */
  write(file: string, pieces: readonly Piece[], before: Before): Written {
    const size = this.#assemble(pieces);
    const page = this.#page.subarray(0, size);
    const digest = before.digest === null ? null : hash("sha256", page, "hex");
    // Without a key nobody knows what the page is before it is rendered.
    const place = digest === null ? this.#recipes.endPage() : this.#recipes.dropPage();
    const told = { size, digest, place, checksum: place === null ? 0 : crc32(page) };
    const mtime = digest === before.digest ? before.mtime : null;
    const path = join(this.#outDir, file);
    const folder = dirname(file);
    if (!this.#fresh) this.#folders.check(folder);
    let there = this.#fresh ? undefined : lstatSync(path, { throwIfNoEntry: false });
    if (there !== undefined && !there.isFile()) {
      // A link or a folder of somebody else's: what it leads to is not ours to write to.
      rmSync(path, { recursive: true });
      there = undefined;
    }
    if (there?.size === size && this.#says(path, size)) {
      return { ...told, written: false, mtime: Math.floor(there.mtimeMs / 1_000) };
    }
    if (there === undefined) this.#folders.make(folder);
    return { ...told, written: true, mtime: this.#put(path, size, there, mtime) };
  }

  /** What the pages since the last call were put together from. */
  takeRecipes(): Uint8Array<ArrayBuffer> | null {
    return this.#recipes.take();
  }

  #assemble(pieces: readonly Piece[]): number {
    let end = 0;
    let textStart = 0;
    for (const piece of pieces) {
      if (typeof piece === "string") {
        this.#reserve(end, piece.length * BYTES_PER_UNIT);
        end += this.#page.write(piece, end);
      } else {
        this.#reserve(end, piece.length);
        if (textStart < end) this.#recipes.text(this.#page, textStart, end);
        this.#recipes.fragment(piece.offset, piece.length);
        this.#fragments.read(piece.offset, piece.length, this.#page, end);
        textStart = end += piece.length;
      }
    }
    this.#recipes.text(this.#page, textStart, end);
    return end;
  }

  #reserve(end: number, bytes: number): void {
    if (end + bytes <= this.#page.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#page.length * 2, end + bytes));
    this.#page.copy(larger, 0, 0, end);
    this.#page = larger;
  }

  #says(path: string, size: number): boolean {
    if (this.#there.length < size) this.#there = Buffer.allocUnsafeSlow(size * 2);
    const file = openSync(path, "r");
    try {
      if (!readWhole(file, this.#there, 0, size, 0)) return false;
    } finally {
      closeSync(file);
    }
    return this.#there.compare(this.#page, 0, size, 0, size) === 0;
  }

  /**
   * Writes over what is there and then cuts it to length: a file that is asked for meanwhile is never empty.
   *
   * @returns when the file was written, in seconds
   */
  #put(path: string, size: number, there: Stats | undefined, mtime: number | null): number {
    const file = openSync(path, there === undefined ? "wx" : "r+");
    try {
      let done = 0;
      while (done < size) done += writeSync(file, this.#page, done, size - done, done);
      if (there !== undefined && there.size > size) ftruncateSync(file, size);
      if (mtime === null) return Math.floor(fstatSync(file).mtimeMs / 1_000);
    } finally {
      closeSync(file);
    }
    // By its name: Node's permission model lets nobody date an open file.
    utimesSync(path, mtime, mtime);
    return mtime;
  }
}
