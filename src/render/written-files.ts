/**
 * The files of the output folder and what each was made from: the memory from one build to the next.
 *
 * A file is recorded once it is whole. One that a killed build wrote has another size or date than its record, and is
 * made again. Changes are remembered until a build after a complete one begins, so that a list also names what a killed or
 * refused build before it had written already.
 */
import { hash } from "node:crypto";
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { crc32 } from "node:zlib";
import { atomicWrite, onDisk } from "../files/disk.ts";
import { Folders } from "../files/folders.ts";
import { filesBelow, type ListedFiles } from "../files/walk.ts";
import { Database } from "../sqlite/database.ts";
import { openDisposable } from "../sqlite/disposable.ts";

export type Change = "added" | "changed" | "removed";
export type ChangeCounts = Readonly<Record<Change, number>>;

export interface FileRecord {
  /** What the file was made from: the keys of bundle and page, or the digest of its bytes. */
  readonly key: string;
  /** In bytes. */
  readonly size: number;
  /** When it was written, in whole seconds: what archives keep of it. */
  readonly mtime: number;
  /** Since the last complete build; null for none. */
  readonly change: Change | null;
}

export interface NewRecord extends Omit<FileRecord, "change"> {
  /** From the output folder. */
  readonly file: string;
  /** Whether the bytes in the folder are others than before this build. */
  readonly written: boolean;
}

/** Raise it when a record comes to mean something else. */
const VERSION = 1;

const RECORDS = "output.sqlite";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS files(
    file TEXT PRIMARY KEY,
    key TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime INTEGER NOT NULL,
    change TEXT
  ) STRICT, WITHOUT ROWID;
  -- Of the other stages: images, the search index, redirects. A render removes none of them.
  CREATE TABLE IF NOT EXISTS others(
    file TEXT PRIMARY KEY,
    digest TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime INTEGER NOT NULL,
    change TEXT
  ) STRICT, WITHOUT ROWID;
  -- Has a row once the build is complete: the next one forgets its changes.
  CREATE TABLE IF NOT EXISTS complete(at INTEGER) STRICT`;

const MARK_COMPLETE = "INSERT INTO complete VALUES (unixepoch())";

export class WrittenFiles {
  readonly #database: Database;
  readonly #stateDir: string;
  readonly #outDir: string;
  /** Every file, as it was when this was opened. */
  readonly records: ReadonlyMap<string, FileRecord>;

  /**
   * @param outDir the folder described; the memory begins anew when it was another
   * @throws {DiskError} when the file cannot be read or written
   */
  constructor(stateDir: string, outDir: string) {
    this.#stateDir = stateDir;
    this.#outDir = outDir;
    const version = crc32(`${VERSION} ${relative(stateDir, outDir)}`) >>> 1;
    this.#database = openDisposable(join(stateDir, RECORDS), SCHEMA, version);
    this.#forgetChanges();
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

  /** When a file was written that was made from the same before, in seconds; null for any other. */
  dateOf(file: string, key: string): number | null {
    const record = this.records.get(file);
    return key !== "" && record?.key === key ? record.mtime : null;
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
  #remove(files: Iterable<string>): void {
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

  /**
   * Removes the files of earlier builds that this one does not make, with the folders that are empty then.
   *
   * @param made by file
   * @param unrecorded files that may be of a build that was killed
   * @throws {DiskError} when a folder above one is a link, or it cannot be removed
   */
  removeStale(
    made: ReadonlyMap<string, unknown>,
    unrecorded: readonly string[] = [],
    stays: (file: string) => boolean = () => false,
  ): void {
    const folders = new Folders(this.#outDir);
    const known = this.records.size > 0 ? this.records.keys() : leftovers(this.#outDir, made);
    const stale = [...new Set([...known, ...unrecorded])].filter(
      (file) => !made.has(file) && !stays(file),
    );
    for (const file of stale) folders.removeFile(file);
    this.#remove(stale);
  }

  /**
   * The build is complete: writes `build-changes.ndjson`, from which a deploy or a cache purge works, with one line for
   * each address added, changed or removed since the last one.
   */
  complete(): ChangeCounts {
    const counts = writeChanges(this.#database, this.#stateDir);
    this.#database.run(MARK_COMPLETE);
    return counts;
  }

  close(): void {
    this.#database.close();
  }

  /** Forgets the changes of a complete build. */
  #forgetChanges(): void {
    this.#database.transaction(() => {
      if (this.#database.run("DELETE FROM complete") === 0) return;
      for (const table of ["files", "others"]) {
        this.#database.run(`DELETE FROM ${table} WHERE change = 'removed'`);
        this.#database.run(`UPDATE ${table} SET change = NULL WHERE change IS NOT NULL`);
      }
    });
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
}

/** A page in the place of a redirect, and a redirect in the place of a page, are in both tables. */
const CHANGES = `
  SELECT file, CASE count(*) WHEN 1 THEN max(change) ELSE 'changed' END
  FROM (SELECT file, change FROM files UNION ALL SELECT file, change FROM others)
  WHERE change IS NOT NULL GROUP BY file ORDER BY file`;

function writeChanges(database: Database, stateDir: string): ChangeCounts {
  const counts = { added: 0, changed: 0, removed: 0 };
  let lines = "";
  for (const [file, change] of database.tuples<readonly [string, Change]>(CHANGES)) {
    lines += `${JSON.stringify({ change, path: addressOf(file) })}\n`;
    counts[change]++;
  }
  atomicWrite(join(stateDir, "build-changes.ndjson"), lines);
  return counts;
}

interface OtherRecord {
  readonly file: string;
  readonly digest: string;
  readonly size: number;
  /** In whole milliseconds. */
  readonly mtime: number;
  readonly change: Change | null;
}

/**
 * Records the files that other stages than the render put into the site, such as images and the search index, and writes
 * `build-changes.ndjson` again with those that differ.
 *
 * @param listed the files of the site
 * @param but names of files that do not count
 * @throws {DiskError} when one cannot be read
 */
export function recordOthers(
  { stateDir, outDir }: { readonly stateDir: string; readonly outDir: string },
  listed: ListedFiles,
  but: ReadonlySet<string>,
): ChangeCounts {
  using database = new Database(join(stateDir, RECORDS));
  database.exec(SCHEMA);
  const rows = database.each<OtherRecord>("SELECT * FROM others");
  const before = new Map(Array.from(rows, (row) => [row.file, row]));
  const rendered = recordedFiles(stateDir);
  const isOther = (file: string): boolean =>
    listed.has(file) && !rendered.has(file) && !but.has(file);
  database.transaction(() => {
    for (const [file, { size, mtimeMs }] of listed) {
      if (!isOther(file)) continue;
      const mtime = Math.floor(mtimeMs);
      const record = before.get(file);
      const isBack = record?.change === "removed";
      if (record?.size === size && record.mtime === mtime && !isBack) continue;
      const path = join(outDir, file);
      const bytes = onDisk("read", path, () => readFileSync(path));
      const digest = hash("sha256", bytes);
      const isSame = record?.digest === digest && !isBack;
      const isNew = record === undefined || record.change === "added";
      const change = isNew ? "added" : isSame ? record.change : "changed";
      const sql = "INSERT OR REPLACE INTO others VALUES (?, ?, ?, ?, ?)";
      database.run(sql, file, digest, size, mtime, change);
    }
    for (const { file, change } of before.values()) {
      if (isOther(file)) continue;
      if (change === "added") database.run("DELETE FROM others WHERE file = ?", file);
      else database.run("UPDATE others SET change = 'removed' WHERE file = ?", file);
    }
  });
  return writeChanges(database, stateDir);
}

/**
 * Notes whether the last build is complete, where more than a render belongs to it. Until it is, the list of the next one
 * also names its changes.
 */
export function setComplete(stateDir: string, isComplete: boolean): void {
  const path = join(stateDir, RECORDS);
  if (!existsSync(path)) return;
  using database = new Database(path);
  database.exec(SCHEMA);
  database.run(isComplete ? MARK_COMPLETE : "DELETE FROM complete");
}

/** Files that the last build made, by its own records; none where there are no records. */
export function recordedFiles(stateDir: string): ReadonlySet<string> {
  const path = join(stateDir, RECORDS);
  if (!existsSync(path)) return new Set();
  using database = new Database(path, { readOnly: true });
  const rows = database.tuples<readonly [string]>(
    "SELECT file FROM files WHERE change IS NOT 'removed'",
  );
  return new Set(Array.from(rows, ([file]) => file));
}

/**
 * What earlier builds may have made where nothing is recorded: pages, assets, and all in the folders at the top that this
 * build writes to, such as feeds in `tag/`. Others, and what is in hidden folders, belong to other programs.
 */
function leftovers(outDir: string, made: ReadonlyMap<string, unknown>): string[] {
  if (!existsSync(outDir)) return [];
  const topOf = (file: string): string => file.slice(0, file.indexOf("/") + 1);
  const tops = new Set(["_astro/", ...Array.from(made.keys(), topOf)]);
  tops.delete("");
  const enter = (folder: string): boolean => !/(?:^|\/)(?:\.[^/]*|node_modules)$/.test(folder);
  return [...filesBelow(outDir, { links: "all", enter })].filter(
    (file) => file.endsWith(".html") || tops.has(topOf(file)),
  );
}

/** `tag/hope/index.html` is asked for as `/tag/hope/`. */
function addressOf(file: string): string {
  return `/${file.replace(/(^|\/)index\.html$/, "$1")}`;
}
