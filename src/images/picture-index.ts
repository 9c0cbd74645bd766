/**
 * What is known of each address, each picture and each Open Graph image, from one run to the next.
 *
 * Two tables, since many addresses may lead to one picture: it is encoded once. Pages read the same file.
 */
import { join } from "node:path";
import { z } from "zod";
import { parseJson } from "../contract/decode.ts";
import type { Database, Value } from "../sqlite/database.ts";
import { openDisposable, readDisposable } from "../sqlite/disposable.ts";
import type { Validators } from "./answer.ts";
import { type FailureReason, isReason } from "./failures.ts";

/** `version` counts what pages would see: a run that finds nothing new leaves it alone. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS pictures(
    id TEXT PRIMARY KEY, recipe TEXT NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL, colour TEXT,
    originalBytes INTEGER NOT NULL, files TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS addresses(
    address TEXT PRIMARY KEY, picture TEXT, seen INTEGER NOT NULL, freshUntil INTEGER NOT NULL, etag TEXT, lastModified TEXT,
    answeredBy TEXT, reason TEXT, detail TEXT, failures INTEGER NOT NULL, retryAt INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS version(only INTEGER PRIMARY KEY CHECK (only = 1), born TEXT NOT NULL, changes INTEGER NOT NULL) STRICT;
  INSERT OR IGNORE INTO version VALUES (1, hex(randomblob(8)), 0);
  CREATE TRIGGER IF NOT EXISTS pictureChanged AFTER UPDATE ON pictures WHEN old.files IS NOT new.files
    BEGIN UPDATE version SET changes = changes + 1; END;
  CREATE TRIGGER IF NOT EXISTS addressMet AFTER INSERT ON addresses
    BEGIN UPDATE version SET changes = changes + 1; END;
  CREATE TRIGGER IF NOT EXISTS addressChanged AFTER UPDATE ON addresses WHEN old.picture IS NOT new.picture
    BEGIN UPDATE version SET changes = changes + 1; END;`;

/** A new shape of the tables is a new file. */
const indexPath = (cacheDir: string): string => join(cacheDir, "index-2.sqlite");

/** @throws {DiskError} when the disk is full, read-only, or refuses */
export function openPictureIndex(cacheDir: string): Database {
  return openDisposable(indexPath(cacheDir), SCHEMA);
}

/** For pages: null where the file is missing or damaged. */
export function readPictureIndex(cacheDir: string): Database | null {
  return readDisposable(indexPath(cacheDir));
}

export interface AddressRow extends Validators {
  readonly address: string;
  /** Key of `pictures`; also kept while a later fetch fails. */
  readonly picture: string | null;
  /** When a run last met the address, in milliseconds since the epoch. */
  readonly seen: number;
  readonly freshUntil: number;
  /** Why the last fetch failed; null when it did not. */
  readonly reason: FailureReason | null;
  readonly detail: string | null;
  /** In a row. */
  readonly failures: number;
  readonly retryAt: number;
}

/** Null for an address that was not met, or whose failure another version of the program has noted. */
export function readAddress(index: Database, address: string): AddressRow | null {
  const row = index.get<AddressRow>("SELECT * FROM addresses WHERE address = ?", address);
  return row === undefined || (row.reason !== null && !isReason(row.reason)) ? null : row;
}

/** Our own rows, but a file on a disk: its JSON is read like any other input, and a damaged row counts as none. */
const filesSchema = z.array(
  z.object({
    name: z.string(),
    bytes: z.int(),
    type: z.enum(["image/avif", "image/webp"]),
    density: z.number(),
    width: z.int(),
    height: z.int(),
  }),
);

export interface StoredPicture {
  /** SHA-256 of the original. */
  readonly id: string;
  readonly recipe: string;
  readonly width: number;
  readonly height: number;
  readonly colour: string | null;
  readonly originalBytes: number;
  readonly files: z.infer<typeof filesSchema>;
}

export function readPicture(index: Database, id: string): StoredPicture | null {
  const row = index.get<Omit<StoredPicture, "files"> & { readonly files: string }>(
    "SELECT * FROM pictures WHERE id = ?",
    id,
  );
  const files = filesSchema.safeParse(parseJson(row?.files ?? "")).data;
  return row === undefined || files === undefined ? null : { ...row, files };
}

export const saveAddress = (index: Database, row: AddressRow): void =>
  save(index, "addresses", "address", { ...row });

export const savePicture = (index: Database, picture: StoredPicture): void =>
  save(index, "pictures", "id", { ...picture, files: JSON.stringify(picture.files) });

/** Not REPLACE, which would delete the row behind the triggers' back. */
function save(index: Database, table: string, key: string, row: Record<string, Value>): void {
  const columns = Object.keys(row);
  const marks = columns.map(() => "?").join(", ");
  const updates = columns.map((column) => `${column} = excluded.${column}`).join(", ");
  index.run(
    `INSERT INTO ${table}(${columns.join(", ")}) VALUES (${marks}) ON CONFLICT(${key}) DO UPDATE SET ${updates}`,
    ...Object.values(row),
  );
}

/** Which Open Graph image belongs to which page, and from which words and theme it was set. */
const OG_SCHEMA = `
  CREATE TABLE IF NOT EXISTS cards(
    key TEXT NOT NULL, shape TEXT NOT NULL, digest TEXT NOT NULL, name TEXT NOT NULL, bytes INTEGER NOT NULL,
    seen INTEGER NOT NULL, PRIMARY KEY(key, shape)) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS byDigest ON cards(digest);`;

const ogIndexPath = (cacheDir: string): string => join(cacheDir, "index-1.sqlite");

/** @throws {DiskError} when the disk is full, read-only, or refuses */
export function openOgIndex(cacheDir: string): Database {
  return openDisposable(ogIndexPath(cacheDir), OG_SCHEMA);
}

/**
 * For pages: the file of each image, by its shape, a blank and the key of its page; none where the index is missing or damaged.
 * Every page asks, and few have an image: a question of SQLite for each took a tenth of a build.
 */
export function readOgNames(cacheDir: string): ReadonlyMap<string, string> {
  using index = readDisposable(ogIndexPath(cacheDir));
  return new Map(index?.tuples<[string, string]>("SELECT shape || ' ' || key, name FROM cards"));
}
