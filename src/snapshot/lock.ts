/**
 * One live run at most.
 *
 * The lock is a write transaction held open on a file of its own: the kernel drops it when its holder dies, so no
 * stale lock is ever left to be explained away.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DiskError, StateInUse } from "../contract/errors.ts";
import { Database, isDamage } from "../sqlite/database.ts";
import { onDisk } from "./published/pointer.ts";

export interface Lock {
  release(): void;
}

/**
 * @throws {StateInUse} when another run holds it
 * @throws {DiskError} when the state folder cannot be written
 */
export function takeLock(stateDir: string): Lock {
  onDisk(stateDir, () => mkdirSync(stateDir, { recursive: true }));
  const database = openLock(join(stateDir, "lock"));
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
  return { release: () => database.close() };
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
