/** The tables of windows, of the chains they make, and of the records in them that could not be read. */
import type { Quarantined } from "../../contract/page.ts";
import type { StoredState } from "../../contract/walk-store.ts";
import type { Window, WindowKind } from "../../contract/window.ts";
import type { Database } from "../../sqlite/database.ts";

/** The windows of a chain; what was read for other reasons is no part of it. */
const SELECT_CHAIN = `
  SELECT kind, "offset", got, is_last, fetched_at, pks FROM windows
   WHERE run = ? AND filter = ? AND kind IN ('walk', 'repair')`;

/** Records that could not be read: how many, and the first of them. */
export interface QuarantineReport {
  readonly total: number;
  readonly first: readonly { readonly offset: number; readonly reason: string }[];
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

  quarantine({ filter, offset }: Window, quarantined: readonly Quarantined[]): void {
    for (const { index, reason } of quarantined) {
      this.#database.run(
        "INSERT INTO quarantine (run, filter, place, reason) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        this.#run,
        filter,
        offset + index,
        reason,
      );
    }
  }

  quarantined(limit: number): QuarantineReport {
    const total = this.#database.get<{ n: number }>(
      "SELECT count(*) AS n FROM quarantine WHERE run = ?",
      this.#run,
    );
    const first = this.#database.all<{ offset: number; reason: string }>(
      'SELECT place AS "offset", reason FROM quarantine WHERE run = ? ORDER BY filter, place LIMIT ?',
      this.#run,
      limit,
    );
    return { total: total?.n ?? 0, first: first.map(({ offset, reason }) => ({ offset, reason })) };
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
