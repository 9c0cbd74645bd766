/**
 * What each page showed last time, and since which day.
 *
 * The table outlives the plan, which is made anew for every snapshot: without it every date of the sitemap would change
 * each night.
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

export class WrittenPages {
  readonly #db: Database;

  /** @throws {DiskError} when the file cannot be read or written */
  constructor(stateDir: string) {
    this.#db = openDisposable(join(stateDir, "written.sqlite"));
    this.#db.exec(SCHEMA);
  }

  /**
   * Notes which pages the site has now, and the day for those that show something else than before.
   *
   * @param pages all pages of the site
   * @param day `YYYY-MM-DD`
   */
  note(pages: Iterable<{ readonly path: string; readonly cacheKey: string }>, day: string): void {
    const before = new Map(
      this.#db.tuples<readonly [string, string]>("SELECT path, cache_key FROM pages"),
    );
    this.#db.transaction(() => {
      for (const { path, cacheKey } of pages) {
        if (before.get(path) !== cacheKey) {
          this.#db.run("INSERT OR REPLACE INTO pages VALUES (?, ?, ?)", path, cacheKey, day);
        }
        before.delete(path);
      }
      for (const path of before.keys()) this.#db.run("DELETE FROM pages WHERE path = ?", path);
    });
  }

  /** The day since which a page shows what it shows, `YYYY-MM-DD`; undefined for a page that was never noted. */
  changedOn(path: string): string | undefined {
    const sql = "SELECT changed FROM pages WHERE path = ?";
    return this.#db.get<{ changed: string }>(sql, path)?.changed;
  }

  close(): void {
    this.#db.close();
  }
}
