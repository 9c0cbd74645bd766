/**
 * The files that passed an audit, so that the next one reads only what is new: a file whose inode, size and times are as
 * they were, of which the plan expects the same, and whose links all lead somewhere still.
 *
 * A time of change (ctime) cannot be set by a program, so a file that was written again with its old date is read again.
 */
import { hash, scryptSync } from "node:crypto";
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow } from "../files/walk.ts";
import type { Database } from "../sqlite/database.ts";
import { openDisposable } from "../sqlite/disposable.ts";
import type { ForeignFragment } from "./page/rules.ts";
import { FileTable, shortHashOf } from "./threads/file-table.ts";
import type { FileRead } from "./threads/messages.ts";

/** Of the site; and of a folder that is searched for secrets alone. */
export const PASSED_FILE = "audit.sqlite";
export const SEARCHED_FILE = "searched.sqlite";

/** A row for every file of the site. No key: something was found, or the file is a link, and it is read each time. */
const COLUMNS = `(file TEXT PRIMARY KEY, key TEXT, links BLOB NOT NULL, fragments TEXT) STRICT, WITHOUT ROWID`;

type Row = readonly [key: string | null, links: Uint8Array, fragments: string | null];

export interface PassedOptions {
  /** Where this is kept. */
  readonly path: string;
  readonly outDir: string;
  /** Digest of all that a verdict depends on besides the file; what passed other rules is forgotten. */
  readonly rules: string;
  /** Those that are there now. */
  readonly files: FileTable;
  /** Forgets everything. */
  readonly all: boolean;
}

export class PassedFiles {
  readonly #database: Database;
  readonly #outDir: string;
  readonly #goneFiles: string[] = [];
  /** Hashes of the links to files that the last audit saw and that are gone. */
  readonly #gone = new Set<number>();
  readonly #unchanged = new FileTable();
  /** Keys of the files that are being read. */
  readonly #keys = new Map<string, string>();
  readonly #fragments = new Map<string, ForeignFragment>();

  /** @throws {DiskError} when the state folder cannot be read or written */
  constructor({ path, outDir, rules, files, all }: PassedOptions) {
    this.#outDir = outDir;
    this.#database = openDisposable(path);
    this.#prepare(rules, all);
    // One transaction for all notes: an audit that fails rolls them back.
    this.#database.exec("BEGIN");
    for (const [file] of this.#database.tuples<readonly [string]>("SELECT file FROM files")) {
      if (files.has(file)) continue;
      this.#goneFiles.push(file);
      this.#gone.add(shortHashOf(file));
    }
  }

  /**
   * @param expected what the plan expects of the file
   * @returns its size in bytes where it need not be read; null where it must be
   */
  sizeIfPassed(file: string, expected: unknown = null): number | null {
    const key = fileKey(this.#outDir, file, expected);
    if (key === null) return null;
    const sql = "SELECT key, links, fragments FROM files WHERE file = ?";
    const row = this.#database.tuple<Row>(sql, file);
    if (row?.[0] !== key.key || this.#leadsNowhere(row[1])) {
      this.#keys.set(file, key.key);
      return null;
    }
    for (const wanted of JSON.parse(row[2] ?? "[]") as ForeignFragment[]) {
      this.#fragments.set(`${wanted.file}#${wanted.fragment}`, wanted);
    }
    this.#unchanged.add(file);
    return key.size;
  }

  /** Notes what became of a file that was read; it counts once `keep` is called. */
  note({ file, passed, links, fragments }: FileRead): void {
    const key = passed ? (this.#keys.get(file) ?? null) : null;
    this.#keys.delete(file);
    this.#database.run(
      "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?)",
      ...[file, key, new Uint8Array(links.buffer, links.byteOffset, links.byteLength)],
      fragments.length === 0 ? null : JSON.stringify(fragments),
    );
  }

  /** The fragments that files that were not read want of files that were. */
  wantedAgain(): ForeignFragment[] {
    return [...this.#fragments.values()].filter(({ file }) => !this.#unchanged.has(file));
  }

  /** The audit ended: what it noted holds for the next one. */
  keep(): void {
    const database = this.#database;
    for (const file of this.#goneFiles) database.run("DELETE FROM files WHERE file = ?", file);
    database.exec("COMMIT");
  }

  close(): void {
    this.#database.close();
  }

  #leadsNowhere(links: Uint8Array): boolean {
    if (this.#gone.size === 0) return false;
    // A copy begins at 0, and is aligned.
    return new Uint32Array(links.slice().buffer).some((link) => this.#gone.has(link));
  }

  #prepare(rules: string, all: boolean): void {
    const database = this.#database;
    database.transaction(() => {
      database.exec("CREATE TABLE IF NOT EXISTS rules(digest TEXT NOT NULL) STRICT");
      const known = database.get<{ digest: string }>("SELECT digest FROM rules")?.digest;
      if (known === rules && !all) return;
      database.exec(`DROP TABLE IF EXISTS files; CREATE TABLE files ${COLUMNS}; DELETE FROM rules`);
      database.run("INSERT INTO rules VALUES (?)", rules);
    });
  }
}

/** What a file is known by, and its size in bytes; null for one that is no plain file. */
export function fileKey(
  outDir: string,
  file: string,
  expected: unknown,
): { readonly key: string; readonly size: number } | null {
  const there = lstatSync(join(outDir, file), { throwIfNoEntry: false });
  if (there?.isFile() !== true) return null;
  const { ino, size, mtimeMs, ctimeMs } = there;
  const facts = JSON.stringify([ino, size, mtimeMs, ctimeMs, expected]);
  return { key: hash("sha256", facts, "base64url").slice(0, 16), size };
}

const HERE = import.meta.dirname;
const LOCKFILE = join(HERE, "../../package-lock.json");

/**
 * The digest of all that the verdict on a file depends on besides the file: the audit's own code and packages, what it is
 * given, and the style sheets, scripts and schema that pages and files are measured by.
 *
 * @param options values that the rules depend on; secrets among them
 * @param shared files below `outDir`
 */
export function rulesDigest(options: unknown, outDir: string, shared: readonly string[]): string {
  const code = [HERE, join(HERE, "../contract/secrets")].flatMap((folder) =>
    Array.from(filesBelow(folder), (file) => join(folder, file)),
  );
  if (existsSync(LOCKFILE)) code.push(LOCKFILE);
  const files = [...code, ...shared.map((file) => join(outDir, file))].map((path) => [
    path,
    hash("sha256", readFileSync(path)),
  ]);
  // A state folder may be published with a cache: a weak secret must not be guessed from a quick hash.
  const facts = JSON.stringify([options, outDir, files, process.version]);
  return scryptSync(facts, PASSED_FILE, 16).toString("hex");
}
