/**
 * Locks a state folder, so that at most one run uses it at a time.
 *
 * The lock is an open write transaction on a file of its own. The kernel releases it when its holder dies, so a lock is
 * never stale.
 */
import { basename, dirname, join } from "node:path";
import { DiskError, StateInUse } from "../contract/errors.ts";
import { makeFolder } from "../files/disk.ts";
import { refuseLinksIn } from "../files/folders.ts";
import { openDisposable } from "../sqlite/disposable.ts";

/** One lock for runs that change the snapshots, and one for runs that build a site from them. */
const LOCK_FILES = { snapshots: "lock", site: "site.lock" } as const;

/**
 * @throws {StateInUse} when another run holds it
 * @throws {DiskError} when the state folder cannot be written, or an entry of it is a link
 */
export function takeLock(stateDir: string, of: keyof typeof LOCK_FILES = "snapshots"): Disposable {
  makeFolder(stateDir);
  refuseLinksIn(stateDir);
  return lockFile(join(stateDir, LOCK_FILES[of]), `${stateDir}: another run is using it`);
}

/**
 * Locks an output folder, by a file beside it: builds of two states would remove each other's files in it.
 *
 * @param outDir without links
 * @returns null where the folder above cannot be written; then two states can write there at the same time
 * @throws {StateInUse} when another run makes a site there
 */
export function takeOutputLock(outDir: string): Disposable | null {
  const file = join(dirname(outDir), `.${basename(outDir)}.commonplace-lock`);
  try {
    return lockFile(file, `--out ${outDir}: another run is making a site there`);
  } catch (error) {
    if (error instanceof DiskError) return null;
    throw error;
  }
}

/** @param busy what is in use, and by whom */
function lockFile(file: string, busy: string): Disposable {
  const database = openDisposable(file, "");
  try {
    database.exec("PRAGMA busy_timeout = 0");
    database.exec("BEGIN IMMEDIATE");
  } catch (error) {
    database.close();
    if (error instanceof DiskError && error.message.includes("in use")) {
      throw new StateInUse(`Cannot use ${busy}`, { cause: error });
    }
    throw error;
  }
  return database;
}
