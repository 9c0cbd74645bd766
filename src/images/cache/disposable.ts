/** Opens a database that holds nothing that could not be made again. */
import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DiskError } from "../../contract/errors.ts";

/**
 * Opens a file, and starts over with an empty one where it is damaged.
 *
 * @throws {DiskError} when the disk is full, read-only, or refuses
 */
export function openDisposable<Index>(path: string, open: (path: string) => Index): Index {
  mkdirSync(dirname(path), { recursive: true });
  try {
    return open(path);
  } catch (error) {
    if (!(error instanceof DiskError) || !/damaged|not a database/.test(error.message)) throw error;
    for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
    return open(path);
  }
}
