/**
 * Wraps `node:sqlite`, which no other module imports: caches prepared statements, runs transactions, and turns disk
 * failures into a `DiskError`.
 *
 * Callers check values before they bind them: SQLite replaces a NULL key by a new rowid, and stores "7" as 7.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { DiskError } from "../contract/errors.ts";
import { getOrCompute } from "../util/get-or-compute.ts";

export type Value = SQLInputValue;

interface OpenOptions {
  /** Refuses writes, and does not create the file. */
  readonly readOnly?: boolean;
  /** The file never changes again, so it is read without locks: a lock costs more than a row. Implies `readOnly`. */
  readonly immutable?: boolean;
  /** A commit survives a power cut (`synchronous=FULL`); without this option, only the end of the process. */
  readonly durable?: boolean;
}

export class Database {
  readonly path: string;
  readonly #connection: DatabaseSync;
  /** By SQL text. */
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

  /** Whether SQLite finds no damage; reads the whole file. */
  isWhole(): boolean {
    return this.get<{ quick_check: string }>("PRAGMA quick_check(1)")?.quick_check === "ok";
  }

  /** SQLite's `user_version`: the schema version that the writer stored. */
  get version(): number {
    return this.number("SELECT user_version AS n FROM pragma_user_version");
  }

  /** Runs statements that take no values: schemas and pragmas. */
  exec(sql: string): void {
    guarded(this.path, () => this.#connection.exec(sql));
  }

  /**
   * Attaches another file, which must never change, for reading under a schema name.
   *
   * @param path null for an empty database in memory
   * @returns handle that detaches it
   * @throws {DiskError} when it cannot be opened
   */
  attach(path: string | null, as: string): Disposable {
    const address = path === null ? ":memory:" : immutableUrl(path).href;
    this.exec(`ATTACH '${address.replaceAll("'", "''")}' AS ${as}`);
    return { [Symbol.dispose]: () => this.exec(`DETACH ${as}`) };
  }

  /** Runs one statement and returns the number of changed rows. */
  run(sql: string, ...values: Value[]): number {
    return guarded(this.path, () => Number(this.#prepare(sql).run(...values).changes));
  }

  /**
   * As `run`, in a durable database: a power cut may undo it until the next commit, the end of the process may not. It does
   * not wait for the disk, which takes milliseconds.
   */
  runWithoutSync(sql: string, ...values: Value[]): void {
    this.exec("PRAGMA synchronous = NORMAL");
    try {
      this.run(sql, ...values);
    } finally {
      this.exec("PRAGMA synchronous = FULL");
    }
  }

  /** Returns the first row, whose type the caller declares; undefined when there is none. */
  get<Row extends object>(sql: string, ...values: Value[]): Row | undefined {
    return guarded(this.path, () => this.#prepare(sql).get(...values) as Row | undefined);
  }

  /** Returns the number in column `n` of the first row; 0 when there is none. */
  number(sql: string, ...values: Value[]): number {
    return this.get<{ readonly n: number | null }>(sql, ...values)?.n ?? 0;
  }

  /** Returns the first row as an array, in column order: a third cheaper than an object, for very many calls. */
  tuple<Row extends readonly unknown[]>(sql: string, ...values: Value[]): Row | undefined {
    return guarded(this.path, () => this.#prepare(sql, true).get(...values) as Row | undefined);
  }

  all<Row extends object>(sql: string, ...values: Value[]): Row[] {
    return guarded(this.path, () => this.#prepare(sql).all(...values) as Row[]);
  }

  /** Returns the values of a result with one column. */
  column<Item extends Value>(sql: string, ...values: Value[]): Item[] {
    return guarded(this.path, () => this.#prepare(sql, true).all(...values)).map(
      (row) => (row as unknown as [Item])[0],
    );
  }

  /** Iterates over rows, for results larger than memory. */
  each<Row extends object>(sql: string, ...values: Value[]): Generator<Row, void, undefined> {
    return this.#iterate<Row>(sql, values, false);
  }

  /** As `each`, with arrays in column order: for whole tables, since to make an object costs more than to read a row. */
  tuples<Row extends readonly unknown[]>(
    sql: string,
    ...values: Value[]
  ): Generator<Row, void, undefined> {
    return this.#iterate<Row>(sql, values, true);
  }

  *#iterate<Row>(sql: string, values: Value[], asArray: boolean): Generator<Row, void, undefined> {
    try {
      // Not a cached statement, since the caller may stop halfway.
      const statement = this.#connection.prepare(sql);
      statement.setReturnArrays(asArray);
      // Errors of the caller do not get here: they only end the generator.
      for (const row of statement.iterate(...values)) yield row as Row;
    } catch (error) {
      throw diskErrorOf(this.path, error);
    }
  }

  /** Commits all of `work` or nothing; a nested call joins the outer transaction. */
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

  #prepare(sql: string, asArray = false): StatementSync {
    const statement = getOrCompute(this.#statements, sql, () => this.#connection.prepare(sql));
    statement.setReturnArrays(asArray);
    return statement;
  }
}

/**
 * The address of a file that SQLite must treat as unchanging.
 *
 * SQLite refuses an address with a host; a share of Windows, `\\\\nas\\share`, therefore becomes `file:////nas/share`.
 *
 * @param windows whether the path has the form of Windows; default that of the running system
 * @see https://www.sqlite.org/uri.html
 */
export function immutableUrl(path: string, windows?: boolean): URL {
  const url = pathToFileURL(path, windows === undefined ? {} : { windows });
  const local = url.host === "" ? url : new URL(`file:////${url.host}${url.pathname}`);
  local.searchParams.set("immutable", "1");
  return local;
}

/** SQLite's primary result codes that concern the file and not the statement (sqlite.org/rescode.html). */
const DISK_FAILURES: Readonly<Record<number, string>> = {
  3: "permission denied",
  5: "in use by another process",
  8: "read-only",
  10: "input/output error",
  11: "damaged",
  13: "disk full",
  14: "cannot be opened",
  26: "not a database",
};

/** Whether an error says that a file is damaged or no database. */
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

/** Converts a disk failure to a `DiskError`; returns any other error unchanged. */
function diskErrorOf(path: string, error: unknown): unknown {
  const code = error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : 0;
  const reason = DISK_FAILURES[code];
  return reason === undefined
    ? error
    : new DiskError(`Cannot use ${path}: ${reason}`, { cause: error });
}
