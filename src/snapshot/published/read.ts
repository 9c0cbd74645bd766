/** Opens what is published, read-only. A snapshot never changes, so a reader needs no lock and sees no half of one. */
import { existsSync } from "node:fs";
import { DiskError } from "../../contract/errors.ts";
import type { CuratedFact } from "../../contract/harvest-result.ts";
import type { Quote } from "../../contract/quote.ts";
import type { NameCount, NewDay, PublishedSnapshot } from "./published-snapshot.ts";
import type { Tag } from "../../contract/tag.ts";
import { Database } from "../../sqlite/database.ts";
import { QUOTE_COLUMNS, quoteOf, type QuoteTuple } from "../row.ts";
import { readPointer, snapshotPath } from "./pointer.ts";
import { PUBLISHED_VERSION } from "./schema.ts";

const SELECT = `SELECT ${QUOTE_COLUMNS} FROM quotes`;
const SELECT_RANGE = `${SELECT} WHERE id >= ? AND id <= ? ORDER BY id`;
const SELECT_ONE = `${SELECT} WHERE id = ?`;

/**
 * The snapshot that the pointer names; null when nothing was ever published.
 *
 * @throws {DiskError} when the pointer names a file that is missing, damaged, or of another version
 */
export function openPublished(stateDir: string): PublishedSnapshot | null {
  const id = readPointer(stateDir);
  return id === null ? null : openSnapshot(snapshotPath(stateDir, id), id);
}

export function openSnapshot(path: string, id: string): PublishedSnapshot {
  if (!existsSync(path)) throw new DiskError(`Cannot use ${path}: it is missing`);
  const database = new Database(path, { immutable: true });
  try {
    checkVersion(database);
  } catch (error) {
    database.close();
    throw error;
  }
  return new Snapshot(database, id);
}

function checkVersion(database: Database): void {
  const version = database.get<{ user_version: number }>("PRAGMA user_version")?.user_version;
  if (version !== PUBLISHED_VERSION) {
    throw new DiskError(`Cannot use ${database.path}: not a snapshot of this version`);
  }
}

class Snapshot implements PublishedSnapshot {
  readonly id: string;
  readonly path: string;
  readonly #database: Database;
  #known: boolean | undefined;

  constructor(database: Database, id: string) {
    this.#database = database;
    this.id = id;
    this.path = database.path;
  }

  quote(id: number): Quote | undefined {
    const row = this.#database.tuple<QuoteTuple>(SELECT_ONE, id);
    return row === undefined ? undefined : quoteOf(row);
  }

  quotes(ids: readonly number[]): Quote[] {
    return ids.map((id) => this.quote(id)).filter((quote) => quote !== undefined);
  }

  *all(): Generator<Quote, void, undefined> {
    const rows = this.#database.tuples<QuoteTuple>(`${SELECT} ORDER BY id`);
    for (const row of rows) yield quoteOf(row);
  }

  *between(first: number, last: number): Generator<Quote, void, undefined> {
    const rows = this.#database.tuples<QuoteTuple>(SELECT_RANGE, first, last);
    for (const row of rows) yield quoteOf(row);
  }

  count(): number {
    return this.#database.get<{ n: number }>("SELECT count(*) AS n FROM quotes")?.n ?? 0;
  }

  authors(): Iterable<NameCount<string | null>> {
    return this.#database.each<NameCount<string | null>>(
      "SELECT author AS name, count(*) AS quotes FROM quotes GROUP BY author",
    );
  }

  tags(): Iterable<NameCount> {
    return this.#database.each<NameCount>(
      `SELECT tag.value AS name, count(*) AS quotes
         FROM quotes, json_each(quotes.tags) AS tag GROUP BY tag.value`,
    );
  }

  languages(): Iterable<NameCount> {
    return this.#database.each<NameCount>(
      "SELECT language AS name, count(*) AS quotes FROM quotes GROUP BY language",
    );
  }

  isCurated(id: number): boolean | null {
    if (!this.#knowsCurated) return null;
    return this.#database.get("SELECT 1 FROM curated WHERE id = ?", id) !== undefined;
  }

  curatedKeys(): Iterable<number> | null {
    return this.#knowsCurated ? this.#curatedKeys() : null;
  }

  *#curatedKeys(): Generator<number, void, undefined> {
    for (const { id } of this.#database.each<{ id: number }>("SELECT id FROM curated ORDER BY id"))
      yield id;
  }

  get #knowsCurated(): boolean {
    this.#known ??= this.fact<CuratedFact>("curated") !== undefined;
    return this.#known;
  }

  newDays(most: number): NewDay[] {
    const older = "SELECT 1 FROM sqlite_schema WHERE name = 'first_seen'";
    if (this.#database.get(older) === undefined) return [];
    const sql =
      "SELECT DISTINCT substr(since, 1, 10) AS date FROM first_seen ORDER BY date DESC LIMIT ?";
    return this.#database
      .all<{ date: string }>(sql, most)
      .map(({ date }) => ({ date, ids: () => this.#newOn(date) }));
  }

  *#newOn(date: string): Generator<number, void, undefined> {
    const rows = this.#database.each<{ id: number }>(
      `SELECT id FROM first_seen JOIN quotes USING (id)
        WHERE substr(since, 1, 10) = ? ORDER BY likes DESC, id`,
      date,
    );
    for (const { id } of rows) yield id;
  }

  *images(): Generator<string, void, undefined> {
    const rows = this.#database.each<{ image: string }>(
      "SELECT DISTINCT image FROM quotes WHERE image IS NOT NULL ORDER BY image",
    );
    for (const { image } of rows) yield image;
  }

  tagList(): Tag[] {
    return this.#database.all<Tag>("SELECT name, slug FROM tags ORDER BY name");
  }

  fact<T>(key: string): T | undefined {
    const sql = "SELECT value FROM facts WHERE key = ? AND json_valid(value)";
    const row = this.#database.get<{ value: string }>(sql, key);
    return row === undefined ? undefined : (JSON.parse(row.value) as T);
  }

  close(): void {
    this.#database.close();
  }
}
