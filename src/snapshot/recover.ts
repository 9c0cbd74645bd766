/**
 * A state that was damaged is set aside, never trusted and never deleted: what is published falls back to the snapshot
 * before, what was being read is read again.
 */
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DiskError } from "../contract/errors.ts";
import { onDisk } from "../files/disk.ts";
import { isDamage, type Database } from "../sqlite/database.ts";
import {
  isWhole,
  listSnapshots,
  readPointer,
  snapshotPath,
  tidySnapshots,
  writePointer,
} from "./published/pointer.ts";
import { withoutGone } from "./published/publish.ts";
import { openPublished, type PublishedSnapshot } from "./published/read.ts";
import { takeLock } from "./lock.ts";
import { openWork, WORK_FILE } from "./work/work.ts";

export interface Recovered<T> {
  readonly value: T;
  /** What was set aside, a line each. */
  readonly remarks: readonly string[];
}

const ASIDE = ".damaged";

/**
 * The published snapshot, if it has the bytes that it was published with; else the newest that has, without what is gone
 * since.
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
  const isTrusted = (id: string): boolean => {
    if (isWhole(stateDir, id)) return true;
    setAside(snapshotPath(stateDir, id));
    remarks.push(`snapshot ${id} was missing or damaged and is not used`);
    return false;
  };
  const pointed = pointedTo(stateDir, remarks);
  if (pointed === null || !isTrusted(pointed)) {
    const newest = listSnapshots(stateDir).findLast(isTrusted);
    if (newest === undefined) {
      onDisk("write", stateDir, () => rmSync(join(stateDir, "current"), { force: true }));
    } else {
      if (remarks.length === 0) remarks.push("the pointer to the published snapshot was missing");
      remarks.push(`snapshot ${newest}, the newest whole one, is published again`);
      writePointer(stateDir, withoutGone(stateDir, newest, work, now));
    }
  }
  return { value: openPublished(stateDir), remarks };
}

/**
 * The same before a site is made without a harvest. The lock is taken only where something is wrong.
 *
 * @returns what was set aside and what takes its place, a line each
 */
export function recoverPublished(stateDir: string, now: number): readonly string[] {
  if (listSnapshots(stateDir).length === 0) return [];
  const pointed = pointedTo(stateDir, []);
  if (pointed !== null && isWhole(stateDir, pointed)) return [];
  const lock = takeLock(stateDir);
  let work: Recovered<Database> | undefined;
  try {
    work = openTrustedWork(stateDir);
    const { value, remarks } = openTrusted(stateDir, work.value, now);
    value?.close();
    return [...work.remarks, ...remarks];
  } finally {
    work?.value.close();
    lock.release();
  }
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
    if (!isDamage(error)) throw error;
  }
  for (const suffix of ["-wal", "-shm", ""]) setAside(path + suffix);
  return {
    value: openWork(stateDir),
    remarks: [`${WORK_FILE} was damaged and is set aside as ${WORK_FILE}${ASIDE}`],
  };
}

/** What the pointer names; null where there is none, or a damaged one. */
function pointedTo(stateDir: string, remarks: string[]): string | null {
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
