/** Which Open Graph image belongs to which page, and from which words and theme it was set. */
import { join } from "node:path";
import type { Database } from "../../sqlite/database.ts";
import { openDisposable, readDisposable } from "../../sqlite/disposable.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS cards(
    key TEXT NOT NULL, shape TEXT NOT NULL, digest TEXT NOT NULL, name TEXT NOT NULL, bytes INTEGER NOT NULL,
    seen INTEGER NOT NULL, PRIMARY KEY(key, shape)) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS byDigest ON cards(digest);`;

const indexPath = (cacheDir: string): string => join(cacheDir, "index-1.sqlite");

/** @throws {DiskError} when the disk is full, read-only, or refuses */
export function openOgIndex(cacheDir: string): Database {
  return openDisposable(indexPath(cacheDir), SCHEMA);
}

/**
 * For pages: the file of each image, by its shape, a blank and the key of its page; none where the index is missing or damaged.
 * Every page asks, and few have an image: a question of SQLite for each took a tenth of a build.
 */
export function readOgNames(cacheDir: string): ReadonlyMap<string, string> {
  using index = readDisposable(indexPath(cacheDir));
  return new Map(index?.tuples<[string, string]>("SELECT shape || ' ' || key, name FROM cards"));
}
