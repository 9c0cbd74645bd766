/**
 * From a draft to a published snapshot (docs/walk.md, section 9): VACUUM INTO a temporary name, an integrity check, fsync,
 * rename, and then the pointer. Killed anywhere before the pointer, nothing has happened.
 */
import { renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { DiskError } from "../../contract/errors.ts";
import { syncFolder, UNFINISHED } from "../../files/atomic-write.ts";
import { onDisk } from "../../files/disk.ts";
import { Database } from "../../sqlite/database.ts";
import { sealedId } from "./digest.ts";
import { Draft } from "./draft.ts";
import { defineAsked, type Asked } from "./gap.ts";
import { snapshotPath, tidySnapshots, writePointer } from "./pointer.ts";

/**
 * @param previous path of the snapshot before; null when there is none
 * @param asked whether a quote of that snapshot is still asked for
 */
export function beginDraft(
  work: Database,
  stateDir: string,
  previous: string | null,
  asked: Asked,
): Draft {
  defineAsked(work, asked);
  return new Draft(work, join(tidySnapshots(stateDir), `draft${UNFINISHED}`), previous);
}

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
  discard(draft);
  await pause();
  check(target);
  await pause();
  const id = sealedId(target, now);
  await pause();
  keep(target, stateDir, id);
  writePointer(stateDir, id);
  return id;
}

/** Makes a snapshot of a finished file, which nothing points to yet. */
export function adopt(target: string, stateDir: string, now: number): string {
  check(target);
  const id = sealedId(target, now);
  keep(target, stateDir, id);
  return id;
}

function keep(target: string, stateDir: string, id: string): void {
  const path = snapshotPath(stateDir, id);
  onDisk("write", path, () => {
    renameSync(target, path);
    syncFolder(dirname(path));
  });
}

export function discard(draft: Draft): void {
  draft.close();
  rmSync(draft.path, { force: true });
}

function check(path: string): void {
  const database = new Database(path, { readOnly: true });
  try {
    const verdict = database.get<{ integrity_check: string }>("PRAGMA integrity_check");
    if (verdict?.integrity_check !== "ok") {
      throw new DiskError(`Cannot publish ${path}: ${verdict?.integrity_check ?? "no verdict"}`);
    }
  } finally {
    database.close();
  }
}
