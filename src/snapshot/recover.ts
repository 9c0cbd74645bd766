/**
 * Renames damaged state files, deletes none, and continues without them: the newest intact snapshot is published in place
 * of a damaged one, and an interrupted harvest begins anew.
 */
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DiskError } from "../contract/errors.ts";
import { onDisk } from "../files/disk.ts";
import { isDamage, type Database } from "../sqlite/database.ts";
import {
  isIntact,
  listSnapshots,
  readPointer,
  snapshotPath,
  tidySnapshots,
  writePointer,
} from "./published/pointer.ts";
import { copyWithoutGone } from "./published/publish.ts";
import { openPublished, type PublishedSnapshot } from "./published/read.ts";
import { takeLock } from "./lock.ts";
import { openWork, WORK_FILE } from "./work/work.ts";

const ASIDE = ".damaged";

/**
 * Opens the published snapshot if its digest is right; else first publishes the newest intact one, without quotes that are
 * gone by now.
 *
 * @param now milliseconds since the epoch
 * @param remarks gets a line for each damaged file and its replacement
 */
export function openIntact(
  stateDir: string,
  work: Database,
  now: number,
  remarks: string[],
): PublishedSnapshot | null {
  tidySnapshots(stateDir);
  const known = remarks.length;
  const isUsable = (id: string): boolean => {
    if (isIntact(stateDir, id)) return true;
    setAside(snapshotPath(stateDir, id));
    remarks.push(`snapshot ${id} was missing or damaged and is not used`);
    return false;
  };
  const current = readCurrent(stateDir, remarks);
  if (current === null || !isUsable(current)) {
    const newest = listSnapshots(stateDir).findLast(isUsable);
    if (newest === undefined) {
      onDisk("write", stateDir, () => rmSync(join(stateDir, "current"), { force: true }));
    } else {
      if (remarks.length === known)
        remarks.push("the pointer to the published snapshot was missing");
      remarks.push(`snapshot ${newest}, the newest whole one, is published again`);
      writePointer(stateDir, copyWithoutGone(stateDir, newest, work, now));
    }
  }
  return openPublished(stateDir);
}

/**
 * Restores the published snapshot before a site is built without a harvest. Takes the lock only when something is damaged.
 *
 * @returns one line for each damaged file and its replacement
 */
export function recoverPublished(stateDir: string, now: number): readonly string[] {
  if (listSnapshots(stateDir).length === 0) return [];
  const current = readCurrent(stateDir, []);
  if (current !== null && isIntact(stateDir, current)) return [];
  using _lock = takeLock(stateDir);
  const remarks: string[] = [];
  using work = openIntactWork(stateDir, remarks);
  openIntact(stateDir, work, now, remarks)?.close();
  return remarks;
}

/** Opens the working database; a damaged one is renamed and replaced by an empty one. */
export function openIntactWork(stateDir: string, remarks: string[] = []): Database {
  const path = join(stateDir, WORK_FILE);
  try {
    const database = openWork(path);
    if (database.isWhole()) return database;
    database.close();
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  for (const suffix of ["-wal", "-shm", ""]) setAside(path + suffix);
  remarks.push(`${WORK_FILE} was damaged and is set aside as ${WORK_FILE}${ASIDE}`);
  return openWork(path);
}

/** Reads the pointer; null when it is missing or damaged. */
function readCurrent(stateDir: string, remarks: string[]): string | null {
  try {
    return readPointer(stateDir);
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    remarks.push("the pointer to the published snapshot was damaged");
    return null;
  }
}

function setAside(path: string): void {
  if (existsSync(path)) onDisk("write", path, () => renameSync(path, path + ASIDE));
}
