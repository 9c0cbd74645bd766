/** Plans of slices: which are still to be read, and which took the place of one that was too large. */
import type { SliceSettled } from "../../contract/walk-store.ts";
import type { Filter } from "../../contract/window.ts";
import type { Database } from "../../sqlite/database.ts";

export class SliceTable {
  readonly #database: Database;
  readonly #run: number;

  constructor(database: Database, run: number) {
    this.#database = database;
    this.#run = run;
  }

  plan(of: string, slices: readonly Filter[]): void {
    this.#database.transaction(() => {
      this.#database.run("DELETE FROM slices WHERE run = ? AND of = ?", this.#run, of);
      this.#add(of, slices);
    });
  }

  /** In the order of the plan; null when there is none. */
  open(of: string): Filter[] | null {
    const rows = this.#database.all<{ filter: string; settled: number }>(
      "SELECT filter, settled FROM slices WHERE run = ? AND of = ? ORDER BY rowid",
      this.#run,
      of,
    );
    if (rows.length === 0) return null;
    return rows
      .filter(({ settled }) => settled === 0)
      .map(({ filter }) => JSON.parse(filter) as Filter);
  }

  settle({ of, slice, instead }: SliceSettled): void {
    this.#database.run(
      "UPDATE slices SET settled = 1 WHERE run = ? AND of = ? AND filter = ?",
      this.#run,
      of,
      JSON.stringify(slice),
    );
    this.#add(of, instead);
  }

  #add(of: string, slices: readonly Filter[]): void {
    for (const slice of slices) {
      this.#database.run(
        "INSERT INTO slices (run, of, filter) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        this.#run,
        of,
        JSON.stringify(slice),
      );
    }
  }
}
