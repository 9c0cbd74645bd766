/**
 * Locks a state folder, so that at most one run uses it at a time.
 *
 * The lock is an open write transaction on a file of its own. The kernel releases it when its holder dies, so a lock is
 * never stale.
 */
import { join } from "node:path";
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
  const database = openDisposable(join(stateDir, LOCK_FILES[of]), "");
  try {
    database.exec("PRAGMA busy_timeout = 0");
    database.exec("BEGIN IMMEDIATE");
  } catch (error) {
    database.close();
    if (error instanceof DiskError && error.message.includes("in use")) {
      throw new StateInUse(`Cannot use ${stateDir}: another run is using it`, { cause: error });
    }
    throw error;
  }
  return database;
}
