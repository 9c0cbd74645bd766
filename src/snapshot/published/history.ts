/** Lists, restores and prunes the snapshots that are kept. */
import { rmSync } from "node:fs";
import { ConfigurationError, DiskError, UsageError } from "../../contract/errors.ts";
import { onDisk } from "../../files/disk.ts";
import type { Database } from "../../sqlite/database.ts";
import { isIntact, listSnapshots, readPointer, snapshotPath, writePointer } from "./pointer.ts";
import { openSnapshot } from "./read.ts";
import { copyWithoutGone } from "./publish.ts";

/** Oldest first. Of a snapshot that cannot be read, `harvest` is null. */
export function listKeptSnapshots(stateDir: string) {
  const current = readPointer(stateDir);
  return listSnapshots(stateDir).map((id) => {
    const known = { id, current: id === current };
    try {
      using snapshot = openSnapshot(stateDir, id);
      const harvest = snapshot.fact("harvest") ?? null;
      return { ...known, quotes: snapshot.count(), harvest };
    } catch (error) {
      // A newer program made it, or it is damaged.
      const isUnreadable = error instanceof DiskError || error instanceof ConfigurationError;
      if (isUnreadable) return { ...known, quotes: 0, harvest: null };
      throw error;
    }
  });
}

/**
 * Publishes an older snapshot again, without quotes that are gone by now.
 *
 * @param now milliseconds since the epoch
 * @returns id of the published snapshot: a new one where quotes are gone by now
 * @throws {UsageError} when there is no such snapshot
 * @throws {DiskError} when it is damaged
 */
export function useSnapshot(stateDir: string, id: string, work: Database, now: number): string {
  if (!listSnapshots(stateDir).includes(id)) {
    throw new UsageError(`Cannot use snapshot ${JSON.stringify(id.slice(0, 60))}: there is none`);
  }
  if (!isIntact(stateDir, id)) {
    throw new DiskError(`Cannot use ${snapshotPath(stateDir, id)}: damaged`);
  }
  const published = copyWithoutGone(stateDir, id, work, now);
  writePointer(stateDir, published);
  return published;
}

/** Removes all snapshots except the `keep` newest and the current one; returns the ids of those removed. */
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
