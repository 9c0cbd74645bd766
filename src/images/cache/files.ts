/**
 * Files named by their content: a name never means two things, so a file that is there is not written again.
 *
 * The name carries no path and no word of upstream; a size that differs betrays a write that was cut short.
 */
import { createHash } from "node:crypto";
import { constants, type Dirent } from "node:fs";
import { copyFile, mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DiskError } from "../../contract/errors.ts";

/** What our own files look like; nothing else in a folder is ever touched. */
const OUR_NAME = /^[0-9a-f]{20}\.(?:avif|webp|png)$/;
const OUR_TEMPORARY = /^\.[0-9a-f]{20}\.(?:avif|webp|png)\.\d+-\d+\.tmp$/;

/** Fails where something has the name already, as a link that waits for it. */
const EXCLUSIVE_CLONE = constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL;

/** Two lanes may write one file at a time, each under a name of its own. */
let writes = 0;

export interface StoredFile {
  readonly name: string;
  readonly bytes: number;
}

export function digest(content: Uint8Array | string): string {
  return createHash("sha256").update(content).digest("hex");
}

export class FileStore {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** @param extension without its dot */
  async put(content: Uint8Array, extension: string): Promise<StoredFile> {
    const file = {
      name: `${digest(content).slice(0, 20)}.${extension}`,
      bytes: content.length,
    };
    if (await this.has(file)) return file;
    await this.#write(file.name, (temporary) => writeFile(temporary, content, { flag: "wx" }));
    return file;
  }

  /** Whether the file is there in its whole length. */
  async has(file: StoredFile): Promise<boolean> {
    return (await this.#size(file.name)) === file.bytes;
  }

  /** Takes a file over from another folder, unless it is here. A copy: `dist` may be edited by what comes after us. */
  async take(file: StoredFile, from: FileStore): Promise<void> {
    if (await this.has(file)) return;
    await this.#write(file.name, (temporary) =>
      copyFile(join(from.folder, file.name), temporary, EXCLUSIVE_CLONE),
    );
  }

  /** Removes what is ours and not wanted, and what a killed run left. @returns how many of our files went */
  async keepOnly(wanted: ReadonlySet<string>): Promise<number> {
    let removed = 0;
    for (const { name } of await this.#list()) {
      const orphan = OUR_NAME.test(name) && !wanted.has(name);
      if (!orphan && !OUR_TEMPORARY.test(name)) continue;
      await rm(join(this.folder, name), { force: true });
      if (orphan) removed++;
    }
    return removed;
  }

  async #list(): Promise<Dirent[]> {
    try {
      return await readdir(this.folder, { withFileTypes: true });
    } catch (error) {
      if (isMissing(error)) return [];
      throw asDiskError(this.folder, error);
    }
  }

  async #size(name: string): Promise<number | null> {
    try {
      return (await stat(join(this.folder, name))).size;
    } catch (error) {
      if (isMissing(error)) return null;
      throw asDiskError(join(this.folder, name), error);
    }
  }

  async #write(name: string, fill: (temporary: string) => Promise<void>): Promise<void> {
    const temporary = join(this.folder, `.${name}.${process.pid}-${++writes}.tmp`);
    try {
      await mkdir(this.folder, { recursive: true });
      await fill(temporary);
      await rename(temporary, join(this.folder, name));
    } catch (error) {
      throw asDiskError(join(this.folder, name), error);
    }
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

function asDiskError(path: string, error: unknown): DiskError {
  const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
  return new DiskError(`Cannot use ${path}: ${reason}`, { cause: error });
}
