/**
 * Puts pages on disk: pieces into one buffer, the buffer into the file, and nothing at all where the file already says the
 * same.
 *
 * Everything is synchronous: each thread has a core to itself, and a promise costs more than creating a file does.
 */
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  utimesSync,
  writeSync,
  type Stats,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Piece } from "./astro-internals.ts";

export interface PageFile {
  /** From the output folder. */
  readonly file: string;
  /** Date to give the file when it is written, in seconds; null for now. */
  readonly mtime: number | null;
}

export interface Written {
  /** Whether the bytes in the folder are others than before. */
  readonly written: boolean;
  /** In bytes. */
  readonly size: number;
  /** In whole seconds. */
  readonly mtime: number;
}

const FIRST_BYTES = 1 << 20;
/** A UTF-16 code unit is at most this many bytes in UTF-8. */
const BYTES_PER_UNIT = 3;

export class PageWriter {
  readonly #outDir: string;
  readonly #folders = new Set<string>();
  #page = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #there = Buffer.allocUnsafeSlow(FIRST_BYTES);

  constructor(outDir: string) {
    this.#outDir = outDir;
  }

  write({ file, mtime }: PageFile, pieces: readonly Piece[]): Written {
    const size = this.#assemble(pieces);
    const path = join(this.#outDir, file);
    let there = lstatSync(path, { throwIfNoEntry: false });
    if (there !== undefined && !there.isFile()) {
      // What a link leads to is outside of the output folder.
      rmSync(path, { recursive: true });
      there = undefined;
    }
    if (there?.size === size && this.#says(path, size)) {
      return { written: false, size, mtime: Math.floor(there.mtimeMs / 1_000) };
    }
    if (there === undefined) this.#makeFolder(dirname(path));
    return { written: true, size, mtime: this.#put(path, size, there, mtime) };
  }

  #assemble(pieces: readonly Piece[]): number {
    let end = 0;
    for (const piece of pieces) {
      const most = end + piece.length * (typeof piece === "string" ? BYTES_PER_UNIT : 1);
      if (most > this.#page.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(this.#page.length * 2, most));
        this.#page.copy(larger, 0, 0, end);
        this.#page = larger;
      }
      if (typeof piece === "string") end += this.#page.write(piece, end);
      else {
        this.#page.set(piece, end);
        end += piece.length;
      }
    }
    return end;
  }

  /** Makes a folder once: another thread may make the same one meanwhile. */
  #makeFolder(folder: string): void {
    if (this.#folders.has(folder)) return;
    if (folder.length > this.#outDir.length) this.#makeFolder(dirname(folder));
    try {
      mkdirSync(folder);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") mkdirSync(folder, { recursive: true });
      else if (code !== "EEXIST") throw error;
    }
    this.#folders.add(folder);
  }

  #says(path: string, size: number): boolean {
    if (this.#there.length < size) this.#there = Buffer.allocUnsafeSlow(size * 2);
    const file = openSync(path, "r");
    try {
      for (let done = 0; done < size;) {
        const got = readSync(file, this.#there, done, size - done, done);
        if (got === 0) return false;
        done += got;
      }
    } finally {
      closeSync(file);
    }
    return this.#there.compare(this.#page, 0, size, 0, size) === 0;
  }

  /**
   * Writes over what is there and then cuts it to length: a page that is asked for meanwhile is never empty.
   *
   * @returns when the file was written, in seconds
   */
  #put(path: string, size: number, there: Stats | undefined, mtime: number | null): number {
    const flags = there === undefined ? constants.O_CREAT | constants.O_EXCL : constants.O_NOFOLLOW;
    const file = openSync(path, constants.O_RDWR | flags);
    try {
      for (let done = 0; done < size;) {
        done += writeSync(file, this.#page, done, size - done, done);
      }
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
