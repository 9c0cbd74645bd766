/**
 * Stores the cache key of each page and the day on which it last changed, for the sitemap.
 *
 * A file of its own, since the plan is replaced with every snapshot.
 */
import { join } from "node:path";
import type { Database } from "../sqlite/database.ts";
import { openDisposable } from "../sqlite/disposable.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS pages (
    path TEXT PRIMARY KEY,
    cache_key TEXT NOT NULL,
    changed TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`;

/**
 * Stores the keys of all pages of the site, and `day` for those that changed.
 *
 * @param day `YYYY-MM-DD`
 * @throws {DiskError} when the file cannot be read or written
 */
export function recordPages(
  stateDir: string,
  pages: Iterable<{ readonly path: string; readonly cacheKey: string }>,
  day: string,
): void {
  using db = openPages(stateDir);
  const rows = db.tuples<readonly [string, string]>("SELECT path, cache_key FROM pages");
  const before = new Map(rows);
  db.transaction(() => {
    for (const { path, cacheKey } of pages) {
      if (before.get(path) !== cacheKey) {
        db.run("INSERT OR REPLACE INTO pages VALUES (?, ?, ?)", path, cacheKey, day);
      }
      before.delete(path);
    }
    for (const path of before.keys()) db.run("DELETE FROM pages WHERE path = ?", path);
  });
}

/** The day on which each page last changed, `YYYY-MM-DD`, by path. */
export function readChangeDays(stateDir: string): ReadonlyMap<string, string> {
  using db = openPages(stateDir);
  return new Map(db.tuples<readonly [string, string]>("SELECT path, changed FROM pages"));
}

function openPages(stateDir: string): Database {
  return openDisposable(join(stateDir, "written.sqlite"), SCHEMA);
}
