/**
 * One run in the working database: begun or resumed, filled window by window, ended.
 *
 * A run outlives the process: it is resumed as long as the host and the selection are the same.
 */
import type { Quarantined } from "../../contract/page.ts";
import type { Quote } from "../../contract/quote.ts";
import type { Tag } from "../../contract/tag.ts";
import type { StoredState, WalkStore, WindowRecord } from "../../contract/walk-store.ts";
import type { Selection, Window, WindowKind } from "../../contract/window.ts";
import type { Database } from "../../sqlite/database.ts";
import { QUOTE_COLUMNS, rowOf } from "../row.ts";

/** Totals over all the sessions of a run. */
export interface RunCounts {
  readonly requests: number;
  readonly retries: number;
  readonly waits: number;
  readonly waitedMs: number;
}

const NO_COUNTS: RunCounts = { requests: 0, retries: 0, waits: 0, waitedMs: 0 };

/** Most quotes are new, so that is tried first; it also tells how many are. */
const INSERT = `INSERT INTO quotes (${QUOTE_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`;
const UPDATE = `UPDATE quotes SET (${QUOTE_COLUMNS}) = (?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?`;

export class Run implements WalkStore {
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly started: number;
  readonly resumed: boolean;
  readonly #database: Database;
  readonly #countsBefore: RunCounts;
  #quotesSeen: number;

  private constructor(database: Database, row: RunRow, resumed: boolean) {
    this.#database = database;
    this.id = row.id;
    this.started = row.started;
    this.resumed = resumed;
    this.#countsBefore = JSON.parse(row.counts) as RunCounts;
    const seen = database.get<{ n: number }>("SELECT count(*) AS n FROM quotes");
    this.#quotesSeen = seen?.n ?? 0;
  }

  /** The unfinished run of this host and selection, or a new one. */
  static open(database: Database, host: string, selection: Selection, now: number): Run {
    const wanted = JSON.stringify(selection);
    const find = (): RunRow | undefined =>
      database.get<RunRow>(
        `SELECT id, started, counts FROM runs
          WHERE host = ? AND selection = ? AND state = 'walking' ORDER BY id DESC LIMIT 1`,
        host,
        wanted,
      );
    const unfinished = find();
    if (unfinished !== undefined) return new Run(database, unfinished, true);
    database.transaction(() => {
      database.run("UPDATE runs SET state = 'failed' WHERE state = 'walking'");
      for (const table of ["windows", "chains", "quotes", "quarantine", "gone", "tags"]) {
        database.run(`DELETE FROM ${table}`);
      }
      database.run(
        "INSERT INTO runs (host, selection, started, state, counts) VALUES (?, ?, ?, 'walking', ?)",
        host,
        wanted,
        now,
        JSON.stringify(NO_COUNTS),
      );
    });
    const begun = find();
    if (begun === undefined) throw new Error("a run that was just begun is not there");
    return new Run(database, begun, false);
  }

  get quotesSeen(): number {
    return this.#quotesSeen;
  }

  chainState(filter: string): StoredState | null {
    const row = this.#database.get<{ state: string }>(
      "SELECT state FROM chains WHERE run = ? AND filter = ?",
      this.id,
      filter,
    );
    return row === undefined ? null : (JSON.parse(row.state) as StoredState);
  }

  lastWindows(filter: string, count: number): Window[] {
    const rows = this.#database.all<WindowRow>(
      `SELECT kind, "offset", got, is_last, fetched_at, pks FROM windows
        WHERE run = ? AND filter = ? ORDER BY number DESC LIMIT ?`,
      this.id,
      filter,
      count,
    );
    return rows.reverse().map((row) => ({
      filter,
      kind: row.kind as WindowKind,
      offset: row.offset,
      got: row.got,
      pks: JSON.parse(row.pks) as number[],
      isLast: row.is_last === 1,
      fetchedAt: row.fetched_at,
    }));
  }

  save({ window, quotes, quarantined, state }: WindowRecord): void {
    let added = 0;
    this.#database.transaction(() => {
      for (const quote of quotes) added += this.#put(quote);
      this.#insertWindow(window);
      this.#quarantine(window, quarantined);
      if (state === null) return;
      this.#database.run(
        `INSERT INTO chains (run, filter, state) VALUES (?, ?, ?)
          ON CONFLICT DO UPDATE SET state = excluded.state`,
        this.id,
        window.filter,
        JSON.stringify(state),
      );
    });
    this.#quotesSeen += added;
  }

  saveTags(tags: readonly Tag[]): void {
    this.#database.transaction(() => {
      this.#database.run("DELETE FROM tags");
      for (const { name, slug } of tags) {
        this.#database.run(
          "INSERT INTO tags (name, slug) VALUES (?, ?) ON CONFLICT DO NOTHING",
          name,
          slug,
        );
      }
    });
  }

  /** Adds what this session did to the totals of the run. */
  saveCounts(session: RunCounts): RunCounts {
    const before = this.#countsBefore;
    const counts: RunCounts = {
      requests: before.requests + session.requests,
      retries: before.retries + session.retries,
      waits: before.waits + session.waits,
      waitedMs: before.waitedMs + session.waitedMs,
    };
    this.#database.run("UPDATE runs SET counts = ? WHERE id = ?", JSON.stringify(counts), this.id);
    return counts;
  }

  /** After this the run is never resumed. */
  end(state: "published" | "failed"): void {
    this.#database.run("UPDATE runs SET state = ? WHERE id = ?", state, this.id);
  }

  /** The first records that could not be read, and how many there were. */
  quarantined(limit: number): { total: number; first: { offset: number; reason: string }[] } {
    const total = this.#database.get<{ n: number }>(
      "SELECT count(*) AS n FROM quarantine WHERE run = ?",
      this.id,
    );
    const first = this.#database.all<{ offset: number; reason: string }>(
      'SELECT place AS "offset", reason FROM quarantine WHERE run = ? ORDER BY filter, place LIMIT ?',
      this.id,
      limit,
    );
    return { total: total?.n ?? 0, first: first.map(({ offset, reason }) => ({ offset, reason })) };
  }

  /** The latest version served wins. Says how many quotes were new: none or one. */
  #put(quote: Quote): number {
    const row = rowOf(quote);
    const added = this.#database.run(INSERT, ...row);
    if (added === 0) this.#database.run(UPDATE, ...row, quote.id);
    return added;
  }

  #insertWindow(window: Window): void {
    this.#database.run(
      `INSERT INTO windows (run, filter, number, kind, "offset", got, first_pk, last_pk, is_last, fetched_at, pks)
        SELECT ?, ?, coalesce(max(number), 0) + 1, ?, ?, ?, ?, ?, ?, ?, ?
          FROM windows WHERE run = ? AND filter = ?`,
      this.id,
      window.filter,
      window.kind,
      window.offset,
      window.got,
      window.pks[0] ?? null,
      window.pks.at(-1) ?? null,
      window.isLast ? 1 : 0,
      Math.round(window.fetchedAt),
      JSON.stringify(window.pks),
      this.id,
      window.filter,
    );
  }

  #quarantine(window: Window, quarantined: readonly Quarantined[]): void {
    for (const { index, reason } of quarantined) {
      this.#database.run(
        "INSERT INTO quarantine (run, filter, place, reason) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        this.id,
        window.filter,
        window.offset + index,
        reason,
      );
    }
  }
}

interface RunRow {
  readonly id: number;
  readonly started: number;
  readonly counts: string;
}

interface WindowRow {
  readonly kind: string;
  readonly offset: number;
  readonly got: number;
  readonly is_last: number;
  readonly fetched_at: number;
  readonly pks: string;
}
