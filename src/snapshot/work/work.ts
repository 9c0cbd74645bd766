/**
 * The working database: the windows and quotes of the current run, and the request ledger (docs/walk.md, section 9).
 *
 * Its loss costs a second harvest. It is durable for the sake of `notBefore` and the ledger.
 */
import { ConfigurationError, DiskError } from "../../contract/errors.ts";
import { Database } from "../../sqlite/database.ts";
import { addColumns } from "../format.ts";
import { definitionsOf, QUOTE_COLUMNS } from "../row.ts";

export const WORK_FILE = "work.sqlite";
const VERSION = 5;

/** Runs of versions from this one on are continued: their tables differ in columns of quotes alone. */
const CONTINUED = 3;

/** Tables of the current run; a new run empties them. */
export const RUN_TABLES = ["windows", "states", "slices", "quotes", "quarantine", "gone", "tags"];

const SCHEMA = `
  CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    host TEXT NOT NULL,
    selection TEXT NOT NULL,
    started INTEGER NOT NULL,
    -- walking, published, failed or refused
    state TEXT NOT NULL,
    counts TEXT NOT NULL
  ) STRICT;
  CREATE TABLE windows (
    number INTEGER PRIMARY KEY,
    filter TEXT NOT NULL,
    kind TEXT NOT NULL,
    -- JSON Window.
    body TEXT NOT NULL
  ) STRICT;
  CREATE TABLE states (name TEXT PRIMARY KEY, state TEXT NOT NULL) STRICT;
  CREATE TABLE slices (
    -- Name of the filter that was cut, and the slice as JSON.
    of TEXT NOT NULL,
    filter TEXT NOT NULL,
    settled INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (of, filter)
  ) STRICT;
  CREATE TABLE quotes (${definitionsOf(QUOTE_COLUMNS)}) STRICT;
  CREATE TABLE quarantine (
    filter TEXT NOT NULL,
    place INTEGER NOT NULL,
    -- Null where the key could not be read either.
    pk INTEGER,
    reason TEXT NOT NULL,
    PRIMARY KEY (filter, place)
  ) STRICT;
  CREATE TABLE tags (name TEXT PRIMARY KEY, slug TEXT NOT NULL) STRICT;
  CREATE TABLE gone (id INTEGER PRIMARY KEY) STRICT;
  CREATE TABLE tombstones (host TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (host, id)) STRICT;
  -- Quotes of the published snapshot that a complete walk did not see, and that are still to be probed.
  CREATE TABLE unprobed (
    host TEXT NOT NULL,
    id INTEGER NOT NULL,
    since INTEGER NOT NULL,
    PRIMARY KEY (host, id)
  ) STRICT;
  CREATE TABLE hosts (
    host TEXT PRIMARY KEY,
    not_before INTEGER NOT NULL DEFAULT 0,
    -- JSON LearnedQuota; null when nothing is known.
    quota TEXT
  ) STRICT;
  -- What earlier runs learned about a service, as JSON.
  CREATE TABLE traits (
    host TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (host, name)
  ) STRICT;
  CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    host TEXT NOT NULL,
    started INTEGER NOT NULL,
    ended INTEGER,
    requests INTEGER NOT NULL,
    waited_ms INTEGER NOT NULL
  ) STRICT;
`;

const TABLES = [...SCHEMA.matchAll(/CREATE TABLE (\w+)/g)].map(([, name = ""]) => name);

/**
 * @param path of the file, or `:memory:`
 * @throws {DiskError} when the file is damaged
 * @throws {ConfigurationError} when a newer program made it
 */
export function openWork(path: string): Database {
  const database = new Database(path, { durable: true });
  try {
    database.transaction(() => migrate(database, path));
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

function migrate(database: Database, path: string): void {
  const { version } = database;
  if (version > VERSION) {
    throw new ConfigurationError(
      `Cannot use ${path}: made by a newer Commonplace; upgrade this one, or remove the file to begin the walk anew`,
    );
  }
  const tables = database.column<string>("SELECT name FROM sqlite_schema");
  const isWhole = TABLES.every((table) => tables.includes(table));
  if (version === VERSION ? !isWhole : version === 0 && tables.length > 0) {
    throw new DiskError(`Cannot use ${path}: damaged`);
  }
  if (version === VERSION) return;
  // The ledger and the tombstones are kept; a run of a version before these begins anew.
  const old = version > 0 && version < CONTINUED ? ["runs", ...RUN_TABLES] : [];
  for (const table of old) database.exec(`DROP TABLE IF EXISTS ${table}`);
  database.exec(SCHEMA.replaceAll("CREATE TABLE", "CREATE TABLE IF NOT EXISTS"));
  addColumns(database, "main", "quotes", QUOTE_COLUMNS);
  database.exec("CREATE INDEX IF NOT EXISTS windows_by_filter ON windows (filter)");
  database.exec(`PRAGMA user_version = ${VERSION}`);
}
