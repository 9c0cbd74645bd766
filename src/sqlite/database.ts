/**
 * The one place that knows `node:sqlite`: prepared statements kept by their text, transactions, and errors of the disk
 * distinguished from bugs.
 *
 * Everything bound must be checked before: SQLite gives a NULL key a rowid of its own and turns "7" into 7.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { DiskError } from "../contract/errors.ts";

export type Value = SQLInputValue;

interface OpenOptions {
  /** Refuses every write, and does not create the file. */
  readonly readOnly?: boolean;
  /** The file never changes again: it is read without a lock, which costs more than a row does. Implies `readOnly`. */
  readonly immutable?: boolean;
  /** Survives a power cut after each commit (`synchronous=FULL`); without it, only a killed process. */
  readonly durable?: boolean;
}

export class Database {
  readonly path: string;
  readonly #connection: DatabaseSync;
  /** By their text. */
  readonly #statements = new Map<string, StatementSync>();
  #depth = 0;

  /** @throws {DiskError} when the file cannot be opened or is no database */
  constructor(path: string, options: OpenOptions = {}) {
    this.path = path;
    const immutable = options.immutable ?? false;
    const readOnly = immutable || (options.readOnly ?? false);
    this.#connection = guarded(
      path,
      () => new DatabaseSync(immutable ? immutableUrl(path) : path, { readOnly, timeout: 5_000 }),
    );
    if (readOnly) return;
    const synchronous = options.durable === true ? "FULL" : "NORMAL";
    this.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}`);
  }

  /** Whether SQLite finds no damage in the file; it reads all of it. */
  isWhole(): boolean {
    return this.get<{ quick_check: string }>("PRAGMA quick_check(1)")?.quick_check === "ok";
  }

  /** SQLite's `user_version`, which the writer of the file chose. */
  get version(): number {
    return this.number("SELECT user_version AS n FROM pragma_user_version");
  }

  /** Runs statements that take no values: schemas and pragmas. */
  exec(sql: string): void {
    guarded(this.path, () => this.#connection.exec(sql));
  }

  /**
   * Makes the tables of another file readable under a name, which the caller chose; that file never changes again.
   *
   * @param path null for an empty database in memory
   * @returns detaches it
   * @throws {DiskError} when it cannot be opened
   */
  attach(path: string | null, as: string): Disposable {
    const address = path === null ? ":memory:" : immutableUrl(path).href;
    this.exec(`ATTACH '${address.replaceAll("'", "''")}' AS ${as}`);
    return { [Symbol.dispose]: () => this.exec(`DETACH ${as}`) };
  }

  /** Runs one statement and says how many rows it changed. */
  run(sql: string, ...values: Value[]): number {
    return guarded(this.path, () => Number(this.#prepare(sql).run(...values).changes));
  }

  /** The first row, typed by the caller who wrote the columns; undefined when there is none. */
  get<Row extends object>(sql: string, ...values: Value[]): Row | undefined {
    return guarded(this.path, () => this.#prepare(sql).get(...values) as Row | undefined);
  }

  /** The one number, in a column named `n`, that a statement asks for; 0 when there is none. */
  number(sql: string, ...values: Value[]): number {
    return this.get<{ readonly n: number | null }>(sql, ...values)?.n ?? 0;
  }

  /** The first row as a list of values in the order of the columns: a third cheaper, for rows read by the hundred thousand. */
  tuple<Row extends readonly unknown[]>(sql: string, ...values: Value[]): Row | undefined {
    return guarded(this.path, () => this.#prepare(sql, true).get(...values) as Row | undefined);
  }

  all<Row extends object>(sql: string, ...values: Value[]): Row[] {
    return guarded(this.path, () => this.#prepare(sql).all(...values) as Row[]);
  }

  /** The values of the one column of a result. */
  column<Item extends Value>(sql: string, ...values: Value[]): Item[] {
    return guarded(this.path, () => this.#prepare(sql, true).all(...values)).map(
      (row) => (row as unknown as [Item])[0],
    );
  }

  /** Rows one at a time, for results larger than memory. */
  each<Row extends object>(sql: string, ...values: Value[]): Generator<Row, void, undefined> {
    return this.#iterate<Row>(sql, values, false);
  }

  /** The same as lists of values in the order of the columns: for whole tables, since an object costs more than a row. */
  tuples<Row extends readonly unknown[]>(
    sql: string,
    ...values: Value[]
  ): Generator<Row, void, undefined> {
    return this.#iterate<Row>(sql, values, true);
  }

  *#iterate<Row>(sql: string, values: Value[], asList: boolean): Generator<Row, void, undefined> {
    try {
      // The statement is its own: it may be left half read.
      const statement = this.#connection.prepare(sql);
      statement.setReturnArrays(asList);
      // What the caller does with a row cannot throw in here: a generator hears of it only by being ended.
      for (const row of statement.iterate(...values)) yield row as Row;
    } catch (error) {
      throw diskErrorOf(this.path, error);
    }
  }

  /** All of `work` or nothing of it; a nested call joins the outer transaction. */
  transaction<T>(work: () => T): T {
    if (this.#depth > 0) return work();
    this.exec("BEGIN IMMEDIATE");
    this.#depth++;
    try {
      const result = work();
      this.exec("COMMIT");
      return result;
    } catch (error) {
      if (this.#connection.isTransaction) this.#connection.exec("ROLLBACK");
      throw error;
    } finally {
      this.#depth--;
    }
  }

  /** Makes a JavaScript function callable in SQL; it must be pure. */
  define(name: string, implementation: (...values: Value[]) => Value): void {
    this.#connection.function(name, { deterministic: true }, implementation);
  }

  close(): void {
    this.#statements.clear();
    if (this.#connection.isOpen) this.#connection.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #prepare(sql: string, asList = false): StatementSync {
    const statement = this.#statements.getOrInsertComputed(sql, () =>
      this.#connection.prepare(sql),
    );
    statement.setReturnArrays(asList);
    return statement;
  }
}

function immutableUrl(path: string): URL {
  const url = pathToFileURL(path);
  url.searchParams.set("immutable", "1");
  return url;
}

/** SQLite's primary result codes that concern the file and not the statement (sqlite.org/rescode.html). */
const OF_THE_DISK: Readonly<Record<number, string>> = {
  3: "permission denied",
  5: "in use by another process",
  8: "read-only",
  10: "input/output error",
  11: "damaged",
  13: "disk full",
  14: "cannot be opened",
  26: "not a database",
};

/** Whether a file was opened, and is no database or a torn one. */
export function isDamage(error: unknown): boolean {
  return error instanceof DiskError && /: (damaged|not a database)$/.test(error.message);
}

function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw diskErrorOf(path, error);
  }
}

/** The same failure as a `DiskError` where it is the disk's. */
function diskErrorOf(path: string, error: unknown): unknown {
  const code = error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : 0;
  const reason = OF_THE_DISK[code];
  return reason === undefined
    ? error
    : new DiskError(`Cannot use ${path}: ${reason}`, { cause: error });
}
