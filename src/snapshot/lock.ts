/**
 * Allows one live run at most.
 *
 * The lock is an open write transaction on a file of its own. The kernel releases it when its holder dies, so a lock is
 * never stale.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DiskError, StateInUse } from "../contract/errors.ts";
import { onDisk } from "../files/disk.ts";
import { refuseLinksIn } from "../files/folders.ts";
import { Database, isDamage } from "../sqlite/database.ts";

export interface Lock extends Disposable {
  release(): void;
}

/** Lock files: one for runs that change the snapshots, one for runs that make a site of them. */
const LOCK_FILES = { snapshots: "lock", site: "site.lock" } as const;

/**
 * @throws {StateInUse} when another run holds it
 * @throws {DiskError} when the state folder cannot be written, or an entry of it is a link
 */
export function takeLock(stateDir: string, of: keyof typeof LOCK_FILES = "snapshots"): Lock {
  onDisk("write", stateDir, () => mkdirSync(stateDir, { recursive: true }));
  refuseLinksIn(stateDir);
  const database = openLock(join(stateDir, LOCK_FILES[of]));
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
  const release = (): void => database.close();
  return { release, [Symbol.dispose]: release };
}

/** Opens the lock file; creates it anew when it is damaged, since it holds no data. */
function openLock(path: string): Database {
  try {
    return new Database(path);
  } catch (error) {
    if (!isDamage(error)) throw error;
    for (const suffix of ["-wal", "-shm", ""]) rmSync(path + suffix, { force: true });
    return new Database(path);
  }
}
