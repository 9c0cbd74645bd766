/**
 * One live run at most.
 *
 * The lock is a write transaction held open on a file of its own: the kernel drops it when its holder dies, so no
 * stale lock is ever left to be explained away.
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

/** What a run does to the state: it changes the snapshots, or makes a site of one. Each has a lock file of its own. */
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

/** It holds nothing, and a damaged one locks nothing: it is made anew. */
function openLock(path: string): Database {
  try {
    return new Database(path);
  } catch (error) {
    if (!isDamage(error)) throw error;
    for (const suffix of ["-wal", "-shm", ""]) rmSync(path + suffix, { force: true });
    return new Database(path);
  }
}
