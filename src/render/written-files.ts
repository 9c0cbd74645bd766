/**
 * What lies in the output folder and from what it was made: the memory from one build to the next.
 *
 * A file is recorded once it is whole. One that a killed build wrote has another size or date than its record, and is
 * made again. Changes are remembered until a build completes, so that its list also names what a killed build before it
 * had written already.
 */
import { lstatSync, mkdirSync } from "node:fs";
import { join, relative } from "node:path";
import { Database } from "../sqlite/database.ts";

export type Change = "added" | "changed" | "removed";

export interface FileRecord {
  /** What the file was made from: the keys of bundle and page, or the digest of its bytes. */
  readonly key: string;
  /** In bytes. */
  readonly size: number;
  /** When it was written, in whole seconds: what archives keep of it. */
  readonly mtime: number;
  /** Since the last build that completed; null for none. */
  readonly change: Change | null;
}

export interface NewRecord extends Omit<FileRecord, "change"> {
  /** From the output folder. */
  readonly file: string;
  /** Whether the bytes in the folder are others than before this build. */
  readonly written: boolean;
}

const VERSION = 1;

export class WrittenFiles {
  readonly #database: Database;
  readonly #outDir: string;
  /** Every file, as it was when this was opened. */
  readonly records: ReadonlyMap<string, FileRecord>;

  /**
   * @param outDir the folder described; the memory begins anew when it was another
   * @throws {DiskError} when the file cannot be read or written
   */
  constructor(stateDir: string, outDir: string) {
    mkdirSync(stateDir, { recursive: true });
    this.#outDir = outDir;
    this.#database = new Database(join(stateDir, "output.sqlite"));
    this.#prepare(relative(stateDir, outDir));
    this.records = new Map(
      Array.from(
        this.#database.tuples<readonly [string, string, number, number, Change | null]>(
          "SELECT file, key, size, mtime, change FROM files",
        ),
        ([file, key, size, mtime, change]) => [file, { key, size, mtime, change }],
      ),
    );
  }

  /** Whether a file was made from this and is in the folder as it was recorded. */
  isCurrent(file: string, key: string): boolean {
    return this.records.get(file)?.key === key && this.isAsRecorded(file);
  }

  /** Size and date are believed. */
  isAsRecorded(file: string): boolean {
    const record = this.records.get(file);
    if (record === undefined || record.change === "removed") return false;
    const there = lstatSync(join(this.#outDir, file), { throwIfNoEntry: false });
    return (
      there?.isFile() === true &&
      there.size === record.size &&
      Math.floor(there.mtimeMs / 1_000) === record.mtime
    );
  }

  record(files: readonly NewRecord[]): void {
    this.#database.transaction(() => {
      for (const record of files) {
        const { file, key, size, mtime } = record;
        this.#database.run(
          "INSERT OR REPLACE INTO files (file, key, size, mtime, change) VALUES (?, ?, ?, ?, ?)",
          ...[file, key, size, mtime, this.#changeOf(record)],
        );
      }
    });
  }

  /**
   * Notes that files are gone. One that no completed build ever had leaves no trace; one without a record was in the folder
   * before, and counts as removed.
   */
  remove(files: Iterable<string>): void {
    this.#database.transaction(() => {
      for (const file of files) {
        const record = this.records.get(file);
        if (record === undefined) {
          this.#database.run("INSERT OR REPLACE INTO files VALUES (?, '', 0, 0, 'removed')", file);
          continue;
        }
        const sql =
          record.change === "added"
            ? "DELETE FROM files WHERE file = ?"
            : "UPDATE files SET change = 'removed' WHERE file = ?";
        this.#database.run(sql, file);
      }
    });
  }

  /** Everything that changed since the last completed build, by file. */
  changes(): Iterable<readonly [file: string, change: Change]> {
    return this.#database.tuples(
      "SELECT file, change FROM files WHERE change IS NOT NULL ORDER BY file",
    );
  }

  /** The build is complete: what changed until now is no longer news. */
  complete(): void {
    this.#database.transaction(() => {
      this.#database.run("DELETE FROM files WHERE change = 'removed'");
      this.#database.run("UPDATE files SET change = NULL WHERE change IS NOT NULL");
    });
  }

  close(): void {
    this.#database.close();
  }

  #changeOf({ file, key, size, mtime, written }: NewRecord): Change | null {
    const before = this.records.get(file);
    if (before === undefined || before.change === "added") return "added";
    if (before.change === "removed") return "changed";
    // Made from the same: the file was missing and is back.
    if (before.key === key) return before.change;
    // Made from something else, it shows no difference; unless a build that was killed wrote it.
    const isSame = !written && size === before.size && mtime === before.mtime;
    return isSame ? before.change : "changed";
  }

  #prepare(folder: string): void {
    const database = this.#database;
    const version = database.get<{ user_version: number }>("PRAGMA user_version")?.user_version;
    const known =
      version === VERSION ? database.get<{ path: string }>("SELECT path FROM folder") : undefined;
    if (known?.path === folder) return;
    database.transaction(() => {
      database.exec(`
        DROP TABLE IF EXISTS files;
        DROP TABLE IF EXISTS folder;
        CREATE TABLE files(
          file TEXT PRIMARY KEY,
          key TEXT NOT NULL,
          size INTEGER NOT NULL,
          mtime INTEGER NOT NULL,
          change TEXT
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE folder(path TEXT NOT NULL) STRICT;
        PRAGMA user_version = ${VERSION};
      `);
      database.run("INSERT INTO folder (path) VALUES (?)", folder);
    });
  }
}
