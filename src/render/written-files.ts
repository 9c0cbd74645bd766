/**
 * Records the files of the output folder, with the cache key of each, for the next build.
 *
 * A file is recorded after it is written: if a build is killed in between, its size or date differs from the record, and it
 * is written again. Changes accumulate until a build is complete, so their list includes those of killed and refused builds.
 */
import { hash } from "node:crypto";
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { crc32 } from "node:zlib";
import { atomicWrite, onDisk } from "../files/disk.ts";
import { Folders } from "../files/folders.ts";
import { filesBelow, type ListedFiles } from "../files/walk.ts";
import { Database, isDamage } from "../sqlite/database.ts";
import { openDisposable } from "../sqlite/disposable.ts";

type Change = "added" | "changed" | "removed";
export type ChangeCounts = Readonly<Record<Change, number>>;

interface FileRecord {
  /** Keys of bundle and page, or the digest of its bytes. */
  readonly key: string;
  /** In bytes. */
  readonly size: number;
  /** Modification time in whole seconds, which archives preserve. */
  readonly mtime: number;
  /** Since the last complete build; null for none. */
  readonly change: Change | null;
}

export interface NewRecord extends Omit<FileRecord, "change"> {
  /** Path in the output folder. */
  readonly file: string;
  /** Whether its bytes changed. */
  readonly written: boolean;
}

/** Increment it when the meaning of a record changes. */
const VERSION = 1;

const RECORDS = "output.sqlite";

/** Files of the render; files of other stages, which a render does not remove: images, search index, redirects. */
type Table = "files" | "others";

const COLUMNS = `(
  file TEXT PRIMARY KEY,
  key TEXT NOT NULL,
  size INTEGER NOT NULL,
  mtime INTEGER NOT NULL,
  change TEXT
) STRICT, WITHOUT ROWID`;

/**
 * Files with a digest of their content in their name. One that a build no longer makes stays until the next complete build:
 * pages from before, of a proxy or the back button, still ask for it.
 */
const HASHED = /^(?:_astro|letters)\//;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS files ${COLUMNS};
  CREATE TABLE IF NOT EXISTS others ${COLUMNS};
  -- Files of \`HASHED\` that only pages of the build before ask for.
  CREATE TABLE IF NOT EXISTS held (file TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  -- Has a row if the last build is complete: the next one deletes the changes.
  CREATE TABLE IF NOT EXISTS complete(at INTEGER) STRICT`;

/** The new change of a file: unchanged if its key is the same, or if it was not written and its record is right. */
const CHANGE = `CASE
  WHEN change = 'added' THEN 'added'
  WHEN change = 'removed' THEN 'changed'
  WHEN key = ?2 OR (NOT ?5 AND size = ?3 AND mtime = ?4) THEN change
  ELSE 'changed' END`;

/** A page that replaces a redirect, or the reverse, is in both tables. */
const CHANGES = `
  SELECT file, CASE count(*) WHEN 1 THEN max(change) ELSE 'changed' END
  FROM (SELECT file, change FROM files UNION ALL SELECT file, change FROM others)
  WHERE change IS NOT NULL GROUP BY file ORDER BY file`;

export class WrittenFiles {
  readonly #database: Database;
  readonly #stateDir: string;
  readonly #outDir: string;
  readonly #table: Table;
  /** Whether the last build completed: then every file of it is recorded. */
  readonly #isSettled: boolean;
  /** Files that the build before held. */
  readonly #held: ReadonlySet<string>;
  /** All records when this was opened, by file. */
  readonly records: ReadonlyMap<string, FileRecord>;

  /**
   * @param outDir the recorded folder; records of another one are deleted by a render
   * @param table `files` begins a build, and deletes the changes of a complete one
   * @throws {DiskError} when the file cannot be read or written
   */
  constructor(stateDir: string, outDir: string, table: Table = "files") {
    this.#stateDir = stateDir;
    this.#outDir = outDir;
    this.#table = table;
    const path = join(stateDir, RECORDS);
    if (table === "files") {
      const version = crc32(`${VERSION} ${relative(stateDir, outDir)}`) >>> 1;
      this.#database = openDisposable(path, SCHEMA, version);
      this.#isSettled = this.#forgetChanges();
    } else {
      this.#database = new Database(path);
      this.#database.exec(SCHEMA);
      this.#isSettled = true;
    }
    this.#held = new Set(this.#database.column<string>("SELECT file FROM held"));
    type Row = readonly [string, string, number, number, Change | null];
    this.records = new Map(
      Array.from(
        this.#database.tuples<Row>(`SELECT * FROM ${table}`),
        ([file, key, size, mtime, change]) => [file, { key, size, mtime, change }],
      ),
    );
  }

  /** Whether a file has this key, and its size and date are as recorded. */
  isCurrent(file: string, key: string): boolean {
    const record = this.records.get(file);
    if (record?.key !== key || record.change === "removed") return false;
    const there = lstatSync(join(this.#outDir, file), { throwIfNoEntry: false });
    return (
      there?.isFile() === true &&
      there.size === record.size &&
      Math.floor(there.mtimeMs / 1_000) === record.mtime
    );
  }

  /** The recorded time of a file with this key, in seconds; null for any other. */
  dateOf(file: string, key: string): number | null {
    const record = this.records.get(file);
    return key !== "" && record?.key === key ? record.mtime : null;
  }

  record(files: readonly NewRecord[]): void {
    const sql = `INSERT INTO ${this.#table} VALUES (?1, ?2, ?3, ?4, 'added')
      ON CONFLICT DO UPDATE SET key = ?2, size = ?3, mtime = ?4, change = ${CHANGE}`;
    this.#database.transaction(() => {
      for (const { file, key, size, mtime, written } of files) {
        this.#database.run(sql, file, key, size, mtime, Number(written));
      }
    });
  }

  /**
   * Records that files were removed. A file that no complete build had leaves no record; one without a record was in the
   * folder before, and counts as removed.
   */
  remove(files: Iterable<string>): void {
    const forget = `DELETE FROM ${this.#table} WHERE file = ?`;
    const note = `INSERT INTO ${this.#table} VALUES (?, '', 0, 0, 'removed')
      ON CONFLICT DO UPDATE SET change = 'removed'`;
    this.#database.transaction(() => {
      for (const file of files) {
        // By the record before this build, which may remove a file twice.
        const isNew = this.records.get(file)?.change === "added";
        this.#database.run(isNew ? forget : note, file);
      }
    });
  }

  /**
   * Removes the files of earlier builds that this one does not make, and empty folders. Files of `HASHED` that a complete build
   * had stay for one build.
   *
   * @param made by file
   * @param unrecorded other files of earlier builds; default: any that an incomplete build may have left
   * @param isKept exempts a file
   * @throws {DiskError} when a folder above one is a link, or it cannot be removed
   */
  removeStale(
    made: ReadonlyMap<string, unknown>,
    unrecorded?: readonly string[],
    isKept: (file: string) => boolean = () => false,
  ): void {
    const folders = new Folders(this.#outDir);
    const others = unrecorded ?? (this.#isSettled ? [] : leftovers(this.#outDir, made));
    const all = new Set([...this.records.keys(), ...others]);
    const stale = [...all].filter((file) => !made.has(file) && !isKept(file));
    const isHeld = (file: string): boolean => {
      const record = this.records.get(file);
      if (!HASHED.test(file) || record === undefined) return false;
      // Only killed and refused builds had it: no reader asks for it, and it may be why the audit refused them.
      if (record.change === "added") return false;
      return !(this.#isSettled && this.#held.has(file));
    };
    const gone = stale.filter((file) => !isHeld(file));
    for (const file of gone) folders.removeFile(file);
    this.remove(gone);
    this.#database.transaction(() => {
      for (const file of [...gone, ...made.keys().filter((file) => this.#held.has(file))])
        this.#database.run("DELETE FROM held WHERE file = ?", file);
      for (const file of stale.filter(isHeld))
        this.#database.run("INSERT OR IGNORE INTO held VALUES (?)", file);
    });
  }

  /**
   * Writes `build-changes.ndjson` for deploys and cache purges: a line for each address added, changed or removed since the
   * last complete build.
   */
  writeChanges(): ChangeCounts {
    const counts = { added: 0, changed: 0, removed: 0 };
    let lines = "";
    for (const [file, change] of this.#database.tuples<readonly [string, Change]>(CHANGES)) {
      lines += `${JSON.stringify({ change, path: addressOf(file) })}\n`;
      counts[change]++;
    }
    atomicWrite(join(this.#stateDir, "build-changes.ndjson"), lines);
    return counts;
  }

  /** Writes the changes and marks the build as complete. */
  complete(): ChangeCounts {
    const counts = this.writeChanges();
    this.#database.run(MARK_COMPLETE);
    return counts;
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  /** Deletes the changes of a complete build. @returns whether the last build was complete */
  #forgetChanges(): boolean {
    return this.#database.transaction(() => {
      if (this.#database.run("DELETE FROM complete") === 0) return false;
      for (const table of ["files", "others"]) {
        this.#database.run(`DELETE FROM ${table} WHERE change = 'removed'`);
        this.#database.run(`UPDATE ${table} SET change = NULL WHERE change IS NOT NULL`);
      }
      return true;
    });
  }
}

/**
 * Records the files of all stages but the render, and updates `build-changes.ndjson`.
 *
 * @param listed all files of the site
 * @param but files to ignore
 * @throws {DiskError} when one cannot be read
 */
export function recordOthers(
  { stateDir, outDir }: { readonly stateDir: string; readonly outDir: string },
  listed: ListedFiles,
  but: ReadonlySet<string>,
): ChangeCounts {
  using files = new WrittenFiles(stateDir, outDir, "others");
  const rendered = recordedFiles(stateDir);
  const others = new Map(
    listed.entries().filter(([file]) => !rendered.has(file) && !but.has(file)),
  );
  const records: NewRecord[] = [];
  for (const [file, { size, mtimeMs }] of others) {
    const mtime = Math.floor(mtimeMs / 1_000);
    const before = files.records.get(file);
    if (before?.size === size && before.mtime === mtime && before.change !== "removed") continue;
    const path = join(outDir, file);
    const key = hash(
      "sha256",
      onDisk("read", path, () => readFileSync(path)),
    );
    records.push({ file, key, size, mtime, written: true });
  }
  files.record(records);
  files.remove(files.records.keys().filter((file) => !others.has(file)));
  return files.writeChanges();
}

const MARK_COMPLETE = "INSERT INTO complete VALUES (unixepoch())";

/** Marks the last build as complete or not: changes of an incomplete build are listed again by the next one. */
export function setComplete(stateDir: string, isComplete: boolean): void {
  onRecords(stateDir, (database) => {
    database.run(isComplete ? MARK_COMPLETE : "DELETE FROM complete");
  });
}

/** The recorded files of the last render. */
export function recordedFiles(stateDir: string): ReadonlySet<string> {
  const sql = "SELECT file FROM files WHERE change IS NOT 'removed'";
  const files = onRecords(stateDir, (database) => database.column<string>(sql));
  return new Set(files);
}

/** Calls `work` unless the records are missing or damaged; the next render replaces damaged records. */
function onRecords<T>(stateDir: string, work: (database: Database) => T): T | undefined {
  const path = join(stateDir, RECORDS);
  if (!existsSync(path)) return undefined;
  try {
    using database = new Database(path);
    database.exec(SCHEMA);
    return work(database);
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}

/**
 * Files that an earlier build may have made without a record: pages, assets, and files in the top folders that this build
 * writes to, such as feeds in `tag/`. Other files, and hidden folders, belong to other programs.
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

/** The address of `tag/hope/index.html` is `/tag/hope/`. */
function addressOf(file: string): string {
  return `/${file.replace(/(^|\/)index\.html$/, "$1")}`;
}
