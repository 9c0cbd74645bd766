/**
 * Which snapshot is published: one line in the file `current`, replaced by rename. It is the sole commit point
 * (docs/walk.md, section 9): until it names a snapshot, nothing of that snapshot counts.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DiskError } from "../../contract/errors.ts";

const POINTER = "current";
const FOLDER = "snapshots";
const SUFFIX = ".sqlite";
/** What is being written; left behind only by a run that was killed. */
export const UNFINISHED = ".unfinished";

const ID = /^\d{8}T\d{9}Z-[0-9a-f]{8}$/;

/** Whether a text can be the id of a snapshot: nothing else is ever joined to a path. */
export function isSnapshotId(text: string): boolean {
  return ID.test(text);
}

export function snapshotId(now: number, digest: string): string {
  const stamp = new Date(now).toISOString().replace(/[-:.]/g, "");
  return `${stamp}-${digest.slice(0, 8)}`;
}

export function snapshotPath(stateDir: string, id: string): string {
  return join(stateDir, FOLDER, id + SUFFIX);
}

/** Null when nothing was ever published. */
export function readPointer(stateDir: string): string | null {
  const path = join(stateDir, POINTER);
  if (!existsSync(path)) return null;
  const id = onDisk(path, () => readFileSync(path, "utf8")).trim();
  if (!isSnapshotId(id)) throw new DiskError(`Cannot use ${path}: it names no snapshot`);
  return id;
}

export function writePointer(stateDir: string, id: string): void {
  const path = join(stateDir, POINTER);
  onDisk(path, () => {
    const file = openSync(path + UNFINISHED, "w");
    try {
      writeSync(file, `${id}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(path + UNFINISHED, path);
    syncFolder(stateDir);
  });
}

/** Ids of the snapshots that are kept, oldest first. */
export function listSnapshots(stateDir: string): string[] {
  const folder = join(stateDir, FOLDER);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(SUFFIX))
    .map((name) => name.slice(0, -SUFFIX.length))
    .filter(isSnapshotId)
    .sort();
}

/** Makes the folder of the snapshots and removes what a killed run left in it (docs/walk.md, section 9). */
export function tidySnapshots(stateDir: string): string {
  const folder = join(stateDir, FOLDER);
  onDisk(folder, () => {
    mkdirSync(folder, { recursive: true });
    // A killed VACUUM INTO leaves its target and the target's journal.
    const stray = readdirSync(folder).filter((name) => name.includes(UNFINISHED));
    for (const name of stray) rmSync(join(folder, name), { force: true });
    rmSync(join(stateDir, POINTER + UNFINISHED), { force: true });
  });
  return folder;
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

/** @throws {DiskError} in place of an error of the file system */
export function onDisk<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error && "code" in error)) throw error;
    throw new DiskError(`Cannot use ${path}: ${String(error.code)}`, { cause: error });
  }
}
