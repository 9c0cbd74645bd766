/** What a walk keeps in the working database: its windows and states, its plans of slices, and what could not be read. */
import type {
  Lengths,
  SliceSettled,
  StoredState,
  WalkStore,
  WindowRecord,
} from "../../contract/walk-store.ts";
import { EVERYTHING, filterName, type Filter, type Window } from "../../contract/window.ts";
import type { Database } from "../../sqlite/database.ts";
import { LENGTH, writeQuotes } from "../row.ts";

/** The windows of a chain; what was read for other reasons is no part of it. */
const OF_CHAIN = "FROM windows WHERE filter = ? AND kind IN ('walk', 'repair')";

/** Keys seen in the windows of one list. */
const SEEN_IN =
  "SELECT key.value FROM windows, json_each(body, '$.pks') AS key WHERE filter = ? AND kind";

/** Unreadable records of the collection itself: once each, though several lists may bring them. */
const OF_COLLECTION = `SELECT min(place) AS "offset", reason FROM quarantine
  WHERE json_extract(filter, '$[2]') = ? GROUP BY coalesce(pk, filter || place)`;

/** A reason without the value that was found. */
const KIND = `CASE instr(reason, ', got') WHEN 0 THEN reason ELSE substr(reason, 1, instr(reason, ', got') - 1) END`;

/** Records that could not be read: how many, and the first of them. */
export interface QuarantineReport {
  readonly total: number;
  readonly first: readonly { readonly offset: number; readonly reason: string }[];
  /** By reason, the most frequent first. */
  readonly reasons: readonly { readonly reason: string; readonly records: number }[];
}

export class WalkTables implements WalkStore {
  protected readonly database: Database;
  /** Whether the collection is that of the curated quotes; else their list holds records that were counted before. */
  readonly #curated: boolean;
  #quotesSeen: number;

  constructor(database: Database, curated: boolean) {
    this.database = database;
    this.#curated = curated;
    this.#quotesSeen = database.number("SELECT count(*) AS n FROM quotes");
  }

  get quotesSeen(): number {
    return this.#quotesSeen;
  }

  get bytes(): number {
    return this.database.number(
      "SELECT page_count * page_size AS n FROM pragma_page_count, pragma_page_size",
    );
  }

  /** One transaction: a window, its quotes and its state are never apart. */
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
      if (state !== undefined) this.#putState(filter, state);
      if (slice !== undefined) this.#settle(slice);
      return added;
    });
  }

  state(name: string): StoredState | null {
    const sql = "SELECT state FROM states WHERE name = ?";
    const row = this.database.get<{ state: string }>(sql, name);
    return row === undefined ? null : (JSON.parse(row.state) as StoredState);
  }

  saveState(name: string, state: StoredState): void {
    this.database.transaction(() => this.#putState(name, state));
  }

  lastWindows(filter: string, count: number): Window[] {
    return this.#windows("number DESC LIMIT ?", filter, count).reverse();
  }

  windowAt(filter: string, place: number): Window | undefined {
    return this.#windows("number LIMIT 1 OFFSET ?", filter, place)[0];
  }

  planSlices(of: string, slices: readonly Filter[]): void {
    this.database.transaction(() => {
      this.database.run(`CREATE INDEX IF NOT EXISTS quotes_by_length ON quotes (${LENGTH})`);
      this.database.run("DELETE FROM slices WHERE of = ?", of);
      this.#addSlices(of, slices);
    });
  }

  openSlices(of: string): Filter[] | null {
    const sql = "SELECT filter, settled FROM slices WHERE of = ? ORDER BY rowid";
    const rows = this.database.all<{ filter: string; settled: number }>(sql, of);
    const open = rows.filter(({ settled }) => settled === 0);
    return rows.length === 0 ? null : open.map(({ filter }) => JSON.parse(filter) as Filter);
  }

  settleSlice(settled: SliceSettled): void {
    this.database.transaction(() => this.#settle(settled));
  }

  lengths(filter: Filter): Lengths {
    const { where, values } = listed(filter);
    return this.database.all<Lengths[number]>(
      `SELECT ${LENGTH} AS length, count(*) AS quotes FROM quotes WHERE ${where} GROUP BY 1 ORDER BY 1`,
      ...values,
    );
  }

  unmet(filter: string, pks: readonly number[]): number[] {
    const sql = `SELECT value AS n FROM json_each(?)
      WHERE value NOT IN (${SEEN_IN} IN ('walk', 'repair'))`;
    return this.database.all<{ n: number }>(sql, JSON.stringify(pks), filter).map(({ n }) => n);
  }

  /** Code points are the shortest unit and bytes the longest: a text within the bounds in both is within them in every unit. */
  knownIn(slice: Filter): number[] {
    const { where, values } = listed(slice);
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

  get unreadable(): string {
    const reasons = this.quarantined(0).reasons.slice(0, 3);
    return reasons.map(({ reason, records }) => `${records} times: ${reason}`).join("; ");
  }

  /** @param limit of the records that are listed */
  quarantined(limit: number): QuarantineReport {
    const of = Number(this.#curated);
    const reasons = this.database.all<QuarantineReport["reasons"][number]>(
      `SELECT ${KIND} AS reason, count(*) AS records FROM (${OF_COLLECTION})
        GROUP BY 1 ORDER BY 2 DESC, 1`,
      of,
    );
    return {
      total: reasons.reduce((sum, { records }) => sum + records, 0),
      first: this.database.all(`${OF_COLLECTION} ORDER BY min(place) LIMIT ?`, of, limit),
      reasons,
    };
  }

  #putState(name: string, state: StoredState): void {
    this.database.run("INSERT OR REPLACE INTO states VALUES (?, ?)", name, JSON.stringify(state));
  }

  #settle({ of, slice, instead }: SliceSettled): void {
    const sql = "UPDATE slices SET settled = 1 WHERE of = ? AND filter = ?";
    this.database.run(sql, of, JSON.stringify(slice));
    this.#addSlices(of, instead);
  }

  #addSlices(of: string, slices: readonly Filter[]): void {
    const sql = "INSERT INTO slices (of, filter) VALUES (?, ?) ON CONFLICT DO NOTHING";
    for (const slice of slices) this.database.run(sql, of, JSON.stringify(slice));
  }

  #windows(order: string, filter: string, count: number): Window[] {
    const sql = `SELECT body ${OF_CHAIN} ORDER BY ${order}`;
    const rows = this.database.all<{ body: string }>(sql, filter, count);
    return rows.map(({ body }) => JSON.parse(body) as Window);
  }
}

/** The quotes of a list, without its bounds of length. What a record does not state (curated) is read from its windows. */
function listed({ language, tag, curated }: Filter): { where: string; values: (string | null)[] } {
  if (tag === null && !curated) {
    return { where: "language = coalesce(?, language)", values: [language] };
  }
  const list = filterName({ ...EVERYTHING, language, tag, curated });
  return { where: `id IN (${SEEN_IN} IS NOT NULL)`, values: [list] };
}
