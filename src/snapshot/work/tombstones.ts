/**
 * Quotes that were asked for one by one and are gone, by host: among them all that readers reported.
 *
 * They outlive the run that found them and the snapshots that say so. Going back to a snapshot of before must not show
 * them again.
 */
import type { Database } from "../../sqlite/database.ts";

/** Also in a file that an earlier version wrote. */
export const TOMBSTONES_SQL = `CREATE TABLE IF NOT EXISTS tombstones (
  host TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (host, id)
) STRICT`;

/** Keeps what a run found gone; what it saw again is there again. */
export function keepTombstones(work: Database, run: number): void {
  const host = "(SELECT host FROM runs WHERE id = ?)";
  work.transaction(() => {
    work.run(
      `INSERT INTO tombstones SELECT ${host}, id FROM gone WHERE run = ? ON CONFLICT DO NOTHING`,
      run,
      run,
    );
    work.run(`DELETE FROM tombstones WHERE host = ${host} AND id IN (SELECT id FROM quotes)`, run);
  });
}

export function tombstonesOf(work: Database, host: string): number[] {
  return work
    .all<{ id: number }>("SELECT id FROM tombstones WHERE host = ? ORDER BY id", host)
    .map(({ id }) => id);
}
