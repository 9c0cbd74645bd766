/** Turns an error of the file system into a `DiskError` that names the path and the code. */
import { existsSync, mkdirSync } from "node:fs";
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
