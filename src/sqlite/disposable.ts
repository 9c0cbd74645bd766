/** Databases that hold nothing that could not be made again. */
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { Database, isDamage } from "./database.ts";

/**
 * Opens such a database, and starts over with an empty one where it is damaged or of another version.
 *
 * @param schema statements that make what is missing
 * @param version kept as SQLite's `user_version`; 0 for none
 * @throws {DiskError} when the disk is full, read-only, or refuses
 */
export function openDisposable(path: string, schema: string, version = 0): Database {
  mkdirSync(dirname(path), { recursive: true });
  const kept = openWhole(path, version);
  const database = kept ?? openAnew(path);
  database.exec(schema);
  // Last: a database that was left without its tables has none.
  if (kept === null) database.exec(`PRAGMA user_version = ${version}`);
  return database;
}

/** Such a database for reading; null where it is missing, damaged or of another version. */
export function readDisposable(path: string, version = 0): Database | null {
  return existsSync(path) ? openWhole(path, version, true) : null;
}

/** Null where the file is empty, damaged or of another version. */
function openWhole(path: string, version: number, readOnly = false): Database | null {
  let database: Database | undefined;
  try {
    database = new Database(path, { readOnly });
    if (database.version === version && database.isWhole()) return database;
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  database?.close();
  return null;
}

function openAnew(path: string): Database {
  for (const ending of ["", "-wal", "-shm"]) rmSync(path + ending, { force: true });
  return new Database(path);
}
