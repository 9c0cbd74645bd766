/** Databases that hold nothing that could not be made again. */
import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { Database, isDamage } from "./database.ts";

/**
 * Opens such a database, and starts over with an empty one where it is damaged.
 *
 * @throws {DiskError} when the disk is full, read-only, or refuses
 */
export function openDisposable(path: string): Database {
  mkdirSync(dirname(path), { recursive: true });
  let database: Database | undefined;
  try {
    database = new Database(path);
    const check = database.get<{ quick_check: string }>("PRAGMA quick_check");
    if (check?.quick_check === "ok") return database;
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  database?.close();
  for (const ending of ["", "-wal", "-shm"]) rmSync(path + ending, { force: true });
  return new Database(path);
}
