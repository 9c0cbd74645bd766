/**
 * What lies in the output folder, and from what it was made: the render stage's memory from one build to the next.
 *
 * A file is distrusted before it is written and trusted after, so a killed build leaves none that claims to be
 * current and is not. Changes are remembered until a build completes, so that its list also names what a killed build
 * before it had already written.
 */
import { mkdirSync } from "node:fs";
import { join, relative } from "node:path";
import { Database } from "../../sqlite/database.ts";
import { columnsOf, RECIPES_SCHEMA, RecipeRows, type RecipePlace } from "./recipe-rows.ts";

export const CHANGE = { none: 0, added: 1, changed: 2, removed: 3 } as const;
export type Change = (typeof CHANGE)[keyof typeof CHANGE];

export interface Entry {
  /** What the file was last made from. */
  readonly key: string;
  /** 0 while it is being written, and after it was removed. */
  readonly trusted: 0 | 1;
  readonly size: number;
  /** When it was written, in whole seconds: what archives keep of it. */
  readonly mtime: number;
  /** Since the last build that completed. */
  readonly change: Change;
}

export interface WrittenFile {
  readonly path: string;
  readonly key: string;
  readonly size: number;
  readonly mtime: number;
  /** Whether the bytes in the folder are others than before. */
  readonly written: boolean;
  /** What it is put together from; null where that was not kept. */
  readonly recipe: RecipePlace | null;
}

const VERSION = 2;

const FACTS = "path, key, trusted, size, mtime, change";
const RECORD = `
  INSERT OR REPLACE INTO files (${FACTS}, block, place, share, checksum)
  VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, ?)`;

const FORGOTTEN = `INSERT OR REPLACE INTO files (${FACTS}) VALUES (?, '', 0, 0, 0, ${CHANGE.removed})`;

export class Ledger {
  readonly #database: Database;
  readonly recipes: RecipeRows;
  #entries: Map<string, Entry> | undefined;

  /** @param outDir the folder described; the ledger begins anew when it was another */
  constructor(stateDir: string, outDir: string) {
    mkdirSync(stateDir, { recursive: true });
    this.#database = new Database(join(stateDir, "pages.sqlite"));
    this.#prepare(relative(stateDir, outDir));
    this.recipes = new RecipeRows(this.#database);
  }

  /** Every file, as it was when this was first asked for. */
  get entries(): ReadonlyMap<string, Entry> {
    return (this.#entries ??= this.#read());
  }

  /** Takes the word back for these files, before they are touched. */
  distrust(paths: Iterable<string>): void {
    this.#database.transaction(() => {
      for (const path of paths) {
        if (this.entries.has(path)) {
          this.#database.run("UPDATE files SET trusted = 0 WHERE path = ?", path);
        }
      }
    });
  }

  record(files: readonly WrittenFile[]): void {
    this.#database.transaction(() => {
      for (const file of files) {
        const { path, key, size, mtime, written, recipe } = file;
        const change = changeOf(this.entries.get(path), written, key);
        const facts = [path, key, size, mtime, change];
        this.#database.run(RECORD, ...facts, ...columnsOf(recipe));
      }
    });
  }

  /**
   * Remembers that files are gone. One that no completed build ever had leaves no trace; one that nothing was known of was
   * in the folder before.
   */
  remove(paths: Iterable<string>): void {
    this.#database.transaction(() => {
      for (const path of paths) {
        const entry = this.entries.get(path);
        if (entry === undefined) {
          this.#database.run(FORGOTTEN, path);
          continue;
        }
        const sql =
          entry.change === CHANGE.added
            ? "DELETE FROM files WHERE path = ?"
            : `UPDATE files SET trusted = 0, block = NULL, change = ${CHANGE.removed} WHERE path = ?`;
        this.#database.run(sql, path);
      }
    });
  }

  /** Everything that changed since the last completed build, by path. */
  changes(): Iterable<readonly [path: string, change: Change]> {
    return this.#database.tuples("SELECT path, change FROM files WHERE change <> 0 ORDER BY path");
  }

  /** The build is complete: what changed until now is no longer news. */
  complete(): void {
    this.#database.transaction(() => {
      this.#database.run(`DELETE FROM files WHERE change = ${CHANGE.removed}`);
      this.#database.run("UPDATE files SET change = 0 WHERE change <> 0");
    });
  }

  close(): void {
    this.#database.close();
  }

  #read(): Map<string, Entry> {
    const rows = this.#database.tuples<
      readonly [string, Entry["key"], Entry["trusted"], number, number, Change]
    >("SELECT path, key, trusted, size, mtime, change FROM files");
    const entries = new Map<string, Entry>();
    for (const [path, key, trusted, size, mtime, change] of rows) {
      entries.set(path, { key, trusted, size, mtime, change });
    }
    return entries;
  }

  #prepare(folder: string): void {
    const database = this.#database;
    const version = database.get<{ user_version: number }>("PRAGMA user_version")?.user_version;
    const known =
      version === VERSION ? database.get<{ path: string }>("SELECT path FROM folder") : null;
    if (known?.path === folder) return;
    database.transaction(() => {
      database.exec(`
        DROP TABLE IF EXISTS files;
        DROP TABLE IF EXISTS folder;
        CREATE TABLE files(
          path TEXT PRIMARY KEY,
          key TEXT NOT NULL,
          trusted INTEGER NOT NULL,
          size INTEGER NOT NULL,
          mtime INTEGER NOT NULL,
          change INTEGER NOT NULL,
          block INTEGER,
          place INTEGER,
          share INTEGER,
          checksum INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE folder(path TEXT NOT NULL) STRICT;
        ${RECIPES_SCHEMA}
        PRAGMA user_version = ${VERSION};
      `);
      database.run("INSERT INTO folder (path) VALUES (?)", folder);
    });
  }
}

function changeOf(before: Entry | undefined, written: boolean, key: string): Change {
  if (before === undefined) return CHANGE.added;
  if (before.change === CHANGE.removed) return CHANGE.changed;
  // Made from the same, though perhaps written: the file was missing and is back. Made from something else, yet not
  // written: it shows no difference, unless a build that was killed had written it already.
  if (before.key === key || (before.trusted === 1 && !written)) return before.change;
  return before.change === CHANGE.added ? CHANGE.added : CHANGE.changed;
}

/** Stands for the key of a page that names none: it is rendered at every build, and its bytes are its key. */
export const UNKEYED = "";
