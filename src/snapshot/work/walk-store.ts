/**
 * What a walk stores in the working database: windows, states, plans of slices, and unreadable records.
 *
 * A window, its quotes and the state of its chain are written in one transaction (docs/walk.md, section 9).
 */
import type { Quarantined } from "../../contract/body.ts";
import type { Quote } from "../../contract/quote.ts";
import { EVERYTHING, filterName, type Filter, type Window } from "../../contract/window.ts";
import type { Database } from "../../sqlite/database.ts";
import { LENGTH, writeQuotes } from "../row.ts";

/** State of a chain or of gathered evidence, as plain JSON. */
export type StoredState = Readonly<Record<string, unknown>>;

export interface WindowRecord {
  readonly window: Window;
  /** Quotes of the window that pass the selection. */
  readonly quotes: readonly Quote[];
  readonly quarantined: readonly Quarantined[];
  /** State of the window's chain after it; absent for windows outside of a chain. */
  readonly state?: StoredState;
  /** The slice that the window settles. */
  readonly slice?: SettledSlice;
}

/** A slice that need not be read again, and the smaller slices in its place: none when it was read whole. */
export interface SettledSlice {
  /** Name of the filter that was cut into slices. */
  readonly of: string;
  readonly slice: Filter;
  readonly instead: readonly Filter[];
}

/** Number of quotes by length in code points, shortest first. */
export type Lengths = readonly { readonly length: number; readonly quotes: number }[];

/** Windows of a chain: those read as probes, slices or for an audit are not part of one. */
const FROM_CHAIN = "FROM windows WHERE filter = ? AND kind IN ('walk', 'repair')";

/** Keys in the windows of one list. */
const KEYS_IN =
  "SELECT key.value FROM windows, json_each(body, '$.pks') AS key WHERE filter = ? AND kind";

/**
 * Unreadable records of the collection, each once: several lists may hold the same record. One without a key counts only
 * in a whole list, and not in a slice by length (the fourth and fifth part of a name) or among the most liked.
 */
const UNREADABLE = `SELECT min(place) AS "offset", reason FROM quarantine
  WHERE filter ->> '$[2]' = ? AND (pk IS NOT NULL OR
    (filter ->> '$[3]' IS NULL AND filter ->> '$[4]' IS NULL AND NOT filter ->> '$[5]'))
  GROUP BY coalesce(pk, filter || place)`;

/** A reason without the value that was found. */
const KIND = `CASE instr(reason, ', got') WHEN 0 THEN reason ELSE substr(reason, 1, instr(reason, ', got') - 1) END`;

/** Unreadable records: their number, and the first of them. */
export interface QuarantineReport {
  readonly total: number;
  readonly first: readonly { readonly offset: number; readonly reason: string }[];
  /** By reason, the most frequent first. */
  readonly reasons: readonly { readonly reason: string; readonly records: number }[];
}

export class WalkStore {
  protected readonly database: Database;
  /** Whether the selection is curated. If not, the curated list repeats records that are already counted. */
  readonly #curated: boolean;
  #quotesSeen: number;

  constructor(database: Database, curated: boolean) {
    this.database = database;
    this.#curated = curated;
    this.#quotesSeen = database.number("SELECT count(*) AS n FROM quotes");
  }

  /** Number of different quotes stored so far in this run. */
  get quotesSeen(): number {
    return this.#quotesSeen;
  }

  /** Size of the file. */
  get bytes(): number {
    return this.database.number(
      "SELECT page_count * page_size AS n FROM pragma_page_count, pragma_page_size",
    );
  }

  save({ window, quotes, quarantined, state, slice }: WindowRecord): void {
    this.#quotesSeen += this.database.transaction(() => {
      const { filter, kind, offset } = window;
      const added = writeQuotes(this.database, quotes);
      const insert = "INSERT INTO windows (filter, kind, body) VALUES (?, ?, ?)";
      this.database.run(insert, filter, kind, JSON.stringify(window));
      for (const { index, pk, reason } of quarantined) {
        const note = "INSERT INTO quarantine VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING";
        this.database.run(note, filter, offset + index, pk, reason);
      }
      if (state !== undefined) this.saveState(filter, state);
      if (slice !== undefined) this.settleSlice(slice);
      return added;
    });
  }

  /** State stored under a name, usually of a filter; null for none. */
  state(name: string): StoredState | null {
    const sql = "SELECT state FROM states WHERE name = ?";
    const row = this.database.get<{ state: string }>(sql, name);
    return row === undefined ? null : (JSON.parse(row.state) as StoredState);
  }

  saveState(name: string, state: StoredState): void {
    this.database.run("INSERT OR REPLACE INTO states VALUES (?, ?)", name, JSON.stringify(state));
  }

  /** The last windows of a chain, oldest first. */
  lastWindows(filter: string, count: number): Window[] {
    return this.#windows("number DESC LIMIT ?", filter, count).reverse();
  }

  /** One window of a chain, by its place in the order of acceptance, from 0; undefined beyond the last. */
  windowAt(filter: string, place: number): Window | undefined {
    return this.#windows("number LIMIT 1 OFFSET ?", filter, place)[0];
  }

  /** Stores a plan of slices, in place of an earlier one. */
  planSlices(of: string, slices: readonly Filter[]): void {
    this.database.transaction(() => {
      this.database.run(`CREATE INDEX IF NOT EXISTS quotes_by_length ON quotes (${LENGTH})`);
      this.database.run("DELETE FROM slices WHERE of = ?", of);
      this.#addSlices(of, slices);
    });
  }

  /** Slices of a plan that are still to be read; null when there is no plan. */
  openSlices(of: string): Filter[] | null {
    const sql = "SELECT filter, settled FROM slices WHERE of = ? ORDER BY rowid";
    const rows = this.database.all<{ filter: string; settled: number }>(sql, of);
    const open = rows.filter(({ settled }) => settled === 0);
    return rows.length === 0 ? null : open.map(({ filter }) => JSON.parse(filter) as Filter);
  }

  settleSlice({ of, slice, instead }: SettledSlice): void {
    this.database.transaction(() => {
      const sql = "UPDATE slices SET settled = 1 WHERE of = ? AND filter = ?";
      this.database.run(sql, of, JSON.stringify(slice));
      this.#addSlices(of, instead);
    });
  }

  /** Lengths of the quotes stored for a list. */
  lengths(filter: Filter): Lengths {
    const { where, values } = inList(filter);
    return this.database.all<Lengths[number]>(
      `SELECT ${LENGTH} AS length, count(*) AS quotes FROM quotes WHERE ${where} GROUP BY 1 ORDER BY 1`,
      ...values,
    );
  }

  /** Length of the quote in a place of a list, the longest first, from 0; undefined beyond the last. */
  lengthAt(filter: Filter, place: number): number | undefined {
    const { where, values } = inList(filter);
    const sql = `SELECT ${LENGTH} AS n FROM quotes WHERE ${where} ORDER BY 1 DESC LIMIT 1 OFFSET ?`;
    return this.database.get<{ n: number }>(sql, ...values, place)?.n;
  }

  /** Those of the keys that no window of a chain holds. */
  findUnseen(filter: string, pks: readonly number[]): number[] {
    const sql = `SELECT value AS n FROM json_each(?)
      WHERE value NOT IN (${KEYS_IN} IN ('walk', 'repair'))`;
    return this.database.all<{ n: number }>(sql, JSON.stringify(pks), filter).map(({ n }) => n);
  }

  /**
   * Keys of stored quotes whose length is strictly between the bounds of a slice in every unit: code points are the
   * smallest unit count of a text, and bytes the largest.
   */
  findKnown(slice: Filter): number[] {
    const { where, values } = inList(slice);
    const [low, high] = [slice.minLength ?? 0, slice.maxLength ?? Number.MAX_SAFE_INTEGER];
    return this.database
      .all<{ id: number }>(
        `SELECT id FROM quotes WHERE ${LENGTH} > ? AND ${LENGTH} < ?
            AND length(CAST(coalesce(served ->> '$.quote', text) AS BLOB)) < ? AND ${where}`,
        ...[low, high, high],
        ...values,
      )
      .map(({ id }) => id);
  }

  languagesSeen(): string[] {
    const sql = "SELECT DISTINCT language FROM quotes ORDER BY language";
    return this.database.all<{ language: string }>(sql).map(({ language }) => language);
  }

  /** The three most frequent reasons why records could not be read, for a message. */
  get unreadable(): string {
    const reasons = this.quarantined(0).reasons.slice(0, 3);
    return reasons.map(({ reason, records }) => `${records} times: ${reason}`).join("; ");
  }

  /** @param limit largest number of records in `first` */
  quarantined(limit: number): QuarantineReport {
    const of = Number(this.#curated);
    const reasons = this.database.all<QuarantineReport["reasons"][number]>(
      `SELECT ${KIND} AS reason, count(*) AS records FROM (${UNREADABLE})
        GROUP BY 1 ORDER BY 2 DESC, 1`,
      of,
    );
    return {
      total: reasons.reduce((sum, { records }) => sum + records, 0),
      first: this.database.all(`${UNREADABLE} ORDER BY min(place) LIMIT ?`, of, limit),
      reasons,
    };
  }

  #addSlices(of: string, slices: readonly Filter[]): void {
    const sql = "INSERT INTO slices (of, filter) VALUES (?, ?) ON CONFLICT DO NOTHING";
    for (const slice of slices) this.database.run(sql, of, JSON.stringify(slice));
  }

  #windows(order: string, filter: string, count: number): Window[] {
    const sql = `SELECT body ${FROM_CHAIN} ORDER BY ${order}`;
    const rows = this.database.all<{ body: string }>(sql, filter, count);
    return rows.map(({ body }) => JSON.parse(body) as Window);
  }
}

/** SQL condition for the quotes of a list, ignoring its bounds of length. Its windows show which quotes are curated. */
function inList({ language, tag, curated }: Filter): { where: string; values: (string | null)[] } {
  if (tag === null && !curated) {
    return { where: "language = coalesce(?, language)", values: [language] };
  }
  const list = filterName({ ...EVERYTHING, language, tag, curated });
  return { where: `id IN (${KEYS_IN} IS NOT NULL)`, values: [list] };
}
