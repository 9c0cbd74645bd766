/** Reads a published snapshot. A snapshot never changes, so a reader needs no lock. */
import { existsSync } from "node:fs";
import { DiskError, NothingHarvested } from "../../contract/errors.ts";
import type { Quote, Tag } from "../../contract/quote.ts";
import type { Database } from "../../sqlite/database.ts";
import { openTables } from "../format.ts";
import { columnsOf, toQuote } from "../row.ts";
import type { Fact, FactKey } from "../../contract/facts.ts";
import { readFact } from "./facts.ts";
import { readPointer, snapshotPath } from "./pointer.ts";

const SELECT = `SELECT ${columnsOf()} FROM quotes`;
const SELECT_ONE = `${SELECT} WHERE id = ?`;

/** A name and the number of quotes that have it. */
interface NameCount<Name extends string | null = string> {
  readonly name: Name;
  readonly quotes: number;
}

/**
 * Opens the snapshot that the pointer names.
 *
 * @returns null when nothing was ever published
 * @throws {DiskError} when the pointer names a file that is missing or damaged
 * @throws {ConfigurationError} when a newer program made it
 */
export function openPublished(stateDir: string): PublishedSnapshot | null {
  const id = readPointer(stateDir);
  return id === null ? null : openSnapshot(stateDir, id);
}

/** @throws {NothingHarvested} when nothing was ever published */
export function requirePublished(stateDir: string): PublishedSnapshot {
  const snapshot = openPublished(stateDir);
  if (snapshot === null) throw new NothingHarvested(stateDir);
  return snapshot;
}

export function openSnapshot(stateDir: string, id: string): PublishedSnapshot {
  const path = snapshotPath(stateDir, id);
  if (!existsSync(path)) throw new DiskError(`Cannot use ${path}: it is missing`);
  return new PublishedSnapshot(openTables(path), id);
}

/** A published snapshot; immutable. */
export class PublishedSnapshot {
  /** A sequence number, the time in UTC, and a short digest. */
  readonly id: string;
  readonly path: string;
  readonly #database: Database;

  constructor(database: Database, id: string) {
    this.#database = database;
    this.id = id;
    this.path = database.path;
  }

  quote(id: number): Quote | undefined {
    const row = this.#database.tuple<unknown[]>(SELECT_ONE, id);
    return row === undefined ? undefined : toQuote(row);
  }

  /** All quotes, ordered by pk. */
  all(): Iterable<Quote> {
    return this.#database.tuples<unknown[]>(`${SELECT} ORDER BY id`).map(toQuote);
  }

  /** Names its quotes and its tag list: snapshots with one name have the same, whenever they were made. */
  content(): string {
    return this.fact("content") ?? this.id;
  }

  count(): number {
    return this.#database.number("SELECT count(*) AS n FROM quotes");
  }

  /** The name is null for quotes without an author. */
  authors(): Iterable<NameCount<string | null>> {
    const sql = "SELECT author AS name, count(*) AS quotes FROM quotes GROUP BY author";
    return this.#database.each<NameCount<string | null>>(sql);
  }

  tags(): Iterable<NameCount> {
    return this.#database.each<NameCount>(
      `SELECT tag.value AS name, count(*) AS quotes
         FROM quotes, json_each(quotes.tags) AS tag GROUP BY tag.value`,
    );
  }

  languages(): Iterable<NameCount> {
    const sql = "SELECT language AS name, count(*) AS quotes FROM quotes GROUP BY language";
    return this.#database.each<NameCount>(sql);
  }

  /** The service's tag list, which may lack tags of quotes. */
  tagList(): Tag[] {
    return this.#database.all<Tag>("SELECT name, slug FROM tags ORDER BY name");
  }

  /** Ids of the curated quotes, in order; null when unknown. */
  curatedKeys(): Iterable<number> | null {
    if (this.fact("curated") === undefined) return null;
    return this.#values<number>("SELECT id FROM curated ORDER BY id");
  }

  /**
   * The latest days with new quotes, newest first; none where the snapshot is the first.
   *
   * @returns dates, `YYYY-MM-DD` in UTC, and a function that reads the ids of each, most liked first, ties by id
   */
  newDays(most: number) {
    const dated =
      "FROM (SELECT id, likes, substr(since, 1, 10) AS date FROM first_seen JOIN quotes USING (id))";
    const days = `SELECT DISTINCT date ${dated} ORDER BY date DESC LIMIT ?`;
    const ids = `SELECT id ${dated} WHERE date = ? ORDER BY likes DESC, id`;
    return this.#database
      .column<string>(days, most)
      .map((date) => ({ date, ids: () => this.#values<number>(ids, date) }));
  }

  /** Distinct addresses of pictures, in order. */
  images(): Iterable<string> {
    return this.#values<string>(
      "SELECT DISTINCT image FROM quotes WHERE image IS NOT NULL ORDER BY image",
    );
  }

  #values<Item>(sql: string, ...values: string[]): Iterable<Item> {
    return this.#database.tuples<[Item]>(sql, ...values).map(([item]) => item);
  }

  /**
   * A fact about the harvest, such as `source`; undefined when absent or not JSON.
   *
   * @throws {DiskError} when it has another shape than a harvest writes
   */
  fact<Key extends FactKey>(key: Key): Fact<Key> | undefined {
    const sql = "SELECT value FROM facts WHERE key = ? AND json_valid(value)";
    const [text] = this.#database.column<string>(sql, key);
    if (text === undefined) return undefined;
    return readFact(this.path, key, JSON.parse(text) as unknown);
  }

  close(): void {
    this.#database.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
