/** The tables of windows, of the chains they make, and of the records in them that could not be read. */
import type { Quarantined } from "../../contract/page.ts";
import type { Lengths, StoredState } from "../../contract/walk-store.ts";
import {
  EVERYTHING,
  filterName,
  type Filter,
  type Window,
  type WindowKind,
} from "../../contract/window.ts";
import type { Database } from "../../sqlite/database.ts";

/** The windows of a chain; what was read for other reasons is no part of it. */
const SELECT_CHAIN = `
  SELECT kind, "offset", got, is_last, fetched_at, pks FROM windows
   WHERE run = ? AND filter = ? AND kind IN ('walk', 'repair')`;

/** Unreadable records of the collection itself: once each, though several lists may bring them. */
const OF_COLLECTION = `SELECT min(place) AS "offset", reason FROM quarantine
  WHERE run = ? AND json_extract(filter, '$[2]') = ? GROUP BY coalesce(pk, filter || place)`;

/** Length of the words as they were served, in code points; indexed once a collection is cut into slices. */
export const LENGTH = "length(coalesce(served ->> '$.quote', text))";

/** A reason without the value that was found. */
const KIND = `CASE instr(reason, ', got') WHEN 0 THEN reason ELSE substr(reason, 1, instr(reason, ', got') - 1) END`;

/** Records that could not be read: how many, and the first of them. */
export interface QuarantineReport {
  readonly total: number;
  readonly first: readonly { readonly offset: number; readonly reason: string }[];
  /** By reason, the most frequent first. */
  readonly reasons: readonly { readonly reason: string; readonly records: number }[];
}

export class WindowTables {
  readonly #database: Database;
  readonly #run: number;

  constructor(database: Database, run: number) {
    this.#database = database;
    this.#run = run;
  }

  state(name: string): StoredState | null {
    const row = this.#database.get<{ state: string }>(
      "SELECT state FROM states WHERE run = ? AND name = ?",
      this.#run,
      name,
    );
    return row === undefined ? null : (JSON.parse(row.state) as StoredState);
  }

  putState(name: string, state: StoredState): void {
    this.#database.run(
      `INSERT INTO states (run, name, state) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET state = excluded.state`,
      this.#run,
      name,
      JSON.stringify(state),
    );
  }

  last(filter: string, count: number): Window[] {
    const sql = `${SELECT_CHAIN} ORDER BY number DESC LIMIT ?`;
    const rows = this.#database.all<WindowRow>(sql, this.#run, filter, count);
    return rows.reverse().map((row) => windowOf(filter, row));
  }

  at(filter: string, place: number): Window | undefined {
    const sql = `${SELECT_CHAIN} ORDER BY number LIMIT 1 OFFSET ?`;
    const row = this.#database.get<WindowRow>(sql, this.#run, filter, place);
    return row && windowOf(filter, row);
  }

  *all(filter: string): Generator<Window, void, undefined> {
    const sql = `${SELECT_CHAIN} ORDER BY number`;
    for (const row of this.#database.each<WindowRow>(sql, this.#run, filter)) {
      yield windowOf(filter, row);
    }
  }

  insert(window: Window): void {
    this.#database.run(
      `INSERT INTO windows (run, filter, number, kind, "offset", got, first_pk, last_pk, is_last, fetched_at, pks)
        SELECT ?, ?, coalesce(max(number), 0) + 1, ?, ?, ?, ?, ?, ?, ?, ?
          FROM windows WHERE run = ? AND filter = ?`,
      this.#run,
      window.filter,
      window.kind,
      window.offset,
      window.got,
      window.pks[0] ?? null,
      window.pks.at(-1) ?? null,
      window.isLast ? 1 : 0,
      Math.round(window.fetchedAt),
      JSON.stringify(window.pks),
      this.#run,
      window.filter,
    );
  }

  lengths(filter: Filter): Lengths {
    const { language, tag, curated } = filter;
    // What a quote does not tell of itself, the windows tell in which it was seen.
    const seen =
      tag === null && !curated
        ? "language = coalesce(?, language)"
        : "id IN (SELECT key.value FROM windows, json_each(pks) AS key WHERE run = ? AND filter = ?)";
    const values = tag === null && !curated ? [language] : [this.#run, filterName(filter)];
    return this.#database
      .all<{ length: number; quotes: number }>(
        `SELECT ${LENGTH} AS length, count(*) AS quotes
           FROM quotes WHERE ${seen} GROUP BY 1 ORDER BY 1`,
        ...values,
      )
      .map(({ length, quotes }) => ({ length, quotes }));
  }

  unmet(filter: string, pks: readonly number[]): number[] {
    return this.#database
      .all<{ pk: number }>(
        `SELECT value AS pk FROM json_each(?) WHERE value NOT IN (
           SELECT key.value FROM windows, json_each(windows.pks) AS key
            WHERE run = ? AND filter = ? AND kind IN ('walk', 'repair'))`,
        JSON.stringify(pks),
        this.#run,
        filter,
      )
      .map(({ pk }) => pk);
  }

  /** Code points are the shortest unit and bytes the longest: what lies between the bounds in both, does in any. */
  knownIn({ language, tag, curated, minLength, maxLength }: Filter): number[] {
    const listed = `AND id IN (SELECT key.value FROM windows, json_each(pks) AS key WHERE run = ? AND filter = ?)`;
    const list = filterName({ ...EVERYTHING, language, tag, curated });
    const narrow = tag !== null || curated;
    return this.#database
      .all<{ id: number }>(
        `SELECT id FROM quotes WHERE ${LENGTH} > ? AND ${LENGTH} < ?
            AND length(CAST(coalesce(served ->> '$.quote', text) AS BLOB)) < ?
            AND language = coalesce(?, language) ${narrow ? listed : ""}`,
        minLength ?? 0,
        maxLength ?? Number.MAX_SAFE_INTEGER,
        maxLength ?? Number.MAX_SAFE_INTEGER,
        language,
        ...(narrow ? [this.#run, list] : []),
      )
      .map(({ id }) => id);
  }

  quarantine({ filter, offset }: Window, quarantined: readonly Quarantined[]): void {
    for (const { index, pk, reason } of quarantined) {
      this.#database.run(
        "INSERT INTO quarantine (run, filter, place, pk, reason) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        this.#run,
        filter,
        offset + index,
        pk,
        reason,
      );
    }
  }

  /** @param curated whether the collection is that of the curated quotes; else their list holds what was told before */
  quarantined(limit: number, curated: boolean): QuarantineReport {
    const of = [this.#run, Number(curated)];
    const first = this.#database.all<{ offset: number; reason: string }>(
      `${OF_COLLECTION} ORDER BY min(place) LIMIT ?`,
      ...of,
      limit,
    );
    const reasons = this.#database.all<{ reason: string; records: number }>(
      `SELECT ${KIND} AS reason, count(*) AS records FROM (${OF_COLLECTION})
        GROUP BY 1 ORDER BY 2 DESC, 1`,
      ...of,
    );
    return {
      total: reasons.reduce((sum, { records }) => sum + records, 0),
      first: first.map(({ offset, reason }) => ({ offset, reason })),
      reasons: reasons.map(({ reason, records }) => ({ reason, records })),
    };
  }
}

interface WindowRow {
  readonly kind: string;
  readonly offset: number;
  readonly got: number;
  readonly is_last: number;
  readonly fetched_at: number;
  readonly pks: string;
}

function windowOf(filter: string, row: WindowRow): Window {
  return {
    filter,
    kind: row.kind as WindowKind,
    offset: row.offset,
    got: row.got,
    pks: JSON.parse(row.pks) as number[],
    isLast: row.is_last === 1,
    fetchedAt: row.fetched_at,
  };
}
