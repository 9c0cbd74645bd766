/**
 * Searches a file of any size and kind for secrets: its bytes, what is compressed in it, and the rows of a database.
 *
 * A database cuts long values into pages, so its rows are read as well as its bytes: deleted values are in those
 * alone.
 */
import { closeSync, createReadStream, openSync, readSync } from "node:fs";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DiskError } from "../../contract/errors.ts";
import type { FoundSecret, SecretFinder } from "../../contract/secrets.ts";
import { Database } from "../../sqlite/database.ts";

const CHUNK = 1 << 20;

/** Bytes that a compressed file may become: more is a decompression bomb, which no build makes. */
const MOST_UNPACKED = 1 << 30;

export interface Scanned {
  readonly bytes: number;
  readonly found: FoundSecret | null;
}

/** Unpackers by the bytes that a file begins with. */
const PACKED: readonly (readonly [RegExp, () => Transform])[] = [
  [/^\x1f\x8b/, createGunzip],
  [/^\x78[\x01\x5e\x9c\xda]/, createInflate],
];

/** @throws an error of the file system where the file cannot be read */
export async function scanFile(path: string, finder: SecretFinder): Promise<Scanned> {
  const chunks = new Chunks(finder);
  const head = scanBytes(path, chunks);
  let { found } = chunks;
  if (found === null && finder.names.length > 0) {
    const unpack = PACKED.find(([magic]) => magic.test(head))?.[1];
    if (unpack !== undefined) found = await scanPacked(path, unpack(), finder);
    else if (path.endsWith(".br")) found = await scanPacked(path, createBrotliDecompress(), finder);
    else if (head.startsWith("SQLite format 3\0")) found = scanRows(path, finder);
  }
  return { bytes: chunks.bytes, found };
}

/** Pieces of one stream of bytes; a secret may lie across them. */
class Chunks {
  found: FoundSecret | null = null;
  bytes = 0;
  readonly #finder: SecretFinder;
  #rest = Buffer.alloc(0);

  constructor(finder: SecretFinder) {
    this.#finder = finder;
  }

  take(chunk: Buffer): void {
    const start = this.bytes - this.#rest.length;
    this.bytes += chunk.length;
    if (this.found !== null) return;
    const both = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const found = this.#finder.find(both);
    if (found !== null) {
      this.found = { ...found, start: start + found.start, end: start + found.end };
    }
    const keep = Math.max(0, this.#finder.longest - 1);
    this.#rest = Buffer.from(both.subarray(Math.max(0, both.length - keep)));
  }
}

/** @returns the first bytes, one a character */
function scanBytes(path: string, chunks: Chunks): string {
  const file = openSync(path, "r");
  try {
    const buffer = Buffer.allocUnsafe(CHUNK);
    let head: string | null = null;
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) {
      head ??= buffer.toString("latin1", 0, Math.min(read, 16));
      chunks.take(buffer.subarray(0, read));
    }
    return head ?? "";
  } finally {
    closeSync(file);
  }
}

async function scanPacked(
  path: string,
  unpack: Transform,
  finder: SecretFinder,
): Promise<FoundSecret | null> {
  const unpacked = new Chunks(finder);
  try {
    await pipeline(createReadStream(path), unpack, async (stream: AsyncIterable<Buffer>) => {
      for await (const chunk of stream) {
        unpacked.take(chunk);
        if (unpacked.bytes > MOST_UNPACKED) return;
      }
    });
  } catch (error) {
    // What only looks compressed was searched as it is.
    if (!(error instanceof Error && "code" in error)) throw error;
  }
  return unpacked.found;
}

function scanRows(path: string, finder: SecretFinder): FoundSecret | null {
  try {
    // Opened immutable: nothing is locked or written. Its write-ahead log is searched as a file of its own.
    using database = new Database(path, { immutable: true });
    for (const { name } of database.all<{ name: string }>(TABLES)) {
      for (const row of database.tuples<(string | Uint8Array | null)[]>(rowsOf(database, name))) {
        for (const value of row) {
          const bytes = typeof value === "string" ? Buffer.from(value) : value;
          const found = bytes === null ? null : finder.find(bytes);
          if (found !== null) return found;
        }
      }
    }
    return null;
  } catch (error) {
    // In use, damaged or changed meanwhile: its bytes were searched all the same.
    if (error instanceof DiskError) return null;
    throw error;
  }
}

const TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table'";

/** What a table holds of texts and bytes; numbers hide nothing, and large ones cannot be read as such. */
function rowsOf(database: Database, table: string): string {
  const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
  const columns = database
    .all<{ name: string }>("SELECT name FROM pragma_table_info(?)", table)
    .map(({ name }) => `iif(typeof(${quoted(name)}) IN ('text', 'blob'), ${quoted(name)}, NULL)`);
  return `SELECT ${columns.join(", ") || "NULL"} FROM ${quoted(table)}`;
}
