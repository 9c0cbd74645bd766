/**
 * One live run at most.
 *
 * The lock is a write transaction held open on a file of its own: the kernel drops it when its holder dies, so no
 * stale lock is ever left to be explained away.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DiskError, StateInUse } from "../contract/errors.ts";
import { Database } from "../sqlite/database.ts";

export interface Lock {
  release(): void;
}

/**
 * @throws {StateInUse} when another run holds it
 * @throws {DiskError} when the state folder cannot be written
 */
export function takeLock(stateDir: string): Lock {
  makeFolder(stateDir);
  const database = new Database(join(stateDir, "lock"));
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

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw new DiskError(`Cannot make the folder ${path}: ${reason}`, { cause: error });
  }
}
