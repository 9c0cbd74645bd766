/** Turns an error of the file system into a `DiskError` that names the path and the code, and replaces a file whole or not at all. */
import {
  existsSync,
  mkdirSync,
  closeSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { DiskError } from "../contract/errors.ts";

/**
 * Does `work` on a path.
 *
 * @param action verb of the message, as in "Cannot write PATH: ENOSPC"
 * @throws {DiskError} in place of an error of the file system; any other error is thrown as it is
 */
export function onDisk<T>(action: "read" | "use" | "write", path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asDiskError(action, path, error);
  }
}

/**
 * Makes a folder and those above it. The `recursive` of Node's `mkdir` never returns where the system refuses with ENOENT
 * below a folder that exists, as in `/proc`.
 *
 * @throws {DiskError} when it cannot be made
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  onDisk("write", path, () => {
    try {
      mkdirSync(path);
    } catch (error) {
      // Another process may have made it: shards share the folder above theirs.
      if (!existsSync(path)) throw error;
    }
  });
}

/** As `onDisk`, for an error that was caught already. */
export function asDiskError(action: "read" | "use" | "write", path: string, error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (!("code" in error && "syscall" in error)) return error;
  return new DiskError(`Cannot ${action} ${path}: ${String(error.code)}`, { cause: error });
}

/** Ending of the temporary name; such a file is left behind only by a process that was killed. */
export const UNFINISHED = ".unfinished";

/**
 * Replaces a file. The caller holds a lock where two processes may write it at the same time.
 *
 * @param content the whole content, or a function that writes it to an open file descriptor
 * @param options `durable` where file and rename must survive a power cut
 * @throws {DiskError} when it cannot be written; the file is then as it was
 */
export function atomicWrite(
  path: string,
  content: string | Uint8Array | ((file: number) => void),
  { durable = false }: { readonly durable?: boolean } = {},
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
