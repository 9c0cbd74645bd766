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
import { Database, isDamage } from "../sqlite/database.ts";
import { openDisposable } from "../sqlite/disposable.ts";

export type Change = "added" | "changed" | "removed";
export type ChangeCounts = Readonly<Record<Change, number>>;

interface FileRecord {
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
  /** Whether the bytes in the folder are others than before. */
  readonly written: boolean;
}

/** Raise it when a record comes to mean something else. */
const VERSION = 1;

const RECORDS = "output.sqlite";

/** Of the render, and of the other stages: images, the search index, redirects. A render removes none of theirs. */
type Table = "files" | "others";

const COLUMNS = `(
  file TEXT PRIMARY KEY,
  key TEXT NOT NULL,
  size INTEGER NOT NULL,
  mtime INTEGER NOT NULL,
  change TEXT
) STRICT, WITHOUT ROWID`;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS files ${COLUMNS};
  CREATE TABLE IF NOT EXISTS others ${COLUMNS};
  -- Has a row once the build is complete: the next one forgets its changes.
  CREATE TABLE IF NOT EXISTS complete(at INTEGER) STRICT`;

/** Of a file that was made from the same, or shows no difference, the change stays; unless a build that was killed wrote it. */
const CHANGE = `CASE
  WHEN change = 'added' THEN 'added'
  WHEN change = 'removed' THEN 'changed'
  WHEN key = ?2 OR (NOT ?5 AND size = ?3 AND mtime = ?4) THEN change
  ELSE 'changed' END`;

/** A page in the place of a redirect, and a redirect in the place of a page, are in both tables. */
const CHANGES = `
  SELECT file, CASE count(*) WHEN 1 THEN max(change) ELSE 'changed' END
  FROM (SELECT file, change FROM files UNION ALL SELECT file, change FROM others)
  WHERE change IS NOT NULL GROUP BY file ORDER BY file`;

export class WrittenFiles {
  readonly #database: Database;
  readonly #stateDir: string;
  readonly #outDir: string;
  readonly #table: Table;
  /** Whether the last build came to its end, so that the folder holds nothing of a build but what is recorded. */
  readonly #isSettled: boolean;
  /** Every file, as it was when this was opened. */
  readonly records: ReadonlyMap<string, FileRecord>;

  /**
   * @param outDir the folder described; the memory of a render begins anew when it was another
   * @param table `files` begins a build: the changes of a complete one are forgotten
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
    type Row = readonly [string, string, number, number, Change | null];
    this.records = new Map(
      Array.from(
        this.#database.tuples<Row>(`SELECT * FROM ${table}`),
        ([file, key, size, mtime, change]) => [file, { key, size, mtime, change }],
      ),
    );
  }

  /** Whether a file was made from this and is in the folder as it was recorded: size and date are believed. */
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

  /** When a file was written that was made from the same before, in seconds; null for any other. */
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
   * Notes that files are gone. One that no completed build ever had leaves no trace; one without a record was in the folder
   * before, and counts as removed.
   */
  remove(files: Iterable<string>): void {
    const forget = `DELETE FROM ${this.#table} WHERE file = ?`;
    const note = `INSERT INTO ${this.#table} VALUES (?, '', 0, 0, 'removed')
      ON CONFLICT DO UPDATE SET change = 'removed'`;
    this.#database.transaction(() => {
      for (const file of files) {
        // A build may remove a file twice: what counts is the record as it was before.
        const isNew = this.records.get(file)?.change === "added";
        this.#database.run(isNew ? forget : note, file);
      }
    });
  }

  /**
   * Removes the files of earlier builds that this one does not make, with the folders that are empty then.
   *
   * @param made by file
   * @param unrecorded files that may be of a build that was killed; without it, all that earlier builds may
   *   have written where the last one did not come to its end
   * @throws {DiskError} when a folder above one is a link, or it cannot be removed
   */
  removeStale(
    made: ReadonlyMap<string, unknown>,
    unrecorded?: readonly string[],
    stays: (file: string) => boolean = () => false,
  ): void {
    const folders = new Folders(this.#outDir);
    const others = unrecorded ?? (this.#isSettled ? [] : leftovers(this.#outDir, made));
    const all = new Set([...this.records.keys(), ...others]);
    const stale = [...all].filter((file) => !made.has(file) && !stays(file));
    for (const file of stale) folders.removeFile(file);
    this.remove(stale);
  }

  /**
   * Writes `build-changes.ndjson`, from which a deploy or a cache purge works, with one line for each address added, changed
   * or removed since the last complete build.
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

  /** The same, for a build that is complete. */
  complete(): ChangeCounts {
    const counts = this.writeChanges();
    this.#database.run(MARK_COMPLETE);
    return counts;
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  /** Forgets the changes of a complete build. @returns whether the last build was one */
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

/**
 * Notes whether the last build is complete, where more than a render belongs to it. Until it is, the list of the next one
 * also names its changes.
 */
export function setComplete(stateDir: string, isComplete: boolean): void {
  onRecords(stateDir, (database) => {
    database.run(isComplete ? MARK_COMPLETE : "DELETE FROM complete");
  });
}

/** Files that the last build made, by its own records; none where there are no records. */
export function recordedFiles(stateDir: string): ReadonlySet<string> {
  const sql = "SELECT file FROM files WHERE change IS NOT 'removed'";
  const files = onRecords(stateDir, (database) => database.column<string>(sql));
  return new Set(files);
}

/** Does `work` where there are records of the last build; the next render makes those anew that are damaged. */
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
 * What earlier builds may have made that is not recorded: pages, assets, and all in the folders at the top that this
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
