/**
 * Remembers the files that passed an audit. The next audit skips a file whose inode, size, times and planned content are
 * unchanged, and whose links still lead to files.
 *
 * No program can set the change time (ctime), so a rewritten file with a forged date is read again.
 */
import { hash, scryptSync } from "node:crypto";
import { readFileSync, type Stats } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import type { Secret } from "../util/secrets.ts";
import { lockFilesOf } from "../files/lock-files.ts";
import { PROJECT_ROOT } from "../files/roots.ts";
import { onDisk } from "../files/disk.ts";
import { filesBelow, type ListedFiles } from "../files/walk.ts";
import { openDisposable } from "../sqlite/disposable.ts";
import type { ForeignFragment } from "./page/rules.ts";
import type { FileRead } from "./reader.ts";

export const PASSED_FILE = "audit.sqlite";
/** For the state folder, which is searched for secrets only. */
export const SEARCHED_FILE = "searched.sqlite";

/** A row for every file. A file without a key is read each time: it is a symbolic link, or had findings. */
const TABLE = `CREATE TABLE IF NOT EXISTS files(file TEXT PRIMARY KEY, key TEXT, links BLOB NOT NULL, fragments TEXT, title TEXT, description TEXT) STRICT`;

/**
 * @param path of the database
 * @param rules see `rulesDigest()`; a database with other rules is emptied
 * @param files the existing files
 * @param all empties the database
 * @throws {DiskError} when the state folder cannot be read or written
 */
export function openPassed(path: string, rules: number, files: ListedFiles, all: boolean) {
  const database = openDisposable(path, TABLE, rules);
  if (all) database.exec("DELETE FROM files");
  // Closing the database without `keep()` undoes all changes from here on.
  database.exec("BEGIN IMMEDIATE");
  /** Keys of the existing files: of the last audit, or of this one for a file that it reads. */
  const keys = new Map(database.tuples<[string, string | null]>("SELECT file, key FROM files"));
  /** Files that this audit has read. */
  const noted = new Set<string>();
  const gone = keys.keys().filter((file) => !files.has(file));
  const goneHashes = new Set<number>();
  for (const file of [...gone]) {
    keys.delete(file);
    goneHashes.add(crc32(file));
    database.run("DELETE FROM files WHERE file = ?", file);
  }
  // A file that links to a removed file is read again.
  if (goneHashes.size > 0) {
    const rows = database.tuples<[string, Uint8Array]>("SELECT file, links FROM files");
    for (const [file, links] of rows) {
      // A Uint32Array needs an aligned offset, which a copy has.
      const hashes = new Uint32Array(links.slice().buffer);
      if (hashes.some((link) => goneHashes.has(link))) keys.delete(file);
    }
  }
  return {
    /**
     * @param expected the plan's expectations of the file
     * @returns its size in bytes where it passed before; null where the audit must read it
     */
    sizeIfPassed(file: string, expected: unknown = null): number | null {
      const now = fileKey(files.get(file), expected);
      if (now !== null && keys.get(file) === now.key) return now.size;
      keys.set(file, now?.key ?? null);
      return null;
    },
    note(filesRead: readonly FileRead[]): void {
      for (const { file, findings, links, fragments, named } of filesRead) {
        noted.add(file);
        database.run(
          "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?)",
          file,
          findings.length === 0 ? (keys.get(file) ?? null) : null,
          new Uint8Array(links.buffer, links.byteOffset, links.byteLength),
          fragments.length === 0 ? null : JSON.stringify(fragments),
          named?.[0] ?? null,
          named?.[1] ?? null,
        );
      }
    },
    /** The files that this audit skipped, with their fragments of files that it has read. */
    *wantedAgain(): Generator<readonly [file: string, wanted: readonly ForeignFragment[]]> {
      if (noted.size === 0) return;
      const sql = "SELECT file, fragments FROM files WHERE fragments IS NOT NULL";
      for (const [file, fragments] of database.tuples<[string, string]>(sql)) {
        if (noted.has(file) || !keys.has(file)) continue;
        const wanted = JSON.parse(fragments) as ForeignFragment[];
        yield [file, wanted.filter((one) => noted.has(one.slice(0, one.indexOf("\0"))))];
      }
    },
    /** Pages that share their title or description with others: the first of them, and the number of all. */
    *doubles(): Generator<readonly [what: "title" | "description", file: string, pages: number]> {
      for (const what of ["title", "description"] as const) {
        const sql = `SELECT min(file), count(*) FROM files WHERE ${what} IS NOT NULL
          GROUP BY ${what} HAVING count(*) > 1 ORDER BY count(*) DESC, min(file)`;
        for (const [file, pages] of database.tuples<[string, number]>(sql))
          yield [what, file, pages];
      }
    },
    /** Keeps the notes for the next audit. */
    keep: () => database.exec("COMMIT"),
    [Symbol.dispose]: () => database.close(),
  };
}

/** The key of a file's state, and its size in bytes; null for anything but a regular file. */
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

/** A slow hash of the secrets: CI caches may publish the state folder, and a fast hash would help to guess a weak secret. */
export const secretsDigest = (secrets: readonly Secret[]): string =>
  secrets.length === 0 ? "" : scryptSync(JSON.stringify(secrets), PASSED_FILE, 16).toString("hex");

/**
 * A digest of all that a verdict depends on besides the file: the code and packages of the audit, its options, and the shared
 * files. It has 32 bits, as many as the version of an SQLite database.
 *
 * @param shared files below `outDir`
 * @throws {DiskError} when a file cannot be read
 */
export function rulesDigest(options: unknown, outDir: string, shared: readonly string[]): number {
  const code = Array.from(filesBelow(HERE), (file) => join(HERE, file));
  code.push(join(HERE, "../util/secrets.ts"));
  code.push(...lockFilesOf(PROJECT_ROOT));
  const files = [...code, ...shared.map((file) => join(outDir, file))].map((path) => {
    const content = onDisk("read", path, () => readFileSync(path));
    return [path, hash("sha256", content)];
  });
  const facts = JSON.stringify([options, outDir, files, process.version]);
  return hash("sha256", facts, "buffer").readInt32BE();
}
