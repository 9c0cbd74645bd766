/**
 * The pointer: the file `current` holds the id of the published snapshot and is replaced by rename. It is the sole
 * commit point (docs/walk.md, section 9).
 *
 * An id contains a digest of the snapshot's bytes: a file that changed on disk is not used.
 */
import { existsSync, fsyncSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DiskError } from "../../contract/errors.ts";
import { digestFile } from "../../files/digest-file.ts";
import { atomicWrite, UNFINISHED, onDisk } from "../../files/disk.ts";

const POINTER = "current";
const FOLDER = "snapshots";
const SUFFIX = ".sqlite";

/**
 * Only ids of this form become part of a path: a sequence number, the time in UTC, a digest. Snapshots of version 1 have no
 * number, and come first.
 */
const ID = /^(?:(\d{6,15})-)?\d{8}T\d{9}Z-[0-9a-f]{8}$/;

const numberOf = (id: string): number => Number(ID.exec(id)?.[1] ?? 0);

/** @param number larger than that of every earlier snapshot; clocks may be wrong */
export function snapshotId(number: number, now: number, digest: string): string {
  const stamp = new Date(now).toISOString().replace(/[-:.]/g, "");
  return `${String(number).padStart(6, "0")}-${stamp}-${digest.slice(0, 8)}`;
}

export function snapshotPath(stateDir: string, id: string): string {
  return join(stateDir, FOLDER, id + SUFFIX);
}

/** Reads the id of the published snapshot; null when nothing was ever published. */
export function readPointer(stateDir: string): string | null {
  const path = join(stateDir, POINTER);
  if (!existsSync(path)) return null;
  const id = onDisk("read", path, () => readFileSync(path, "utf8")).trim();
  if (!ID.test(id)) throw new DiskError(`Cannot use ${path}: it names no snapshot`);
  return id;
}

export function writePointer(stateDir: string, id: string): void {
  atomicWrite(join(stateDir, POINTER), `${id}\n`, { durable: true });
}

/** Ids of the snapshots that are kept, oldest first. */
export function listSnapshots(stateDir: string): string[] {
  const folder = join(stateDir, FOLDER);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(SUFFIX))
    .map((name) => name.slice(0, -SUFFIX.length))
    .filter((id) => ID.test(id))
    .sort((a, b) => numberOf(a) - numberOf(b) || (a < b ? -1 : 1));
}

/** Makes the folder of snapshots and removes unfinished files of a killed run. */
export function tidySnapshots(stateDir: string): string {
  const folder = join(stateDir, FOLDER);
  onDisk("use", folder, () => {
    mkdirSync(folder, { recursive: true });
    // A killed VACUUM INTO leaves its target and a journal.
    const stray = readdirSync(folder).filter((name) => name.includes(UNFINISHED));
    for (const name of stray) rmSync(join(folder, name), { force: true });
    rmSync(join(stateDir, POINTER + UNFINISHED), { force: true });
  });
  return folder;
}

/** Forces a finished file to the disk and returns its id. */
export function sealSnapshot(stateDir: string, path: string, now: number): string {
  const digest = onDisk("use", path, () => digestFile(path, "r+", fsyncSync));
  return snapshotId(Math.max(0, ...listSnapshots(stateDir).map(numberOf)) + 1, now, digest);
}

/** Whether a snapshot exists and its bytes have the digest in its id. */
export function isIntact(stateDir: string, id: string): boolean {
  const path = snapshotPath(stateDir, id);
  if (!existsSync(path)) return false;
  const digest = onDisk("read", path, () => digestFile(path));
  return id.endsWith(`-${digest.slice(0, 8)}`);
}
