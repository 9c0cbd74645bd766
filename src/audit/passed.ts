/**
 * The files that passed an audit, so that the next one reads only what is new: a file whose inode, size and times are as
 * they were, of which the plan expects the same, and whose links all lead somewhere still.
 *
 * A time of change (ctime) cannot be set by a program, so a file that was written again with its old date is read again.
 */
import { hash, scryptSync } from "node:crypto";
import { existsSync, readFileSync, type Stats } from "node:fs";
import { join } from "node:path";
import type { Secret } from "../contract/secrets.ts";
import { onDisk } from "../files/disk.ts";
import { filesBelow, type ListedFiles } from "../files/walk.ts";
import { openDisposable } from "../sqlite/disposable.ts";
import { linkHash } from "./page/links.ts";
import type { ForeignFragment } from "./page/rules.ts";
import type { FileRead } from "./reader.ts";

/** Of the site; and of a folder that is searched for secrets alone. */
export const PASSED_FILE = "audit.sqlite";
export const SEARCHED_FILE = "searched.sqlite";

/** A row for every file of the site. One without a key is read each time: it is a link, or had findings. */
const TABLE = `CREATE TABLE IF NOT EXISTS files(file TEXT PRIMARY KEY, key TEXT, links BLOB NOT NULL, fragments TEXT) STRICT`;

/**
 * @param path where this is kept
 * @param rules digest of all that a verdict depends on besides the file; what passed other rules is forgotten
 * @param files those that are there now
 * @param all forgets everything
 * @throws {DiskError} when the state folder cannot be read or written
 */
export function openPassed(path: string, rules: number, files: ListedFiles, all: boolean) {
  const database = openDisposable(path, TABLE, rules);
  if (all) database.exec("DELETE FROM files");
  // What is changed from here on is undone unless it is kept.
  database.exec("BEGIN IMMEDIATE");
  /** Keys of the files that are there: as they passed, or as they are being read now. */
  const keys = new Map(database.tuples<[string, string | null]>("SELECT file, key FROM files"));
  /** Files that were read in this audit. */
  const noted = new Set<string>();
  const gone = keys.keys().filter((file) => !files.has(file));
  const goneHashes = new Set<number>();
  for (const file of [...gone]) {
    keys.delete(file);
    goneHashes.add(linkHash(file));
    database.run("DELETE FROM files WHERE file = ?", file);
  }
  // Files that link to what is gone are read again.
  if (goneHashes.size > 0) {
    const rows = database.tuples<[string, Uint8Array]>("SELECT file, links FROM files");
    for (const [file, links] of rows) {
      // A copy begins at 0, and is aligned.
      const hashes = new Int32Array(links.slice().buffer);
      if (hashes.some((link) => goneHashes.has(link))) keys.delete(file);
    }
  }
  return {
    /**
     * @param expected what the plan expects of the file
     * @returns its size in bytes where it need not be read; null where it must be
     */
    sizeIfPassed(file: string, expected: unknown = null): number | null {
      const now = fileKey(files.get(file), expected);
      if (now !== null && keys.get(file) === now.key) return now.size;
      keys.set(file, now?.key ?? null);
      return null;
    },
    /** Notes what became of files that were read; it counts once `keep` is called. */
    note(filesRead: readonly FileRead[]): void {
      for (const { file, findings, links, fragments } of filesRead) {
        noted.add(file);
        database.run(
          "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?)",
          file,
          findings.length === 0 ? (keys.get(file) ?? null) : null,
          new Uint8Array(links.buffer, links.byteOffset, links.byteLength),
          fragments.length === 0 ? null : JSON.stringify(fragments),
        );
      }
    },
    /** The files that were not read, with the fragments that they want of files that were. */
    *wantedAgain(): Generator<readonly [file: string, wanted: readonly ForeignFragment[]]> {
      if (noted.size === 0) return;
      const sql = "SELECT file, fragments FROM files WHERE fragments IS NOT NULL";
      for (const [file, fragments] of database.tuples<[string, string]>(sql)) {
        if (noted.has(file) || !keys.has(file)) continue;
        const wanted = JSON.parse(fragments) as ForeignFragment[];
        yield [file, wanted.filter((one) => noted.has(one.slice(0, one.indexOf("\0"))))];
      }
    },
    /** The audit ended: what it noted holds for the next one. */
    keep: () => database.exec("COMMIT"),
    [Symbol.dispose]: () => database.close(),
  };
}

/** What a file is known by, and its size in bytes; null for one that is no plain file. */
export function fileKey(
  there: Stats | undefined,
  expected: unknown,
): { readonly key: string; readonly size: number } | null {
  if (there?.isFile() !== true) return null;
  const { ino, size, mtimeMs, ctimeMs } = there;
  const facts = JSON.stringify([ino, size, mtimeMs, ctimeMs, expected]);
  return { key: hash("sha256", facts, "base64url").slice(0, 16), size };
}

const HERE = import.meta.dirname;
const LOCKFILE = join(HERE, "../../package-lock.json");

/** A digest of secrets that may be kept: from a quick hash, in a state folder that a cache publishes, a weak one is guessed. */
export const secretsDigest = (secrets: readonly Secret[]): string =>
  secrets.length === 0 ? "" : scryptSync(JSON.stringify(secrets), PASSED_FILE, 16).toString("hex");

/**
 * The digest of all that the verdict on a file depends on besides the file: the audit's own code and packages, what it is
 * given, and the style sheets, scripts and schema that pages and files are measured by. It has the 32 bits that SQLite
 * keeps as the version of a database.
 *
 * @param options values that the rules depend on
 * @param shared files below `outDir`
 * @throws {DiskError} when one of them cannot be read
 */
export function rulesDigest(options: unknown, outDir: string, shared: readonly string[]): number {
  const code = Array.from(filesBelow(HERE), (file) => join(HERE, file));
  code.push(join(HERE, "../contract/secrets.ts"));
  if (existsSync(LOCKFILE)) code.push(LOCKFILE);
  const files = [...code, ...shared.map((file) => join(outDir, file))].map((path) => [
    path,
    hash(
      "sha256",
      onDisk("read", path, () => readFileSync(path)),
    ),
  ]);
  const facts = JSON.stringify([options, outDir, files, process.version]);
  return hash("sha256", facts, "buffer").readInt32BE();
}
