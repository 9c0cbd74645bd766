/** Opens databases that are caches: their content can be made again. */
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { Database, isDamage } from "./database.ts";

/**
 * Opens a cache; one that is damaged or of another version is replaced by an empty database.
 *
 * @param schema statements that create missing tables
 * @param version stored as SQLite's `user_version`; 0 for none
 * @throws {DiskError} when the disk is full, read-only, or refuses access
 */
export function openDisposable(path: string, schema: string, version = 0): Database {
  mkdirSync(dirname(path), { recursive: true });
  const existing = openWhole(path, version);
  const database = existing ?? replace(path);
  database.exec(schema);
  // Set last: a database without its tables must have no version.
  if (existing === null) database.exec(`PRAGMA user_version = ${version}`);
  return database;
}

/** Opens a cache for reading; null where it is missing, damaged or of another version. */
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

function replace(path: string): Database {
  for (const ending of ["", "-wal", "-shm"]) rmSync(path + ending, { force: true });
  return new Database(path);
}
