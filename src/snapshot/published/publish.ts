/**
 * Publishes a draft (docs/walk.md, section 9): VACUUM INTO a temporary name, integrity check, fsync, rename, and then the
 * pointer. A run that is killed before the pointer is written has published nothing.
 */
import { constants, copyFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { DiskError } from "../../contract/errors.ts";
import { syncFolder, UNFINISHED, onDisk } from "../../files/disk.ts";
import { Database } from "../../sqlite/database.ts";
import { upgradeTables } from "../format.ts";
import type { Draft } from "./draft.ts";
import { sealSnapshot, snapshotPath, tidySnapshots, writePointer } from "./pointer.ts";
import { openSnapshot } from "./read.ts";

/**
 * @param pause called between the steps, each of which blocks the event loop; it throws to cancel, and then nothing is
 *   published
 * @returns id of the new snapshot
 */
export async function publish(
  draft: Draft,
  stateDir: string,
  now: number,
  pause: () => Promise<void> = () => Promise.resolve(),
): Promise<string> {
  const target = join(dirname(draft.path), `next${UNFINISHED}`);
  await pause();
  draft.copyTo(target);
  draft.discard();
  await pause();
  checkIntegrity(target);
  await pause();
  const id = sealSnapshot(stateDir, target, now);
  await pause();
  moveIntoPlace(target, stateDir, id);
  writePointer(stateDir, id);
  return id;
}

/**
 * Copies an older snapshot without the quotes that are gone by now; does not change the pointer.
 *
 * @param now milliseconds since the epoch
 * @returns id of the copy; the given id where no quote is gone
 */
export function copyWithoutGone(stateDir: string, id: string, work: Database, now: number): string {
  const gone = findGone(stateDir, id, work);
  if (gone.length === 0) return id;
  const target = join(tidySnapshots(stateDir), `next${UNFINISHED}`);
  onDisk("write", target, () =>
    copyFileSync(snapshotPath(stateDir, id), target, constants.COPYFILE_EXCL),
  );
  {
    using database = new Database(target);
    const keys = JSON.stringify(gone);
    const since = new Date(now).toISOString();
    database.run("DELETE FROM quotes WHERE id IN (SELECT value FROM json_each(?))", keys);
    database.run("INSERT OR IGNORE INTO gone SELECT value, ? FROM json_each(?)", since, keys);
    upgradeTables(database);
    database.run("DELETE FROM facts WHERE key = 'content'");
    // Removes the deleted quotes from the pages of the file, and leaves no file beside it.
    database.exec("VACUUM; PRAGMA journal_mode = DELETE");
  }
  checkIntegrity(target);
  const published = sealSnapshot(stateDir, target, now);
  moveIntoPlace(target, stateDir, published);
  return published;
}

/** Keys of a snapshot's quotes that have a tombstone. */
function findGone(stateDir: string, id: string, work: Database): number[] {
  using snapshot = openSnapshot(stateDir, id);
  const host = snapshot.fact("source")?.host ?? null;
  return work
    .column<number>("SELECT id FROM tombstones WHERE host = ? ORDER BY id", host)
    .filter((quote) => snapshot.quote(quote) !== undefined);
}

function checkIntegrity(path: string): void {
  using database = new Database(path, { readOnly: true });
  const [verdict = "no verdict"] = database.column<string>("PRAGMA integrity_check");
  if (verdict !== "ok") throw new DiskError(`Cannot publish ${path}: ${verdict}`);
}

function moveIntoPlace(target: string, stateDir: string, id: string): void {
  const path = snapshotPath(stateDir, id);
  onDisk("write", path, () => {
    renameSync(target, path);
    syncFolder(dirname(path));
  });
}
