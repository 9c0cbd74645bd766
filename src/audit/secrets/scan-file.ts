/**
 * Searches a file of any size and kind for secrets: its bytes, its decompressed content, and the rows of a database.
 *
 * SQLite splits a long value over pages, so rows are searched too; deleted values are found in the bytes alone.
 */
import { createReadStream, readFileSync, statSync } from "node:fs";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { pipeline } from "node:stream/promises";
import { DiskError } from "../../contract/errors.ts";
import type { FoundSecret, SecretFinder } from "../../util/secrets.ts";
import { Database } from "../../sqlite/database.ts";

const CHUNK = 1 << 20;

/** Bytes: decompression stops there, since a longer file is a decompression bomb. */
const MOST_UNPACKED = 1 << 30;

/** @throws an error of the file system where the file cannot be read */
export async function scanFile(path: string, finder: SecretFinder) {
  const { found, bytes, head } = await search(chunksOf(path), finder);
  if (found !== null || finder.names.length === 0) return { bytes, found };
  if (head.startsWith("SQLite format 3\0")) return { bytes, found: scanRows(path, finder) };
  return { bytes, found: await scanUnpacked(path, head, finder) };
}

/** A small file is read at once, since a stream takes several times as long. */
function chunksOf(path: string): Iterable<Buffer> | AsyncIterable<Buffer> {
  if (statSync(path).size <= CHUNK) return [readFileSync(path)];
  return createReadStream(path, { highWaterMark: CHUNK });
}

/**
 * @param isUnpacked whether the chunks are decompressed: the search then ends at a secret or at `MOST_UNPACKED`
 * @returns the first secret, the number of bytes, and the first 16 bytes as latin1
 */
async function search(
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
  finder: SecretFinder,
  isUnpacked = false,
) {
  let found: FoundSecret | null = null;
  let [bytes, head] = [0, ""];
  // The end of the chunk before: a secret may span two chunks.
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (bytes === 0) head = chunk.toString("latin1", 0, 16);
    if (found === null) {
      const both = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const start = bytes - rest.length;
      const inBoth = finder.find(both);
      if (inBoth !== null)
        found = { ...inBoth, start: start + inBoth.start, end: start + inBoth.end };
      rest = both.subarray(Math.max(0, both.length - Math.max(0, finder.longest - 1)));
    }
    bytes += chunk.length;
    if (isUnpacked && (found !== null || bytes > MOST_UNPACKED)) break;
  }
  return { found, bytes, head };
}

/** Searches the decompressed content; the first bytes or the extension show the format. */
async function scanUnpacked(path: string, head: string, finder: SecretFinder) {
  const unpack = /^\x1f\x8b/.test(head)
    ? createGunzip()
    : /^\x78[\x01\x5e\x9c\xda]/.test(head)
      ? createInflate()
      : path.endsWith(".br")
        ? createBrotliDecompress()
        : null;
  if (unpack === null) return null;
  let found: FoundSecret | null = null;
  try {
    await pipeline(chunksOf(path), unpack, async (chunks: AsyncIterable<Buffer>) => {
      ({ found } = await search(chunks, finder, true));
    });
  } catch (error) {
    // The file only looks compressed; its bytes were searched before.
    if (!(error instanceof Error && "code" in error)) throw error;
  }
  return found;
}

function scanRows(path: string, finder: SecretFinder): FoundSecret | null {
  try {
    // Immutable: nothing is locked or written. The write-ahead log is searched as a separate file.
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
    // The database is in use, damaged or changing; its bytes were searched before.
    if (error instanceof DiskError) return null;
    throw error;
  }
}

const TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table'";

/** Selects texts and blobs: a number contains no secret, and JavaScript cannot represent a large one. */
function rowsOf(database: Database, table: string): string {
  const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
  const columns = database
    .all<{ name: string }>("SELECT name FROM pragma_table_info(?)", table)
    .map(({ name }) => `iif(typeof(${quoted(name)}) IN ('text', 'blob'), ${quoted(name)}, NULL)`);
  return `SELECT ${columns.join(", ") || "NULL"} FROM ${quoted(table)}`;
}
