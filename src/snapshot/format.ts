/**
 * The format of a published snapshot and its versions (docs/state.md).
 *
 * A new snapshot has the newest version. An older one is read through views, in which a missing table is empty and a missing
 * column is null.
 */
import { ConfigurationError, DiskError } from "../contract/errors.ts";
import { Database } from "../sqlite/database.ts";
import { damaged } from "./published/facts.ts";
import { definitionsOf, QUOTE_COLUMNS } from "./row.ts";

export const PUBLISHED_VERSION = 2;

/** Each table with its columns; a change needs a new `PUBLISHED_VERSION` and a state in `test/fixtures/states`. */
const TABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  quotes: QUOTE_COLUMNS,
  tags: { name: "TEXT PRIMARY KEY", slug: "TEXT NOT NULL" },
  facts: { key: "TEXT PRIMARY KEY", value: "TEXT NOT NULL" },
  /** Curated quotes; known only where there is a fact "curated". */
  curated: { id: "INTEGER PRIMARY KEY" },
  /** Quotes that an earlier complete snapshot lacked, and when they were first published (ISO 8601). */
  first_seen: { id: "INTEGER PRIMARY KEY", since: "TEXT NOT NULL" },
  /** Tombstones: quotes that were published before and are gone, and when a harvest found that (ISO 8601). */
  gone: { id: "INTEGER PRIMARY KEY", since: "TEXT NOT NULL" },
};

/** Makes the tables of a snapshot that a file lacks, with the columns of the newest version. */
export function upgradeTables(database: Database, schema = "main"): void {
  for (const [table, columns] of Object.entries(TABLES)) {
    database.exec(
      `CREATE TABLE IF NOT EXISTS ${schema}.${table} (${definitionsOf(columns)}) STRICT`,
    );
    addColumns(database, schema, table, columns);
  }
  database.exec(`PRAGMA ${schema}.user_version = ${PUBLISHED_VERSION}`);
}

/** Adds the columns that an older table lacks; its rows have null in them. */
export function addColumns(
  database: Database,
  schema: string,
  table: string,
  columns: Readonly<Record<string, string>>,
): void {
  const known = columnsIn(database, schema, table);
  for (const [name, sql] of Object.entries(columns)) {
    if (!known.has(name)) database.exec(`ALTER TABLE ${schema}.${table} ADD COLUMN ${name} ${sql}`);
  }
}

/**
 * Makes a temporary view of each table of a snapshot, with the columns of the newest version.
 *
 * @param schema of the snapshot; an empty one has no quotes
 * @param prefix of the names of the views; without it, the views hide the tables
 */
function viewTables(database: Database, schema: string, prefix: string): void {
  for (const [table, columns] of Object.entries(TABLES)) {
    const known = columnsIn(database, schema, table);
    const shown = Object.keys(columns).map((name) => (known.has(name) ? name : `NULL AS ${name}`));
    const from = known.size === 0 ? "WHERE 0" : `FROM ${schema}.${table}`;
    database.exec(`CREATE TEMP VIEW ${prefix}${table} AS SELECT ${shown.join(", ")} ${from}`);
  }
}

/**
 * Opens a snapshot of any version for reading, with the tables of the newest.
 *
 * @throws {ConfigurationError} when a newer program made it
 * @throws {DiskError} when it is damaged or no snapshot
 */
export function openTables(path: string): Database {
  const database = new Database(path, { immutable: true });
  try {
    const version = knownVersion(database.version, path);
    refuseOthers(database, path);
    if (version < PUBLISHED_VERSION) viewTables(database, "main", "");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Attaches a snapshot of any version to the working database for reading: as views `previous_quotes`, `previous_gone` and
 * so on.
 *
 * @param path null for an empty snapshot
 * @returns handle that detaches it
 */
export function attachPrevious(work: Database, path: string | null): Disposable {
  const attached = work.attach(path, "previous");
  viewTables(work, "previous", "previous_");
  return {
    [Symbol.dispose]: () => {
      for (const table of Object.keys(TABLES)) work.exec(`DROP VIEW temp.previous_${table}`);
      attached[Symbol.dispose]();
    },
  };
}

/** A view or trigger in the place of a table would run the SQL of whoever made the file. */
function refuseOthers(database: Database, path: string): void {
  const entries = database.all<{ type: string; name: string; sql: string | null }>(
    "SELECT type, name, sql FROM main.sqlite_schema",
  );
  const other = entries.find(({ type, name, sql }) => {
    if (type === "index") return sql !== null;
    return type !== "table" || TABLES[name] === undefined || /\bVIRTUAL\b/i.test(sql ?? "");
  });
  if (other !== undefined)
    throw damaged(path, `it holds the ${other.type} ${JSON.stringify(other.name)}`);
  for (const [table, columns] of Object.entries(TABLES)) {
    const known = columnsIn(database, "main", table);
    const extra = known.difference(new Set(Object.keys(columns)));
    if (extra.size > 0) throw damaged(path, `its table ${table} has the column ${[...extra][0]}`);
  }
}

function knownVersion(version: number, path: string): number {
  if (version > PUBLISHED_VERSION) {
    throw new ConfigurationError(
      `Cannot use ${path}: made by a newer Commonplace; upgrade this one, or publish an older snapshot with "npm run snapshots -- use ID"`,
    );
  }
  if (version < 1) throw new DiskError(`Cannot use ${path}: no snapshot`);
  return version;
}

function columnsIn(database: Database, schema: string, table: string): Set<string> {
  return new Set(
    database.column<string>("SELECT name FROM pragma_table_info(?, ?)", table, schema),
  );
}
