/**
 * Searches a file of any size and kind for secrets: its bytes, its decompressed content, and the rows of a database.
 *
 * SQLite splits a long value over pages, so rows are searched too; deleted values are found in the bytes alone.
 */
import { closeSync, createReadStream, openSync, readFileSync, readSync, statSync } from "node:fs";
import type { Duplex } from "node:stream";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
} from "node:zlib";
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
function chunksOf(path: string, from = 0): Iterable<Buffer> | AsyncIterable<Buffer> {
  if (statSync(path).size <= CHUNK) return [readFileSync(path).subarray(from)];
  return createReadStream(path, { highWaterMark: CHUNK, start: from });
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
  if (path.endsWith(".br")) {
    return (await scanThrough(path, createBrotliDecompress(), finder)).found;
  }
  const isGzip = /^\x1f\x8b\x08/.test(head);
  if (!isGzip && !/^\x78[\x01\x5e\x9c\xda]/.test(head)) return null;
  const whole = await scanThrough(path, isGzip ? createGunzip() : createInflate(), finder);
  if (whole.found !== null || !whole.isDamaged) return whole.found;
  return scanDamaged(path, isGzip ? gzipHeader(readHead(path)) : 2, finder);
}

async function scanThrough(path: string, unpack: Duplex, finder: SecretFinder) {
  let found: FoundSecret | null = null;
  try {
    await pipeline(chunksOf(path), unpack, async (chunks: AsyncIterable<Buffer>) => {
      ({ found } = await search(chunks, finder, true));
    });
    return { found, isDamaged: false };
  } catch (error) {
    // It only looks compressed, or is cut or changed; its bytes were searched before.
    if (!(error instanceof Error && "code" in error)) throw error;
    return { found, isDamaged: true };
  }
}

/**
 * Searches what can be decompressed of a damaged file. A decompressor keeps back what it had when it met the damage: without
 * header and check sum, in small pieces, and with what is there at the end, a few bytes before the damage are lost.
 *
 * @param from offset of the deflated bytes
 */
async function scanDamaged(path: string, from: number, finder: SecretFinder) {
  const raw = createInflateRaw({ chunkSize: 64, finishFlush: constants.Z_SYNC_FLUSH });
  let found: FoundSecret | null = null;
  let [pieces, length, bytes]: [Buffer[], number, number] = [[], 0, 0];
  const look = (): void => {
    const all = Buffer.concat(pieces);
    found ??= finder.find(all);
    pieces = [all.subarray(Math.max(0, all.length - finder.longest))];
    length = pieces[0]?.length ?? 0;
  };
  // An iterator would lose the pieces that wait when the stream fails.
  raw.on("data", (piece: Buffer) => {
    pieces.push(piece);
    length += piece.length;
    bytes += piece.length;
    if (length > CHUNK) look();
    if (found !== null || bytes > MOST_UNPACKED) raw.destroy();
  });
  await pipeline(chunksOf(path, from), raw).catch(() => undefined);
  look();
  return found;
}

/** More than a header has whose name is a path. */
const HEAD_BYTES = 1 << 16;

function readHead(path: string): Buffer {
  const file = openSync(path, "r");
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    return head.subarray(0, readSync(file, head));
  } finally {
    closeSync(file);
  }
}

/** Length of the header of a gzip file (RFC 1952, section 2.3). */
function gzipHeader(head: Buffer): number {
  const flags = head[3] ?? 0;
  let at = 10;
  if ((flags & 4) !== 0) at += 2 + (head[at] ?? 0) + ((head[at + 1] ?? 0) << 8);
  // A name and a comment, each with a NUL at its end.
  for (const flag of [8, 16]) if ((flags & flag) !== 0) at = head.indexOf(0, at) + 1 || head.length;
  return (flags & 2) === 0 ? at : at + 2;
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
