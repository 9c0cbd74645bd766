/**
 * One run in the working database: begun or resumed, filled window by window, ended.
 *
 * A run outlives the process: it is resumed as long as the host and the selection are the same.
 */
import type { Tag } from "../../contract/tag.ts";
import type {
  Lengths,
  SliceSettled,
  StoredState,
  WalkStore,
  WindowRecord,
} from "../../contract/walk-store.ts";
import type { Filter, Selection, Window } from "../../contract/window.ts";
import type { Database } from "../../sqlite/database.ts";
import { GroupCommit } from "./group-commit.ts";
import { QuoteWriter } from "./quote-writer.ts";
import { findOrBegin, type RunCounts, type RunRow } from "./run-row.ts";
import { keepTombstones } from "./tombstones.ts";
import { SliceTable } from "./slice-table.ts";
import { LENGTH, WindowTables, type QuarantineReport } from "./windows.ts";

export type { RunCounts } from "./run-row.ts";

export class Run implements WalkStore {
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly started: number;
  readonly #database: Database;
  readonly #countsBefore: RunCounts;
  readonly #windows: WindowTables;
  readonly #slices: SliceTable;
  readonly #writer: QuoteWriter;
  readonly #commits: GroupCommit;
  readonly #curated: boolean;
  #quotesSeen: number;

  private constructor(database: Database, row: RunRow, { curated }: Selection) {
    this.#database = database;
    this.#curated = curated;
    this.id = row.id;
    this.started = row.started;
    this.#countsBefore = JSON.parse(row.counts) as RunCounts;
    this.#windows = new WindowTables(database, row.id);
    this.#slices = new SliceTable(database, row.id);
    this.#writer = new QuoteWriter(database);
    this.#commits = new GroupCommit(database);
    this.#quotesSeen = database.get<{ n: number }>("SELECT count(*) AS n FROM quotes")?.n ?? 0;
  }

  /** The unfinished run of this host and selection, or a new one; one that was refused is never taken up again. */
  static open(database: Database, host: string, selection: Selection, now: number): Run {
    const row = findOrBegin(database, host, JSON.stringify(selection), now);
    return new Run(database, row, selection);
  }

  get quotesSeen(): number {
    return this.#quotesSeen;
  }

  /** On disk within a moment, together with its neighbours: a window, its quotes and its state are never apart. */
  save(record: WindowRecord): void {
    this.#quotesSeen += this.#commits.add(() => this.#write(record));
  }

  /** Commits what was saved last; everything else does this first, so that nothing rests on what could not be written. */
  flush(): void {
    this.#commits.flush();
  }

  state(name: string): StoredState | null {
    this.flush();
    return this.#windows.state(name);
  }

  saveState(name: string, state: StoredState): void {
    this.flush();
    this.#windows.putState(name, state);
  }

  lastWindows(filter: string, count: number): Window[] {
    this.flush();
    return this.#windows.last(filter, count);
  }

  windowAt(filter: string, place: number): Window | undefined {
    this.flush();
    return this.#windows.at(filter, place);
  }

  windows(filter: string): Iterable<Window> {
    this.flush();
    return this.#windows.all(filter);
  }

  planSlices(of: string, slices: readonly Filter[]): void {
    this.flush();
    this.#database.exec(`CREATE INDEX IF NOT EXISTS quotes_by_length ON quotes (${LENGTH})`);
    this.#slices.plan(of, slices);
  }

  openSlices(of: string): Filter[] | null {
    this.flush();
    return this.#slices.open(of);
  }

  settleSlice(settled: SliceSettled): void {
    this.flush();
    this.#database.transaction(() => this.#slices.settle(settled));
  }

  lengths(filter: Filter): Lengths {
    this.flush();
    return this.#windows.lengths(filter);
  }

  unmet(filter: string, pks: readonly number[]): number[] {
    this.flush();
    return this.#windows.unmet(filter, pks);
  }

  knownIn(slice: Filter): number[] {
    this.flush();
    return this.#windows.knownIn(slice);
  }

  get unreadable(): string {
    const reasons = this.quarantined(0).reasons.slice(0, 3);
    return reasons.map(({ reason, records }) => `${records} times: ${reason}`).join("; ");
  }

  get bytes(): number {
    const size = "SELECT page_count * page_size AS n FROM pragma_page_count, pragma_page_size";
    return this.#database.get<{ n: number }>(size)?.n ?? 0;
  }

  languagesSeen(): string[] {
    this.flush();
    return this.#database
      .all<{ language: string }>("SELECT DISTINCT language FROM quotes ORDER BY language")
      .map(({ language }) => language);
  }

  saveTags(tags: readonly Tag[]): void {
    this.#database.transaction(() => {
      this.#database.run("DELETE FROM tags");
      const sql = "INSERT INTO tags (name, slug) VALUES (?, ?) ON CONFLICT DO NOTHING";
      for (const { name, slug } of tags) this.#database.run(sql, name, slug);
    });
  }

  /** Quotes that were asked for and are not there: tombstones. */
  saveGone(ids: readonly number[]): void {
    this.#database.transaction(() => {
      const sql = "INSERT INTO gone (run, id) VALUES (?, ?) ON CONFLICT DO NOTHING";
      for (const id of ids) this.#database.run(sql, this.id, id);
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

  /** After "published" and "failed" the run is never resumed. */
  end(state: "published" | "failed" | "refused"): void {
    this.flush();
    if (state === "published") keepTombstones(this.#database, this.id);
    this.#database.run("UPDATE runs SET state = ? WHERE id = ?", state, this.id);
  }

  quarantined(limit: number): QuarantineReport {
    this.flush();
    return this.#windows.quarantined(limit, this.#curated);
  }

  /** @returns how many of its quotes were new */
  #write({ window, quotes, quarantined, state, slice }: WindowRecord): number {
    const added = this.#writer.write(quotes);
    this.#windows.insert(window);
    this.#windows.quarantine(window, quarantined);
    if (state !== undefined) this.#windows.putState(window.filter, state);
    if (slice !== undefined) this.#slices.settle(slice);
    return added;
  }
}
