/**
 * A state that was damaged is set aside, never trusted and never deleted: what is published falls back to the snapshot
 * before, what was being read is read again.
 */
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DiskError } from "../contract/errors.ts";
import { onDisk } from "../files/disk.ts";
import type { PublishedSnapshot } from "./published/published-snapshot.ts";
import type { Database } from "../sqlite/database.ts";
import { isSound } from "./published/history.ts";
import {
  listSnapshots,
  readPointer,
  snapshotPath,
  tidySnapshots,
  writePointer,
} from "./published/pointer.ts";
import { withoutGone } from "./published/without-gone.ts";
import { openPublished } from "./published/read.ts";
import { openWork, WORK_FILE } from "./work/work.ts";

export interface Recovered<T> {
  readonly value: T;
  /** What was set aside, a line each. */
  readonly remarks: readonly string[];
}

const ASIDE = ".damaged";

/**
 * The published snapshot after a quick check; the newest sound one before it where it fails, without what is gone since.
 *
 * @param now milliseconds since the epoch
 */
export function openTrusted(
  stateDir: string,
  work: Database,
  now: number,
): Recovered<PublishedSnapshot | null> {
  tidySnapshots(stateDir);
  const remarks: string[] = [];
  const pointed = pointedTo(stateDir, remarks);
  const before = pointed === null ? newestSound(stateDir, remarks) : null;
  if (before !== null) writePointer(stateDir, withoutGone(stateDir, before, work, now));
  if (pointed === null && before === null)
    onDisk("write", stateDir, () => rmSync(join(stateDir, "current"), { force: true }));
  return { value: openPublished(stateDir), remarks };
}

/** The working database, made anew where it is damaged. */
export function openTrustedWork(stateDir: string): Recovered<Database> {
  const path = join(stateDir, WORK_FILE);
  if (!existsSync(path)) return { value: openWork(stateDir), remarks: [] };
  try {
    const database = openWork(stateDir);
    const check = database.get<{ quick_check: string }>("PRAGMA quick_check(1)");
    if (check?.quick_check === "ok") return { value: database, remarks: [] };
    database.close();
  } catch (error) {
    const damaged = error instanceof DiskError && /: (damaged|not a database)$/.test(error.message);
    if (!damaged) throw error;
  }
  for (const suffix of ["-wal", "-shm", ""]) {
    if (existsSync(path + suffix))
      onDisk("write", path, () => renameSync(path + suffix, path + suffix + ASIDE));
  }
  return {
    value: openWork(stateDir),
    remarks: [`${WORK_FILE} was damaged and is set aside as ${WORK_FILE}${ASIDE}`],
  };
}

/** What the pointer names, if that is sound; a damaged one is set aside. */
function pointedTo(stateDir: string, remarks: string[]): string | null {
  let id: string | null;
  try {
    id = readPointer(stateDir);
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    remarks.push("the pointer to the published snapshot was damaged");
    return null;
  }
  return id !== null && soundOrAside(stateDir, id, remarks) ? id : null;
}

function newestSound(stateDir: string, remarks: string[]): string | null {
  // Without a pointer and without a remark nothing was ever published: a stray snapshot is no reason to begin.
  if (remarks.length === 0) return null;
  return listSnapshots(stateDir).findLast((id) => soundOrAside(stateDir, id, remarks)) ?? null;
}

function soundOrAside(stateDir: string, id: string, remarks: string[]): boolean {
  const path = snapshotPath(stateDir, id);
  if (existsSync(path) && isSound(path)) return true;
  if (existsSync(path)) onDisk("write", path, () => renameSync(path, path + ASIDE));
  remarks.push(`snapshot ${id} was missing or damaged and is not used`);
  return false;
}
