/**
 * The indexes of the caches of thumbnails and Open Graph images, which pages read too.
 *
 * Addresses and pictures have a table each: many addresses may serve one picture, which is encoded once.
 */
import { join } from "node:path";
import { z } from "zod";
import { parseJson } from "../contract/decode.ts";
import type { Database, Value } from "../sqlite/database.ts";
import { openDisposable, readDisposable } from "../sqlite/disposable.ts";
import type { Validators } from "./answer.ts";
import { type FailureReason, isReason } from "./failures.ts";

/** `version` counts the changes that pages would show. */
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

/** Change the name with every change of the tables. */
const PICTURE_INDEX = "index-2.sqlite";

/** @throws {DiskError} when the disk is full, read-only, or refuses */
export const openPictureIndex = (cacheDir: string): Database =>
  openDisposable(join(cacheDir, PICTURE_INDEX), SCHEMA);

/** For pages: null where the file is missing or damaged. */
export const readPictureIndex = (cacheDir: string): Database | null =>
  readDisposable(join(cacheDir, PICTURE_INDEX));

export interface AddressRow extends Validators {
  readonly address: string;
  /** Key of `pictures`; may be kept while later requests fail. */
  readonly picture: string | null;
  /** Start of the last run with this address, in milliseconds since the epoch. */
  readonly seen: number;
  readonly freshUntil: number;
  readonly reason: FailureReason | null;
  readonly detail: string | null;
  /** Consecutive ones. */
  readonly failures: number;
  readonly retryAt: number;
}

/** Null for an unknown address, and for a failure with a reason of another version of the program. */
export function readAddress(index: Database, address: string): AddressRow | null {
  const row = index.get<AddressRow>("SELECT * FROM addresses WHERE address = ?", address);
  return row === undefined || (row.reason !== null && !isReason(row.reason)) ? null : row;
}

/** A row with damaged JSON counts as missing. */
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

/** An upsert and not REPLACE, for which the update triggers would not run. */
function save(index: Database, table: string, key: string, row: Record<string, Value>): void {
  const columns = Object.keys(row);
  const marks = columns.map(() => "?").join(", ");
  const updates = columns.map((column) => `${column} = excluded.${column}`).join(", ");
  index.run(
    `INSERT INTO ${table}(${columns.join(", ")}) VALUES (${marks}) ON CONFLICT(${key}) DO UPDATE SET ${updates}`,
    ...Object.values(row),
  );
}

/** The Open Graph image of each page and shape, and a digest of its text and theme. */
const OG_SCHEMA = `
  CREATE TABLE IF NOT EXISTS cards(
    key TEXT NOT NULL, shape TEXT NOT NULL, digest TEXT NOT NULL, name TEXT NOT NULL, bytes INTEGER NOT NULL,
    seen INTEGER NOT NULL, PRIMARY KEY(key, shape)) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS byDigest ON cards(digest);`;

const OG_INDEX = "index-1.sqlite";

/** @throws {DiskError} when the disk is full, read-only, or refuses */
export const openOgIndex = (cacheDir: string): Database =>
  openDisposable(join(cacheDir, OG_INDEX), OG_SCHEMA);

/**
 * For pages: the file of each image by `SHAPE KEY`; empty where the index is missing or damaged. It is a Map since a query for
 * every page took a tenth of the time of a build.
 */
export function readOgNames(cacheDir: string): ReadonlyMap<string, string> {
  using index = readDisposable(join(cacheDir, OG_INDEX));
  return new Map(index?.tuples<[string, string]>("SELECT shape || ' ' || key, name FROM cards"));
}
