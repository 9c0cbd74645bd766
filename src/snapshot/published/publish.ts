/**
 * From a draft to a published snapshot (docs/walk.md, section 9): VACUUM INTO a temporary name, an integrity check, fsync,
 * rename, and then the pointer. Killed anywhere before the pointer, nothing has happened.
 */
import { constants, copyFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { DiskError } from "../../contract/errors.ts";
import type { SourceFact } from "../../contract/harvest-result.ts";
import { syncFolder, UNFINISHED } from "../../files/atomic-write.ts";
import { onDisk } from "../../files/disk.ts";
import { Database } from "../../sqlite/database.ts";
import { tombstonesOf } from "../work/run.ts";
import type { Draft } from "./draft.ts";
import { sealedId, snapshotPath, writePointer } from "./pointer.ts";
import { openSnapshot } from "./read.ts";

/**
 * Publishes a draft and gives the new snapshot's id.
 *
 * @param pause called between the steps, each of which holds the process for as long as a large file takes; throws to
 *   stop, and then nothing is published
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
  check(target);
  await pause();
  const id = sealedId(target, now);
  await pause();
  keep(target, stateDir, id);
  writePointer(stateDir, id);
  return id;
}

/**
 * A snapshot of before that is to be published again, without the quotes that were found gone since.
 *
 * @param now milliseconds since the epoch
 * @returns the id of a snapshot without them, which nothing points to yet: the same where it holds none
 */
export function withoutGone(stateDir: string, id: string, work: Database, now: number): string {
  const path = snapshotPath(stateDir, id);
  const gone = goneIn(path, id, work);
  if (gone.length === 0) return id;
  const copy = join(dirname(path), `draft${UNFINISHED}`);
  const target = join(dirname(path), `next${UNFINISHED}`);
  onDisk("write", copy, () => {
    rmSync(copy, { force: true });
    copyFileSync(path, copy, constants.COPYFILE_EXCL);
  });
  const database = new Database(copy);
  try {
    const since = new Date(now).toISOString();
    database.transaction(() => {
      for (const quote of gone) {
        database.run("DELETE FROM quotes WHERE id = ?", quote);
        database.run("INSERT INTO gone VALUES (?, ?) ON CONFLICT DO NOTHING", quote, since);
      }
    });
    // A compact copy, in which no page of the file still holds what was deleted.
    database.run("VACUUM INTO ?", target);
  } finally {
    database.close();
    for (const suffix of ["", "-wal", "-shm"]) rmSync(copy + suffix, { force: true });
  }
  check(target);
  const published = sealedId(target, now);
  keep(target, stateDir, published);
  return published;
}

function goneIn(path: string, id: string, work: Database): number[] {
  const snapshot = openSnapshot(path, id);
  try {
    const host = snapshot.fact<SourceFact>("source")?.host;
    if (host === undefined) return [];
    return tombstonesOf(work, host).filter((quote) => snapshot.quote(quote) !== undefined);
  } finally {
    snapshot.close();
  }
}

function check(path: string): void {
  const database = new Database(path, { readOnly: true });
  try {
    const row = database.get<{ integrity_check: string }>("PRAGMA integrity_check");
    const verdict = row?.integrity_check ?? "no verdict";
    if (verdict !== "ok") throw new DiskError(`Cannot publish ${path}: ${verdict}`);
  } finally {
    database.close();
  }
}

function keep(target: string, stateDir: string, id: string): void {
  const path = snapshotPath(stateDir, id);
  onDisk("write", path, () => {
    renameSync(target, path);
    syncFolder(dirname(path));
  });
}
