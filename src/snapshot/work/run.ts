/**
 * One run in the working database: windows, states, plans of slices, and unreadable records.
 *
 * A window, its quotes and the state of its chain are written in one transaction (docs/walk.md, section 9). A later
 * process resumes an unfinished run when host and selection are the same. The database holds one run: a new run empties
 * its tables.
 */
import type { Quarantined } from "../../contract/body.ts";
import type { Quote, Tag } from "../../contract/quote.ts";
import type { HarvestFact } from "../../contract/facts.ts";
import {
  EVERYTHING,
  filterName,
  type Filter,
  type Selection,
  type Window,
} from "../../contract/window.ts";
import type { Database } from "../../sqlite/database.ts";
import { isDamaged } from "../../util/damage.ts";
import { BYTES, LENGTH, readQuote, writeQuotes } from "../row.ts";
import { readTrait, saveTrait } from "./traits.ts";
import { RUN_TABLES } from "./work.ts";

/** Totals over all the sessions of a run. */
export type RunCounts = Pick<HarvestFact, "requests" | "retries" | "waits" | "waitedMs">;

/** A slice that need not be read again, and the smaller slices that replace it: none when it was read whole. */
interface SettledSlice {
  /** Name of the filter that was cut into slices. */
  readonly of: string;
  readonly slice: Filter;
  readonly instead: readonly Filter[];
}

/** Windows of a chain: those read as probes, slices or for an audit are not part of one. */
const FROM_CHAIN = "FROM windows WHERE filter = ? AND kind IN ('walk', 'repair')";

/** A window of a list, or of a part of it: its language, tag and curated quotes are the first three values. */
const PART_OF_LIST = `filter ->> '$[0]' IS coalesce(?1, filter ->> '$[0]')
  AND filter ->> '$[1]' IS ?2 AND filter ->> '$[2]' = ?3`;

/** Keys in the windows of one list. */
const KEYS_IN =
  "SELECT key.value FROM windows, json_each(body, '$.pks') AS key WHERE filter = ? AND kind";

/**
 * Unreadable records of the collection, each once: several lists may hold the same record. A record without a key counts
 * only in a whole list, not in a slice by length (fourth and fifth part of a filter's name) or among the most liked (sixth).
 */
const UNREADABLE = `SELECT min(place) AS "offset", reason FROM quarantine
  WHERE filter ->> '$[2]' = ? AND (pk IS NOT NULL OR
    (filter ->> '$[3]' IS NULL AND filter ->> '$[4]' IS NULL AND NOT filter ->> '$[5]'))
  GROUP BY coalesce(pk, filter || place)`;

/** A reason without the value that was read. */
const KIND = `CASE instr(reason, ', got') WHEN 0 THEN reason ELSE substr(reason, 1, instr(reason, ', got') - 1) END`;

export class Run {
  /** Milliseconds since the epoch. */
  started: number;
  /** Number of different quotes stored so far. */
  quotesSeen: number;
  /** Requests of this session that searched for records which make the service fail, and found them. */
  searches = 0;
  /** Whether a record made the service fail: the next failure probably has the same cause, and needs no retries. */
  hasFaultyRecord = false;
  /** The published form of a quote of this service. */
  publishedQuote: (id: number) => Quote | undefined = () => undefined;
  /** Keys that this session received with two texts. */
  readonly twoTexts = new Set<number>();
  readonly #database: Database;
  readonly #id: number;
  /** The last window that an earlier session stored; 0 for none. */
  readonly #lastBefore: number;
  readonly #host: string;
  /** Counts of the earlier sessions. */
  readonly #counts: RunCounts;
  /** Whether the selection is curated; if not, the curated list repeats records that are already counted. */
  readonly #curated: boolean;

  /** Resumes the unfinished run of this host and selection, or begins one; a refused run is never resumed. */
  constructor(database: Database, host: string, selection: Selection, now: number) {
    this.#database = database;
    this.#host = host;
    this.#curated = selection.curated;
    const json = JSON.stringify(selection);
    const unfinished = database.get<{ id: number; started: number; counts: string }>(
      `SELECT id, started, counts FROM runs
        WHERE host = ? AND selection = ? AND state = 'walking' ORDER BY id DESC LIMIT 1`,
      ...[host, json],
    );
    this.started = unfinished?.started ?? now;
    this.#counts =
      unfinished === undefined
        ? { requests: 0, retries: 0, waits: 0, waitedMs: 0 }
        : (JSON.parse(unfinished.counts) as RunCounts);
    this.#id = unfinished?.id ?? this.#begin(json);
    this.quotesSeen = database.number("SELECT count(*) AS n FROM quotes");
    this.#lastBefore = database.number("SELECT coalesce(max(number), 0) AS n FROM windows");
  }

  /** Whether a chain has windows of an earlier session: what they say may be old. */
  isResumed(filter: string): boolean {
    const sql = `SELECT 1 ${FROM_CHAIN} AND number <= ? LIMIT 1`;
    return this.#database.get(sql, filter, this.#lastBefore) !== undefined;
  }

  /** Empties the run, whose windows contradict what the service has now; the ledger and the counts stay. */
  beginAnew(now: number): void {
    this.#database.transaction(() => {
      for (const table of RUN_TABLES) this.#database.run(`DELETE FROM ${table}`);
      this.#database.run("UPDATE runs SET started = ? WHERE id = ?", now, this.#id);
    });
    this.started = now;
    this.quotesSeen = 0;
  }

  #begin(selection: string): number {
    return this.#database.transaction(() => {
      this.#database.run("UPDATE runs SET state = 'failed' WHERE state = 'walking'");
      for (const table of RUN_TABLES) this.#database.run(`DELETE FROM ${table}`);
      return this.#database.number(
        `INSERT INTO runs (host, selection, started, state, counts)
          VALUES (?, ?, ?, 'walking', ?) RETURNING id AS n`,
        ...[this.#host, selection, this.started, JSON.stringify(this.#counts)],
      );
    });
  }

  /** Size of the file. */
  get bytes(): number {
    return this.#database.number(
      "SELECT page_count * page_size AS n FROM pragma_page_count, pragma_page_size",
    );
  }

  /**
   * Stores a window.
   *
   * @param record.quotes only those that pass the selection
   * @param record.state of the chain after this window; absent for windows outside of a chain
   * @param record.slice the slice that the window settles
   */
  save(record: {
    readonly window: Window;
    readonly quotes: readonly Quote[];
    readonly quarantined: readonly Quarantined[];
    readonly state?: object;
    readonly slice?: SettledSlice;
  }): void {
    const { window, quotes, quarantined, state, slice } = record;
    this.quotesSeen += this.#database.transaction(() => {
      const { filter, kind, offset } = window;
      const added = writeQuotes(this.#database, quotes, (...versions) =>
        this.#chooseVersion(...versions),
      );
      const insert = "INSERT INTO windows (filter, kind, body) VALUES (?, ?, ?)";
      this.#database.run(insert, filter, kind, JSON.stringify(window));
      for (const { index, pk, reason } of quarantined) {
        const note = "INSERT INTO quarantine VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING";
        this.#database.run(note, filter, offset + index, pk, reason);
      }
      if (state !== undefined) this.saveState(filter, state);
      if (slice !== undefined) this.settleSlice(slice);
      return added;
    });
  }

  /**
   * A key may come with two texts or languages, as from a join with translations: the published one stays, else the first. One that
   * lost letters is no other text.
   */
  #chooseVersion(before: Quote, now: Quote): Quote {
    if (before.text === now.text) {
      const isPublished = this.publishedQuote(now.id)?.language === before.language;
      return isPublished ? { ...now, language: before.language } : now;
    }
    if (isDamaged(now.text, before.text)) return before;
    if (isDamaged(before.text, now.text)) return now;
    this.twoTexts.add(now.id);
    return this.publishedQuote(now.id)?.text === now.text ? now : before;
  }

  /** Replaces stored quotes, after two answers have shown that they were false. */
  replaceQuotes(quotes: readonly Quote[]): void {
    const known = this.quotesOf(quotes.map(({ id }) => id)).map(({ id }) => id);
    const stored = new Set(known);
    this.#database.transaction(() =>
      writeQuotes(
        this.#database,
        quotes.filter(({ id }) => stored.has(id)),
      ),
    );
  }

  /** Removes a stored quote, of which only an answer was had that others contradict. */
  removeQuote(id: number): void {
    this.quotesSeen -= this.quotesOf([id]).length;
    this.#database.run("DELETE FROM quotes WHERE id = ?", id);
  }

  /** The stored quotes of some keys. */
  quotesOf(ids: readonly number[]): Quote[] {
    return ids.flatMap((id) => readQuote(this.#database, id) ?? []);
  }

  /** The first window of a chain that holds a key. */
  windowWith(filter: string, pk: number): Window | undefined {
    const sql = `SELECT body ${FROM_CHAIN} AND EXISTS
      (SELECT 1 FROM json_each(body, '$.pks') WHERE value = ?) ORDER BY number LIMIT 1`;
    const row = this.#database.get<{ body: string }>(sql, filter, pk);
    return row === undefined ? undefined : (JSON.parse(row.body) as Window);
  }

  /**
   * The first window of a chain in key order that reaches a key or leads beyond it, else the last window.
   *
   * @param isAscending whether keys grow along the list
   */
  windowBeside(filter: string, pk: number, isAscending: boolean): Window | undefined {
    const [farthest, reaches] = isAscending ? ["max(value)", ">="] : ["min(value)", "<="];
    const sql = `SELECT body ${FROM_CHAIN} AND
      (SELECT ${farthest} FROM json_each(body, '$.pks')) ${reaches} ?
      ORDER BY body ->> '$.offset', number LIMIT 1`;
    const row = this.#database.get<{ body: string }>(sql, filter, pk);
    return row === undefined ? this.lastWindows(filter, 1)[0] : (JSON.parse(row.body) as Window);
  }

  /** Keys of stored quotes from one to another. */
  keysBetween(low: number, high: number): number[] {
    return this.#database.column("SELECT id FROM quotes WHERE id BETWEEN ? AND ?", low, high);
  }

  /** State of a chain or of gathered evidence, stored under a name; null for none. */
  state<State extends object>(name: string): State | null {
    const sql = "SELECT state FROM states WHERE name = ?";
    const row = this.#database.get<{ state: string }>(sql, name);
    return row === undefined ? null : (JSON.parse(row.state) as State);
  }

  /** @param state plain JSON */
  saveState(name: string, state: object): void {
    this.#database.run("INSERT OR REPLACE INTO states VALUES (?, ?)", name, JSON.stringify(state));
  }

  /** What an earlier run learned about the service, under a name; null for nothing. */
  trait<Value extends object>(name: string): Value | null {
    return readTrait<Value>(this.#database, this.#host, name);
  }

  /** @param value plain JSON; null to forget it */
  saveTrait(name: string, value: object | null): void {
    saveTrait(this.#database, this.#host, name, value);
  }

  /** The windows of a chain that hold unreadable records, each place once. */
  unreadableWindows(filter: string): Window[] {
    const sql = `SELECT body ${FROM_CHAIN} AND EXISTS (SELECT 1 FROM quarantine
      WHERE filter = windows.filter AND place >= body ->> '$.offset'
        AND place < body ->> '$.offset' + body ->> '$.got') ORDER BY number`;
    const rows = this.#database.all<{ body: string }>(sql, filter);
    const windows = rows.map(({ body }) => JSON.parse(body) as Window);
    return [...new Map(windows.map((window) => [window.offset, window])).values()];
  }

  /** Forgets the unreadable records at some places of a list. @returns how many there were */
  forgetUnreadable(filter: string, from: number, to: number): number {
    const sql = "DELETE FROM quarantine WHERE filter = ? AND place >= ? AND place < ?";
    return this.#database.run(sql, filter, from, to);
  }

  /** Deletes the windows of a chain and its unreadable records, and stores another state; quotes stay. */
  forgetChain(filter: string, state: object): void {
    this.#database.transaction(() => {
      this.#database.run(`DELETE ${FROM_CHAIN}`, filter);
      this.#database.run("DELETE FROM quarantine WHERE filter = ?", filter);
      this.saveState(filter, state);
    });
  }

  /** The last windows of a chain, oldest first. */
  lastWindows(filter: string, count: number): Window[] {
    return this.#windows("number DESC LIMIT ?", filter, count).reverse();
  }

  /** The window of a chain at an index, in order of acceptance; undefined beyond the last. */
  windowAt(filter: string, index: number): Window | undefined {
    return this.#windows("number LIMIT 1 OFFSET ?", filter, index)[0];
  }

  #windows(order: string, filter: string, count: number): Window[] {
    const sql = `SELECT body ${FROM_CHAIN} ORDER BY ${order}`;
    const rows = this.#database.all<{ body: string }>(sql, filter, count);
    return rows.map(({ body }) => JSON.parse(body) as Window);
  }

  /** Stores a plan of slices, in place of an earlier one. */
  planSlices(of: string, slices: readonly Filter[]): void {
    this.#database.transaction(() => {
      this.#database.run(`CREATE INDEX IF NOT EXISTS quotes_by_length ON quotes (${LENGTH})`);
      this.#database.run("DELETE FROM slices WHERE of = ?", of);
      this.#addSlices(of, slices);
    });
  }

  /** Slices of a plan that are still to be read; null when there is no plan. */
  openSlices(of: string): Filter[] | null {
    const sql = "SELECT filter, settled FROM slices WHERE of = ? ORDER BY rowid";
    const rows = this.#database.all<{ filter: string; settled: number }>(sql, of);
    const open = rows.filter(({ settled }) => settled === 0);
    return rows.length === 0 ? null : open.map(({ filter }) => JSON.parse(filter) as Filter);
  }

  /** Names of the slices that this session read whole, with the keys that each showed. */
  slicesRead(): { readonly filter: string; readonly pks: readonly number[] }[] {
    // A record without a readable key may be any quote.
    const sql = `SELECT body FROM windows WHERE kind = 'slice' AND number > ? AND body ->> '$.isLast'
      AND NOT EXISTS (SELECT 1 FROM quarantine WHERE filter = windows.filter AND pk IS NULL)`;
    const rows = this.#database.all<{ body: string }>(sql, this.#lastBefore);
    return rows.map(({ body }) => JSON.parse(body) as Window);
  }

  settleSlice({ of, slice, instead }: SettledSlice): void {
    this.#database.transaction(() => {
      const sql = "UPDATE slices SET settled = 1 WHERE of = ? AND filter = ?";
      this.#database.run(sql, of, JSON.stringify(slice));
      this.#addSlices(of, instead);
    });
  }

  #addSlices(of: string, slices: readonly Filter[]): void {
    const sql = "INSERT INTO slices (of, filter) VALUES (?, ?) ON CONFLICT DO NOTHING";
    for (const slice of slices) this.#database.run(sql, of, JSON.stringify(slice));
  }

  /** Number of quotes stored for a list, by length in code points from `low` to `high`, shortest first. */
  lengths(
    filter: Filter,
    low = 0,
    high = Infinity,
  ): { readonly length: number; readonly quotes: number }[] {
    const { where, values } = inList(filter);
    return this.#database.all(
      `SELECT ${LENGTH} AS length, count(*) AS quotes FROM quotes
        WHERE ${LENGTH} BETWEEN ? AND ? AND ${where} GROUP BY 1 ORDER BY 1`,
      ...[low, Math.min(high, Number.MAX_SAFE_INTEGER), ...values],
    );
  }

  /** Length of the quote at an index of a list, the longest first; undefined beyond the last. */
  lengthAt(filter: Filter, index: number): number | undefined {
    const { where, values } = inList(filter);
    const sql = `SELECT ${LENGTH} AS n FROM quotes WHERE ${where} ORDER BY 1 DESC LIMIT 1 OFFSET ?`;
    return this.#database.get<{ n: number }>(sql, ...values, index)?.n;
  }

  /** Returns the given keys that no window of a chain holds. */
  findUnseen(filter: string, pks: readonly number[]): number[] {
    return this.#database.column(
      `SELECT value FROM json_each(?) WHERE value NOT IN (${KEYS_IN} IN ('walk', 'repair'))`,
      ...[JSON.stringify(pks), filter],
    );
  }

  /** Keys of a chain in the order in which its windows were accepted. */
  keysOfChain(filter: string): number[] {
    return this.#database.column(
      `SELECT key.value FROM windows, json_each(body, '$.pks') AS key
        WHERE filter = ? AND kind IN ('walk', 'repair') ORDER BY number, key.key`,
      filter,
    );
  }

  /** Number of the given keys that no quote of this run has. */
  countNew(ids: readonly number[]): number {
    const sql = "SELECT count(*) AS n FROM json_each(?) WHERE value NOT IN (SELECT id FROM quotes)";
    return this.#database.number(sql, JSON.stringify(ids));
  }

  /** Number of different keys that the windows of a chain hold, and of records without a readable key. */
  countSeen(filter: string): number {
    const keyless = "SELECT count(*) FROM quarantine WHERE filter = ? AND pk IS NULL";
    const sql = `SELECT count(DISTINCT value) + (${keyless}) AS n FROM (${KEYS_IN} IN ('walk', 'repair'))`;
    return this.#database.number(sql, filter, filter);
  }

  /**
   * The same for the windows of a list's slices.
   *
   * @param withChain whether the windows of its chain count too
   */
  countSliced(list: Filter, withChain = false): number {
    const { language, tag, curated } = list;
    const sql = `SELECT count(DISTINCT value)
        + (SELECT count(*) FROM quarantine WHERE pk IS NULL AND ${PART_OF_LIST}) AS n
      FROM windows, json_each(body, '$.pks') WHERE kind IN ('walk', 'repair', 'slice')
        AND ${PART_OF_LIST} AND (kind = 'slice' OR ?4 OR filter <> ?5)`;
    const values = [language, tag, Number(curated), Number(withChain), filterName(list)];
    return this.#database.number(sql, ...values);
  }

  /** Keys that the chain of a list showed, and none of its slices. */
  findUnsliced(list: Filter): number[] {
    const { language, tag, curated } = list;
    const sliced = `SELECT value FROM windows, json_each(body, '$.pks')
      WHERE kind = 'slice' AND ${PART_OF_LIST}`;
    const sql = `SELECT DISTINCT value FROM windows, json_each(body, '$.pks')
      WHERE filter = ?4 AND kind IN ('walk', 'repair') AND value NOT IN (${sliced})`;
    return this.#database.column(sql, language, tag, Number(curated), filterName(list));
  }

  /** Keys of stored quotes whose length is strictly between the bounds of a slice in every unit. */
  findKnown(slice: Filter): number[] {
    const { where, values } = inList(slice);
    const [low, high] = [slice.minLength ?? 0, slice.maxLength ?? Number.MAX_SAFE_INTEGER];
    return this.#database.column(
      `SELECT id FROM quotes WHERE ${LENGTH} > ? AND ${LENGTH} < ? AND ${BYTES} < ? AND ${where}`,
      ...[low, high, high, ...values],
    );
  }

  /** Languages of the stored quotes whose length in code points is from `low` to `high`. */
  languagesBetween(low: number, high: number): string[] {
    return this.#database.column(
      `SELECT DISTINCT language FROM quotes WHERE ${LENGTH} BETWEEN ? AND ?`,
      ...[low, Math.min(high, Number.MAX_SAFE_INTEGER)],
    );
  }

  /** Keys that the slices of one length showed, in any language. */
  keysOfLength({ tag, curated, minLength, maxLength }: Filter): number[] {
    return this.#database.column(
      `SELECT DISTINCT key.value FROM windows, json_each(body, '$.pks') AS key
        WHERE kind = 'slice' AND filter ->> '$[1]' IS ? AND filter ->> '$[2]' = ?
          AND filter ->> '$[3]' IS ? AND filter ->> '$[4]' IS ?`,
      ...[tag, Number(curated), minLength, maxLength],
    );
  }

  /** Number of the given quotes whose length is outside of two bounds in every unit. */
  countOutside(ids: readonly number[], low: number, high: number): number {
    return this.#database.number(
      `SELECT count(*) AS n FROM quotes WHERE (${LENGTH} > ? OR ${BYTES} < ?)
        AND id IN (SELECT value FROM json_each(?))`,
      ...[high, low, JSON.stringify(ids)],
    );
  }

  /** The three most frequent reasons why records could not be read, for a message. */
  get unreadable(): string {
    const reasons = this.quarantined(0).reasons.slice(0, 3);
    return reasons.map(({ reason, records }) => `${records} times: ${reason}`).join("; ");
  }

  /**
   * Counts unreadable records.
   *
   * @param limit largest number of records in `first`
   * @returns `reasons` with the most frequent first
   */
  quarantined(limit: number) {
    const of = Number(this.#curated);
    const reasons = this.#database.all<{ readonly reason: string; readonly records: number }>(
      `SELECT ${KIND} AS reason, count(*) AS records FROM (${UNREADABLE})
        GROUP BY 1 ORDER BY 2 DESC, 1`,
      of,
    );
    const first = this.#database.all<{ readonly offset: number; readonly reason: string }>(
      `${UNREADABLE} ORDER BY min(place) LIMIT ?`,
      ...[of, limit],
    );
    return { total: reasons.reduce((sum, { records }) => sum + records, 0), first, reasons };
  }

  saveTags(tags: readonly Tag[]): void {
    this.#database.transaction(() => {
      this.#database.run("DELETE FROM tags");
      const sql = "INSERT INTO tags (name, slug) VALUES (?, ?) ON CONFLICT DO NOTHING";
      for (const { name, slug } of tags) this.#database.run(sql, name, slug);
    });
  }

  /** Stores the keys of quotes that are gone. */
  saveGone(ids: readonly number[]): void {
    const sql = "INSERT OR IGNORE INTO gone SELECT value FROM json_each(?)";
    this.#database.run(sql, JSON.stringify(ids));
  }

  /** Adds the counts of this session to the totals of the run, and returns the totals. */
  saveCounts(session: RunCounts): RunCounts {
    const before = this.#counts;
    const counts: RunCounts = {
      requests: before.requests + session.requests,
      retries: before.retries + session.retries,
      waits: before.waits + session.waits,
      waitedMs: before.waitedMs + session.waitedMs,
    };
    const sql = "UPDATE runs SET counts = ? WHERE id = ?";
    this.#database.run(sql, JSON.stringify(counts), this.#id);
    return counts;
  }

  /**
   * Ends the run, which is then never resumed. The tombstones of a published run are stored permanently: a return to an
   * older snapshot must not show quotes that are gone, such as those that readers reported. A quote that was served again
   * loses its tombstone.
   */
  end(state: "published" | "failed" | "refused"): void {
    this.#database.transaction(() => {
      if (state === "published") {
        const keep = "INSERT INTO tombstones SELECT ?, id FROM gone WHERE 1 ON CONFLICT DO NOTHING";
        this.#database.run(keep, this.#host);
        const drop = "DELETE FROM tombstones WHERE host = ? AND id IN (SELECT id FROM quotes)";
        this.#database.run(drop, this.#host);
      }
      this.#database.run("UPDATE runs SET state = ? WHERE id = ?", state, this.#id);
    });
  }
}

/** SQL condition for the quotes of a list, without its bounds of length. Windows show which quotes are curated. */
function inList({ language, tag, curated }: Filter): { where: string; values: (string | null)[] } {
  if (tag === null && !curated) {
    return { where: "language = coalesce(?, language)", values: [language] };
  }
  const list = filterName({ ...EVERYTHING, language, tag, curated });
  return { where: `id IN (${KEYS_IN} IS NOT NULL)`, values: [list] };
}
