/**
 * Since when each page shows what it shows: the day on which its digest was last another.
 *
 * It outlives the catalogue, which is made anew for every snapshot: a sitemap that called every page new each night
 * would soon be believed by nobody.
 */
import { join } from "node:path";
import { Database } from "../sqlite/database.ts";

export interface PageState {
  readonly path: string;
  readonly digest: string;
}

const SCHEMA = `CREATE TABLE IF NOT EXISTS pages (path TEXT PRIMARY KEY, digest TEXT NOT NULL,
  day TEXT NOT NULL) STRICT, WITHOUT ROWID`;

interface Row extends PageState {
  readonly day: string;
}

const fileIn = (stateDir: string): string => join(stateDir, "last-changed.sqlite");

/**
 * Notes which pages changed, came and went.
 *
 * @param day `YYYY-MM-DD`
 * @throws {DiskError} when the file cannot be written
 */
export function noteChanges(stateDir: string, pages: Iterable<PageState>, day: string): void {
  const db = new Database(fileIn(stateDir));
  try {
    db.exec(SCHEMA);
    const gone = new Map<string, string>();
    for (const { path, digest } of db.each<Row>("SELECT path, digest, day FROM pages")) {
      gone.set(path, digest);
    }
    db.transaction(() => {
      for (const { path, digest } of pages) {
        const before = gone.get(path);
        gone.delete(path);
        if (before === digest) continue;
        db.run("INSERT OR REPLACE INTO pages VALUES (?, ?, ?)", path, digest, day);
      }
      for (const path of gone.keys()) db.run("DELETE FROM pages WHERE path = ?", path);
    });
  } finally {
    db.close();
  }
}

/** Reads the days while pages are made. */
export class LastChanged {
  readonly #db: Database;

  /** @throws {DiskError} when nothing was ever noted */
  constructor(stateDir: string) {
    this.#db = new Database(fileIn(stateDir), { readOnly: true });
  }

  /** `YYYY-MM-DD`; undefined for a page that was never noted. */
  dayOf(path: string): string | undefined {
    return this.#db.get<{ day: string }>("SELECT day FROM pages WHERE path = ?", path)?.day;
  }

  close(): void {
    this.#db.close();
  }
}
