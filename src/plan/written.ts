/**
 * What the site showed last time, one row for each page: what it was made from, since which day, and its file.
 *
 * The table outlives the plan, which is made anew for every snapshot: without it every page would be written, and every
 * date of the sitemap would change, each night.
 */
import { join } from "node:path";
import { Database } from "../sqlite/database.ts";

/** A file of the output folder. */
export interface WrittenFile {
  /** Address of the page, without the base path: `/tag/love/2/`. */
  readonly path: string;
  /** What the file was made from: the page's cache key with that of the bundle and of the settings. */
  readonly fileKey: string;
  /** In bytes. */
  readonly size: number;
  /** When it was written, in whole seconds since the epoch. */
  readonly mtime: number;
}

/** A row has a cache key once the page was planned, and a file key while its file is known to be whole. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS pages (
    path TEXT PRIMARY KEY,
    cache_key TEXT,
    changed TEXT,
    file_key TEXT,
    size INTEGER,
    mtime INTEGER
  ) STRICT, WITHOUT ROWID`;

const NOTE = `
  INSERT INTO pages (path, cache_key, changed) VALUES (?1, ?2, ?3)
  ON CONFLICT DO UPDATE SET cache_key = ?2, changed = ?3`;

const RECORD = `
  INSERT INTO pages (path, file_key, size, mtime) VALUES (?1, ?2, ?3, ?4)
  ON CONFLICT DO UPDATE SET file_key = ?2, size = ?3, mtime = ?4`;

export class WrittenPages {
  readonly #db: Database;

  /** @throws {DiskError} when the file cannot be read or written */
  constructor(stateDir: string) {
    this.#db = new Database(join(stateDir, "written.sqlite"));
    this.#db.exec(SCHEMA);
  }

  /**
   * Notes which pages the site has now, and the day for those that show something else than before.
   *
   * @param pages all pages of the site
   * @param day `YYYY-MM-DD`
   */
  note(pages: Iterable<{ readonly path: string; readonly cacheKey: string }>, day: string): void {
    const before = new Map<string, string>();
    const rows = this.#db.tuples<readonly [string, string]>(
      "SELECT path, cache_key FROM pages WHERE cache_key IS NOT NULL",
    );
    for (const [path, cacheKey] of rows) before.set(path, cacheKey);
    this.#db.transaction(() => {
      for (const { path, cacheKey } of pages) {
        if (before.get(path) !== cacheKey) this.#db.run(NOTE, path, cacheKey, day);
        before.delete(path);
      }
      for (const path of before.keys()) {
        this.#db.run("UPDATE pages SET cache_key = NULL, changed = NULL WHERE path = ?", path);
      }
      this.#db.run("DELETE FROM pages WHERE cache_key IS NULL AND file_key IS NULL");
    });
  }

  /** The day since which a page shows what it shows, `YYYY-MM-DD`; undefined for a page that was never noted. */
  changedOn(path: string): string | undefined {
    const row = this.#db.get<{ changed: string | null }>(
      "SELECT changed FROM pages WHERE path = ?",
      path,
    );
    return row?.changed ?? undefined;
  }

  /** Every file that is known to be whole. */
  files(): Iterable<WrittenFile> {
    return this.#db.each<WrittenFile>(
      "SELECT path, file_key AS fileKey, size, mtime FROM pages WHERE file_key IS NOT NULL",
    );
  }

  /** Records files once they are whole on the disk. */
  record(files: Iterable<WrittenFile>): void {
    this.#db.transaction(() => {
      for (const { path, fileKey, size, mtime } of files) {
        this.#db.run(RECORD, path, fileKey, size, mtime);
      }
    });
  }

  /** Forgets files before they are written again or removed: after a crash, they count as damaged. */
  forget(paths: Iterable<string>): void {
    this.#db.transaction(() => {
      for (const path of paths) {
        this.#db.run(
          "UPDATE pages SET file_key = NULL, size = NULL, mtime = NULL WHERE path = ?",
          path,
        );
      }
    });
  }

  close(): void {
    this.#db.close();
  }
}
