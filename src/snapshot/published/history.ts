/** The snapshots that are kept: to look at, to go back to, to clear away. */
import { rmSync } from "node:fs";
import { DiskError, UsageError } from "../../contract/errors.ts";
import type { HarvestFact } from "../../contract/harvest-result.ts";
import { onDisk } from "../../files/disk.ts";
import type { Database } from "../../sqlite/database.ts";

import { isWhole, listSnapshots, readPointer, snapshotPath, writePointer } from "./pointer.ts";
import { openSnapshot } from "./read.ts";
import { withoutGone } from "./publish.ts";

export interface KeptSnapshot {
  readonly id: string;
  readonly current: boolean;
  readonly quotes: number;
  /** Null where the snapshot cannot be read. */
  readonly harvest: HarvestFact | null;
}

/** Oldest first. */
export function keptSnapshots(stateDir: string): KeptSnapshot[] {
  const current = readPointer(stateDir);
  return listSnapshots(stateDir).map((id) => {
    const known = { id, current: id === current };
    try {
      const snapshot = openSnapshot(snapshotPath(stateDir, id), id);
      const harvest = snapshot.fact<HarvestFact>("harvest") ?? null;
      const described = { ...known, quotes: snapshot.count(), harvest };
      snapshot.close();
      return described;
    } catch (error) {
      if (error instanceof DiskError) return { ...known, quotes: 0, harvest: null };
      throw error;
    }
  });
}

/**
 * Publishes an older snapshot again, without what was found gone since.
 *
 * @param now milliseconds since the epoch
 * @returns the id of what is published: another where quotes are gone since
 * @throws {UsageError} when there is no such snapshot
 * @throws {DiskError} when it is damaged
 */
export function useSnapshot(stateDir: string, id: string, work: Database, now: number): string {
  if (!listSnapshots(stateDir).includes(id)) {
    throw new UsageError(`Cannot use snapshot ${JSON.stringify(id.slice(0, 60))}: there is none`);
  }
  if (!isWhole(stateDir, id)) {
    throw new DiskError(`Cannot use ${snapshotPath(stateDir, id)}: damaged`);
  }
  const published = withoutGone(stateDir, id, work, now);
  writePointer(stateDir, published);
  return published;
}

/**
 * Removes all but the newest snapshots and the current one.
 *
 * @returns ids of what was removed
 */
export function pruneSnapshots(stateDir: string, keep: number): string[] {
  const current = readPointer(stateDir);
  const old = listSnapshots(stateDir)
    .slice(0, -keep)
    .filter((id) => id !== current);
  for (const id of old) {
    const path = snapshotPath(stateDir, id);
    onDisk("write", path, () => rmSync(path));
  }
  return old;
}
