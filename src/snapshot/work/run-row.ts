/** The row of a run: found where one is unfinished, else begun, with the tables of the last one emptied. */
import type { Database } from "../../sqlite/database.ts";

/** Totals over all the sessions of a run. */
export interface RunCounts {
  readonly requests: number;
  readonly retries: number;
  readonly waits: number;
  readonly waitedMs: number;
}

export interface RunRow {
  readonly id: number;
  readonly started: number;
  /** JSON `RunCounts`. */
  readonly counts: string;
}

const NO_COUNTS: RunCounts = { requests: 0, retries: 0, waits: 0, waitedMs: 0 };

/** What belongs to the one run that is walking. */
const OF_A_RUN = ["windows", "states", "slices", "quotes", "quarantine", "gone", "tags"];

/** @param selection as JSON */
export function findOrBegin(
  database: Database,
  host: string,
  selection: string,
  now: number,
): RunRow {
  const find = (): RunRow | undefined =>
    database.get<RunRow & object>(
      `SELECT id, started, counts FROM runs
        WHERE host = ? AND selection = ? AND state = 'walking' ORDER BY id DESC LIMIT 1`,
      host,
      selection,
    );
  const unfinished = find();
  if (unfinished !== undefined) return unfinished;
  database.transaction(() => {
    database.run("UPDATE runs SET state = 'failed' WHERE state = 'walking'");
    for (const table of OF_A_RUN) database.run(`DELETE FROM ${table}`);
    database.run(
      "INSERT INTO runs (host, selection, started, state, counts) VALUES (?, ?, ?, 'walking', ?)",
      host,
      selection,
      now,
      JSON.stringify(NO_COUNTS),
    );
  });
  const begun = find();
  if (begun === undefined) throw new Error("a run that was just begun is not there");
  return begun;
}
