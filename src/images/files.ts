/**
 * Files named by their content: a name never means two things, so a file that is there is not written again.
 *
 * The name carries no path and no word of upstream; a size that differs betrays a write that was cut short.
 */
import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { atomicWrite, makeFolder, onDisk, UNFINISHED } from "../files/disk.ts";
import { statOf } from "../files/walk.ts";

/** What our own files look like, whole or not; nothing else in a folder is ever touched. */
const OUR_NAME = RegExp(`^[0-9a-f]{20}\\.(?:avif|webp|png)(?:${RegExp.escape(UNFINISHED)})?$`);

export interface StoredFile {
  readonly name: string;
  readonly bytes: number;
}

export const digest = (content: Uint8Array | string): string => hash("sha256", content);

/** A folder of such files. Each method throws a `DiskError` where the folder cannot be used. */
export class FileStore {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** @param extension without its dot */
  put(content: Uint8Array, extension: string): StoredFile {
    const name = `${digest(content).slice(0, 20)}.${extension}`;
    const file = { name, bytes: content.length };
    if (!this.isIntact(file)) this.#write(name, content);
    return file;
  }

  /** Whether the file is there in its whole length. */
  has({ name, bytes }: StoredFile): boolean {
    return statOf(join(this.folder, name))?.size === bytes;
  }

  /** Whether a file is there as its name says; one that `to` has already was read before. */
  isIntact(file: StoredFile, to?: FileStore): boolean {
    if (!this.has(file)) return false;
    if (to?.has(file) === true) return true;
    const path = join(this.folder, file.name);
    return file.name.startsWith(digest(onDisk("use", path, () => readFileSync(path))).slice(0, 20));
  }

  /** Copies a file from another folder, unless it is here: `dist` may be edited by what comes after us. */
  take(file: StoredFile, from: FileStore): void {
    if (this.has(file)) return;
    const path = join(from.folder, file.name);
    this.#write(
      file.name,
      onDisk("use", path, () => readFileSync(path)),
    );
  }

  /** Removes the store's files that are not wanted, and what a killed run left. @returns how many files it removed */
  keepOnly(wanted: ReadonlySet<string>): number {
    if (!existsSync(this.folder)) return 0;
    return onDisk("use", this.folder, () => {
      const unwanted = readdirSync(this.folder).filter(
        (name) => OUR_NAME.test(name) && !wanted.has(name),
      );
      for (const name of unwanted) rmSync(join(this.folder, name), { force: true });
      return unwanted.filter((name) => !name.endsWith(UNFINISHED)).length;
    });
  }

  #write(name: string, content: Uint8Array): void {
    makeFolder(this.folder);
    atomicWrite(join(this.folder, name), content);
  }
}
