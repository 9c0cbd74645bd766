/**
 * Files named by a digest of their content, so that an existing file is never written again. A file of another size is an
 * incomplete write.
 */
import { hash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { parseJson } from "../contract/decode.ts";
import { atomicWrite, makeFolder, onDisk, UNFINISHED } from "../files/disk.ts";

/** Names of the store's files, complete or not; other files of the folder are never touched. */
const STORED_NAME = RegExp(`^[0-9a-f]{20}\\.(?:avif|webp|png)(?:${RegExp.escape(UNFINISHED)})?$`);

/** In the folder of a cache: the files of the site that only pages of the build before show. */
export const HELD_FILE = "held.json";

/** Of the last call; empty where the file is missing or damaged. */
function readHeld(path: string): ReadonlySet<string> {
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  return new Set(z.array(z.string()).safeParse(parseJson(text)).data ?? []);
}

export interface StoredFile {
  readonly name: string;
  readonly bytes: number;
}

export const digest = (content: Uint8Array | string): string => hash("sha256", content);

/** Each method throws a `DiskError` where the folder cannot be used. */
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

  /** Whether the file exists, has its full length, and is not a link. */
  has({ name, bytes }: StoredFile): boolean {
    const path = join(this.folder, name);
    const stats = onDisk("use", path, () => lstatSync(path, { throwIfNoEntry: false }));
    return stats?.isFile() === true && stats.size === bytes;
  }

  /** Whether the content matches the name. A file that was copied to `to` is not read again. */
  isIntact(file: StoredFile, to?: FileStore): boolean {
    if (!this.has(file)) return false;
    if (to?.has(file) === true) return true;
    return file.name.startsWith(digest(this.#read(file.name)).slice(0, 20));
  }

  /** Copies a file from another store, unless it is here. It is no hard link: other programs may edit the site. */
  take(file: StoredFile, from: FileStore): void {
    if (this.has(file)) return;
    this.#write(file.name, from.#read(file.name));
  }

  /**
   * Removes other files of the store, and incomplete ones.
   *
   * @param heldFile lists the files that stay until the next call: pages from before, of a proxy or the back button, still ask
   *   for them. Without it none stay
   * @returns the number of complete files that no page shows any more, each once
   */
  keepOnly(wanted: ReadonlySet<string>, heldFile?: string): number {
    if (!existsSync(this.folder)) return 0;
    return onDisk("use", this.folder, () => {
      const unwanted = readdirSync(this.folder).filter(
        (name) => STORED_NAME.test(name) && !wanted.has(name),
      );
      const before = heldFile === undefined ? null : readHeld(heldFile);
      const held = unwanted.filter(
        (name) => before?.has(name) === false && !name.endsWith(UNFINISHED),
      );
      if (heldFile !== undefined) makeFolder(dirname(heldFile));
      if (heldFile !== undefined) atomicWrite(heldFile, `${JSON.stringify(held)}\n`);
      const gone = unwanted.filter((name) => !held.includes(name));
      for (const name of gone) rmSync(join(this.folder, name), { force: true });
      return unwanted.filter((name) => before?.has(name) !== true && !name.endsWith(UNFINISHED))
        .length;
    });
  }

  #read(name: string): Buffer {
    const path = join(this.folder, name);
    return onDisk("use", path, () => readFileSync(path));
  }

  #write(name: string, content: Uint8Array): void {
    makeFolder(this.folder);
    atomicWrite(join(this.folder, name), content);
  }
}
