/** Turns errors of the file system into a `DiskError` with path and code, and writes files atomically. */
import {
  existsSync,
  mkdirSync,
  closeSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { DiskError } from "../contract/errors.ts";

/** Codes of Windows for a file that another program holds open. */
const HELD = new Set(["EACCES", "EBUSY", "EPERM"]);

/** Virus scanners, indexers and editors hold a file for moments. */
const HELD_MS = 2_000;

const LONGEST_PAUSE_MS = 200;

const pause = new Int32Array(new SharedArrayBuffer(4));

/**
 * Runs `work`, which uses a path. On Windows `work` runs again, for two seconds, while another program holds the file.
 *
 * @param action verb of the message, as in "Cannot write PATH: ENOSPC"
 * @throws {DiskError} in place of an error of the file system; any other error is thrown as it is
 */
export function onDisk<T>(
  action: "read" | "use" | "write",
  path: string,
  work: () => T,
  platform: NodeJS.Platform = process.platform,
): T {
  const until = performance.now() + (platform === "win32" ? HELD_MS : 0);
  for (let waitMs = 10; ; waitMs = Math.min(waitMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return work();
    } catch (error) {
      if (!HELD.has(codeOf(error)) || performance.now() >= until) {
        throw asDiskError(action, path, error, platform);
      }
    }
    Atomics.wait(pause, 0, 0, waitMs);
  }
}

/**
 * Makes a folder and its parents. Node's recursive `mkdir` never returns where the system refuses with ENOENT below a
 * folder that exists, as in `/proc`.
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
      // Another process may have made it: shards share a parent folder.
      if (!existsSync(path)) throw error;
    }
  });
}

/** Converts a caught error as `onDisk` does. */
export function asDiskError(
  action: "read" | "use" | "write",
  path: string,
  error: unknown,
  platform: NodeJS.Platform = process.platform,
): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (!("code" in error && "syscall" in error)) return error;
  return new DiskError(`Cannot ${action} ${path}: ${explainCode(codeOf(error), platform)}`, {
    cause: error,
  });
}

/** Adds to a code what it means where that is not a fault of the disk. */
export function explainCode(code: string, platform: NodeJS.Platform = process.platform): string {
  const isHeld = code === "EBUSY" || (platform === "win32" && HELD.has(code));
  return isHeld ? `${code}, another program holds it` : code;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Ending of temporary names; only a killed process leaves such a file behind. */
export const UNFINISHED = ".unfinished";

const DAY_MS = 86_400_000;

/** Whether a killed process left a file or folder with a temporary name; one that another process is writing is younger. */
export function isStray(path: string): boolean {
  const { mtimeMs = Infinity } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return mtimeMs < Date.now() - DAY_MS;
}

/**
 * Replaces a file atomically. Where two processes may write it at the same time, the caller must hold a lock.
 *
 * @param content the whole content, or a function that writes it to an open file descriptor
 * @param options `durable` where file and rename must survive a power cut
 * @throws {DiskError} when it cannot be written; the file is then unchanged
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

/** Opens a new file for writing, after removing a file or link of that name. */
export function openExclusive(path: string): number {
  rmSync(path, { force: true });
  return openSync(path, "wx");
}

/** Makes the renames in a folder survive a power cut. */
export function syncFolder(folder: string): void {
  // Windows cannot open a folder, and writes renames in order by itself.
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
