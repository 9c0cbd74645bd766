/**
 * One run in the working database.
 *
 * A later process resumes an unfinished run when host and selection are the same. The database holds one run: a new one
 * empties the tables of the last.
 */
import type { HarvestFact } from "../../contract/results.ts";
import type { Tag } from "../../contract/quote.ts";
import type { Selection } from "../../contract/window.ts";
import type { Database } from "../../sqlite/database.ts";
import { RUN_TABLES } from "./work.ts";
import { WalkStore } from "./walk-store.ts";

/** Totals over all the sessions of a run. */
export type RunCounts = Pick<HarvestFact, "requests" | "retries" | "waits" | "waitedMs">;

interface RunRow {
  readonly id: number;
  readonly host: string;
  readonly started: number;
  /** JSON `RunCounts`. */
  readonly counts: string;
}

export class Run extends WalkStore {
  /** Milliseconds since the epoch. */
  readonly started: number;
  readonly #row: RunRow;

  private constructor(database: Database, row: RunRow, curated: boolean) {
    super(database, curated);
    this.started = row.started;
    this.#row = row;
  }

  /** Resumes the unfinished run of this host and selection, or begins one; a refused run is never resumed. */
  static open(database: Database, host: string, selection: Selection, now: number): Run {
    const json = JSON.stringify(selection);
    const row = findUnfinished(database, host, json) ?? startRun(database, host, json, now);
    return new Run(database, row, selection.curated);
  }

  saveTags(tags: readonly Tag[]): void {
    this.database.transaction(() => {
      this.database.run("DELETE FROM tags");
      const sql = "INSERT INTO tags (name, slug) VALUES (?, ?) ON CONFLICT DO NOTHING";
      for (const { name, slug } of tags) this.database.run(sql, name, slug);
    });
  }

  /** Stores the keys of quotes that are gone. */
  saveGone(ids: readonly number[]): void {
    const sql = "INSERT OR IGNORE INTO gone SELECT value FROM json_each(?)";
    this.database.run(sql, JSON.stringify(ids));
  }

  /** Adds the counts of this session to the totals of the run, and returns the totals. */
  saveCounts(session: RunCounts): RunCounts {
    const before = JSON.parse(this.#row.counts) as RunCounts;
    const counts: RunCounts = {
      requests: before.requests + session.requests,
      retries: before.retries + session.retries,
      waits: before.waits + session.waits,
      waitedMs: before.waitedMs + session.waitedMs,
    };
    const sql = "UPDATE runs SET counts = ? WHERE id = ?";
    this.database.run(sql, JSON.stringify(counts), this.#row.id);
    return counts;
  }

  /** Ends the run: it is never resumed. */
  end(state: "published" | "failed" | "refused"): void {
    const { id, host } = this.#row;
    this.database.transaction(() => {
      if (state === "published") keepTombstones(this.database, host);
      this.database.run("UPDATE runs SET state = ? WHERE id = ?", state, id);
    });
  }
}

function findUnfinished(database: Database, host: string, selection: string): RunRow | undefined {
  return database.get<RunRow>(
    `SELECT id, host, started, counts FROM runs
      WHERE host = ? AND selection = ? AND state = 'walking' ORDER BY id DESC LIMIT 1`,
    host,
    selection,
  );
}

function startRun(database: Database, host: string, selection: string, started: number): RunRow {
  const counts = JSON.stringify({ requests: 0, retries: 0, waits: 0, waitedMs: 0 });
  return database.transaction(() => {
    database.run("UPDATE runs SET state = 'failed' WHERE state = 'walking'");
    for (const table of RUN_TABLES) database.run(`DELETE FROM ${table}`);
    const sql = `INSERT INTO runs (host, selection, started, state, counts)
      VALUES (?, ?, ?, 'walking', ?) RETURNING id`;
    const id = database.get<{ id: number }>(sql, host, selection, started, counts)?.id ?? 0;
    return { id, host, started, counts };
  });
}

/**
 * Stores the tombstones of a run for good: a return to an older snapshot must not show quotes that are gone, such as
 * those that readers reported. A quote that was served again loses its tombstone.
 */
function keepTombstones(work: Database, host: string): void {
  work.run("INSERT INTO tombstones SELECT ?, id FROM gone WHERE 1 ON CONFLICT DO NOTHING", host);
  work.run("DELETE FROM tombstones WHERE host = ? AND id IN (SELECT id FROM quotes)", host);
}

export function readTombstones(work: Database, host: string): number[] {
  const sql = "SELECT id FROM tombstones WHERE host = ? ORDER BY id";
  return work.all<{ id: number }>(sql, host).map(({ id }) => id);
}
