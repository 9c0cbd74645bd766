/**
 * What is known of each address and of each picture, from one run to the next.
 *
 * Two tables, since many addresses may lead to one picture: it is encoded once. Pages read the same file.
 */
import { join } from "node:path";
import { z } from "zod";
import { parseJson } from "../contract/decode.ts";
import type { Database } from "../sqlite/database.ts";
import { openDisposable, readDisposable } from "../sqlite/disposable.ts";
import { FAILURES, type FailureReason } from "./failures.ts";
import type { Validators } from "./answer.ts";

/** `version` counts what pages would see: a run that finds nothing new leaves it alone. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS pictures(
    id TEXT PRIMARY KEY, recipe TEXT NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL, colour TEXT,
    originalBytes INTEGER NOT NULL, files TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS addresses(
    address TEXT PRIMARY KEY, picture TEXT, seen INTEGER NOT NULL, freshUntil INTEGER NOT NULL,
    validators TEXT, reason TEXT, detail TEXT, failures INTEGER NOT NULL, retryAt INTEGER NOT NULL
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
export function indexPath(cacheDir: string): string {
  return join(cacheDir, "index-1.sqlite");
}

/** Our own rows, but a file on a disk: its JSON is read like any other input, and a damaged row counts as none. */
const validatorsSchema: z.ZodType<Validators> = z.object({
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  from: z.string(),
});

const fileSchema = z.object({
  name: z.string(),
  bytes: z.int(),
  type: z.enum(["image/avif", "image/webp"]),
  density: z.number(),
  width: z.int(),
  height: z.int(),
});

export type PictureFile = Readonly<z.infer<typeof fileSchema>>;

export interface StoredPicture {
  /** SHA-256 of the original. */
  readonly id: string;
  readonly recipe: string;
  readonly width: number;
  readonly height: number;
  readonly colour: string | null;
  readonly originalBytes: number;
  readonly files: readonly PictureFile[];
}

export interface AddressRow {
  readonly address: string;
  /** Key of `pictures`; also kept while a later fetch fails. */
  readonly picture: string | null;
  /** When a run last met the address, in milliseconds since the epoch. */
  readonly seen: number;
  readonly freshUntil: number;
  readonly validators: Validators | null;
  /** Why the last fetch failed; null when it did not. */
  readonly reason: FailureReason | null;
  readonly detail: string | null;
  /** In a row. */
  readonly failures: number;
  readonly retryAt: number;
}

type RawAddress = Omit<AddressRow, "validators"> & { readonly validators: string | null };
type RawPicture = Omit<StoredPicture, "files"> & { readonly files: string };

export class PictureIndex {
  readonly #database: Database;

  private constructor(database: Database) {
    this.#database = database;
  }

  /** @throws {DiskError} when the disk is full, read-only, or refuses */
  static open(path: string): PictureIndex {
    return new PictureIndex(openDisposable(path, SCHEMA));
  }

  /** For pages: null where the file is missing or damaged. */
  static read(path: string): PictureIndex | null {
    const database = readDisposable(path);
    return database && new PictureIndex(database);
  }

  address(address: string): AddressRow | null {
    const raw = this.#database.get<RawAddress>(
      "SELECT * FROM addresses WHERE address = ?",
      address,
    );
    if (raw === undefined) return null;
    // Another version of the program may have written it.
    if (raw.reason !== null && !Object.hasOwn(FAILURES, raw.reason)) return null;
    const validators = validatorsSchema.safeParse(parseJson(raw.validators ?? "")).data ?? null;
    return { ...raw, validators };
  }

  picture(id: string): StoredPicture | null {
    const raw = this.#database.get<RawPicture>("SELECT * FROM pictures WHERE id = ?", id);
    const files = z.array(fileSchema).safeParse(parseJson(raw?.files ?? "")).data;
    return raw === undefined || files === undefined ? null : { ...raw, files };
  }

  saveAddress(row: AddressRow): void {
    this.#save("addresses", {
      ...row,
      validators: row.validators === null ? null : JSON.stringify(row.validators),
    });
  }

  savePicture(picture: StoredPicture): void {
    this.#save("pictures", { ...picture, files: JSON.stringify(picture.files) });
  }

  /** Not REPLACE, which would delete the row behind the triggers' back. */
  #save(table: "addresses" | "pictures", row: RawAddress | RawPicture): void {
    const columns = Object.keys(row);
    const marks = columns.map(() => "?").join(", ");
    const updates = columns.map((column) => `${column} = excluded.${column}`).join(", ");
    const key = table === "addresses" ? "address" : "id";
    this.#database.run(
      `INSERT INTO ${table}(${columns.join(", ")}) VALUES (${marks}) ON CONFLICT(${key}) DO UPDATE SET ${updates}`,
      ...Object.values(row),
    );
  }

  /** A version of all that pages read in here: equal while none of it changes. */
  version(): string {
    const row = this.#database.get<{ born: string; changes: number }>(
      "SELECT born, changes FROM version",
    );
    return `${row?.born}-${row?.changes}`;
  }

  /** Of the addresses that the last run met: how many lead to a picture, and how many failed for which reason. */
  ofLastRun(): { shown: number; reasons: Record<string, number> } {
    const rows = this.#database.all<{ shown: number; reason: string | null; n: number }>(
      `SELECT picture IS NOT NULL AS shown, reason, count(*) AS n FROM addresses
        WHERE seen = (SELECT max(seen) FROM addresses) GROUP BY 1, 2 ORDER BY 1, 2`,
    );
    const reasons: Record<string, number> = {};
    let shown = 0;
    for (const row of rows) {
      shown += row.shown * row.n;
      if (row.reason !== null) reasons[row.reason] = (reasons[row.reason] ?? 0) + row.n;
    }
    return { shown, reasons };
  }

  /** Forgets addresses not met since `seen`, and pictures no address leads to. */
  forgetBefore(seen: number): void {
    this.#database.transaction(() => {
      this.#database.run("DELETE FROM addresses WHERE seen < ?", seen);
      this.#database.run(
        "DELETE FROM pictures WHERE id NOT IN (SELECT picture FROM addresses WHERE picture IS NOT NULL)",
      );
    });
  }

  /** Names of all files of all pictures. */
  files(): string[] {
    const rows = this.#database.all<{ id: string }>("SELECT id FROM pictures");
    return rows.flatMap(({ id }) => this.picture(id)?.files.map(({ name }) => name) ?? []);
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}
