/** Which Open Graph image belongs to which page, and from which words and theme it was set. */
import { join } from "node:path";
import type { OgShape } from "../../contract/picture.ts";
import type { Database } from "../../sqlite/database.ts";
import { openDisposable, readDisposable } from "../../sqlite/disposable.ts";
import type { StoredFile } from "../files.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS cards(
    key TEXT NOT NULL, shape TEXT NOT NULL, digest TEXT NOT NULL, name TEXT NOT NULL, bytes INTEGER NOT NULL,
    seen INTEGER NOT NULL, PRIMARY KEY(key, shape)) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS byDigest ON cards(digest);`;

export function ogIndexPath(cacheDir: string): string {
  return join(cacheDir, "index-1.sqlite");
}

export class OgIndex {
  readonly #database: Database;

  private constructor(database: Database) {
    this.#database = database;
  }

  /** @throws {DiskError} when the disk is full, read-only, or refuses */
  static open(path: string): OgIndex {
    return new OgIndex(openDisposable(path, SCHEMA));
  }

  /** For pages: null where the file is missing or damaged. */
  static read(path: string): OgIndex | null {
    const database = readDisposable(path);
    return database && new OgIndex(database);
  }

  /** The file of every image. */
  all(): Generator<{ readonly key: string; readonly shape: OgShape; readonly name: string }> {
    return this.#database.each("SELECT key, shape, name FROM cards");
  }

  /** The file of an image that was drawn from the same words in the same theme, for any page. */
  twin(digest: string): StoredFile | null {
    return (
      this.#database.get<{ name: string; bytes: number }>(
        "SELECT name, bytes FROM cards WHERE digest = ? LIMIT 1",
        digest,
      ) ?? null
    );
  }

  /** @param seen when the run began, in milliseconds since the epoch */
  save(key: string, shape: OgShape, digest: string, file: StoredFile, seen: number): void {
    this.#database.run(
      "INSERT OR REPLACE INTO cards(key, shape, digest, name, bytes, seen) VALUES (?, ?, ?, ?, ?, ?)",
      key,
      shape,
      digest,
      file.name,
      file.bytes,
      seen,
    );
  }

  /** Forgets the images of pages that this run did not ask for. */
  keepOnly(seen: number): void {
    this.#database.run("DELETE FROM cards WHERE seen <> ?", seen);
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}
