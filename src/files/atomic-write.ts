/**
 * Atomic write: a file is replaced whole or not at all.
 *
 * The new content goes to a temporary name in the same folder, which is made with O_EXCL: a link that waits under that name
 * is removed and never written through.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { onDisk } from "./disk.ts";

/** Ending of the temporary name; such a file is left behind only by a process that was killed. */
export const UNFINISHED = ".unfinished";

export interface AtomicWriteOptions {
  /** Whether file and rename must survive a power cut. Default false. */
  readonly durable?: boolean;
}

/**
 * Replaces a file. The caller holds a lock where two processes may write it at the same time.
 *
 * @param content the whole content, or a function that writes it to an open file descriptor
 * @throws {DiskError} when it cannot be written; the file is then as it was
 */
export function atomicWrite(
  path: string,
  content: string | Uint8Array | ((file: number) => void),
  { durable = false }: AtomicWriteOptions = {},
): void {
  onDisk("write", path, () => {
    const temporary = path + UNFINISHED;
    const file = openExclusive(temporary);
    try {
      if (typeof content === "function") content(file);
      else writeFileSync(file, content);
      if (durable) fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
    if (durable) syncFolder(dirname(path));
  });
}

/** Opens a new file for writing; whatever has its name, also a link, is removed first. */
export function openExclusive(path: string): number {
  rmSync(path, { force: true });
  return openSync(path, "wx");
}

/** After this a rename in the folder survives a power cut. */
export function syncFolder(folder: string): void {
  // Windows cannot open a folder; it orders its renames itself.
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
