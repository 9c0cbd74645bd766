/**
 * Writes pages whose bytes differ from the file.
 *
 * Synchronous: each thread has its own core, and a promise costs more than creating a file.
 */
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import { dirname, join } from "node:path";
import { onDisk } from "../files/disk.ts";
import { Folders } from "../files/folders.ts";
import type { Piece } from "./astro/index.ts";
import { policyTrimmer } from "./page-policy.ts";
import type { NewRecord } from "./written-files.ts";

export interface PageFile extends Pick<NewRecord, "file" | "key"> {
  /** Modification time of the file if it is written, in seconds; null for now. */
  readonly mtime: number | null;
}

/** A UTF-16 code unit is at most this many bytes in UTF-8. */
export const BYTES_PER_UNIT = 3;

export class PageWriter {
  readonly folders: Folders;
  readonly #trim: ReturnType<typeof policyTrimmer> | null;
  #page = Buffer.allocUnsafeSlow(1 << 20);

  /** @param digests those that stay in the policy of each page; null for pages without a policy, or with one that is trimmed already */
  constructor(outDir: string, digests: readonly string[] | null) {
    this.folders = new Folders(outDir);
    this.#trim = digests && policyTrimmer(digests);
  }

  /** @throws {DiskError} when a folder above the file is a link or a file */
  write({ file, key, mtime }: PageFile, pieces: readonly Piece[]): NewRecord {
    const trim = file.endsWith(".html") ? this.#trim : null;
    const bytes = this.#assemble(trim?.(pieces) ?? pieces);
    const { length: size } = bytes;
    const path = join(this.folders.root, file);
    let there = this.folders.check(dirname(file))
      ? lstatSync(path, { throwIfNoEntry: false })
      : undefined;
    if (there !== undefined && !there.isFile()) {
      // A link may lead out of the output folder.
      rmSync(path, { recursive: true });
      there = undefined;
    }
    const isSame = (): boolean => bytes.equals(readFileSync(path));
    if (there?.size === size && onDisk("read", path, isSame)) {
      return { file, key, size, mtime: Math.floor(there.mtimeMs / 1_000), written: false };
    }
    if (there === undefined) this.folders.make(dirname(file));
    const written = onDisk("write", path, () => put(path, bytes, there, mtime));
    return { file, key, size, mtime: written, written: true };
  }

  #assemble(pieces: readonly Piece[]): Buffer {
    const most = pieces.reduce((sum, { length }) => sum + length * BYTES_PER_UNIT, 0);
    if (most > this.#page.length) this.#page = Buffer.allocUnsafeSlow(most * 2);
    let end = 0;
    for (const piece of pieces) {
      if (typeof piece === "string") end += this.#page.write(piece, end);
      else {
        this.#page.set(piece, end);
        end += piece.length;
      }
    }
    return this.#page.subarray(0, end);
  }
}

/**
 * Overwrites a file and then truncates it, so that a server never reads an empty page.
 *
 * @returns its modification time, in seconds
 */
function put(path: string, bytes: Buffer, there: Stats | undefined, mtime: number | null): number {
  const flags = there === undefined ? constants.O_CREAT | constants.O_EXCL : constants.O_NOFOLLOW;
  const file = openSync(path, constants.O_RDWR | flags);
  try {
    writeFileSync(file, bytes);
    if (there !== undefined && there.size > bytes.length) ftruncateSync(file, bytes.length);
    if (mtime === null) return Math.floor(fstatSync(file).mtimeMs / 1_000);
  } finally {
    closeSync(file);
  }
  // By its name: Node's permission model forbids `futimes`.
  utimesSync(path, mtime, mtime);
  return mtime;
}
