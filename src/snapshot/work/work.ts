/**
 * The working database: what a harvest has read so far and what it may not forget (docs/walk.md, section 9).
 *
 * Nothing here is published. It may be lost at the price of reading again; `notBefore` and the ledger are the reason
 * it is written through to the disk all the same.
 */
import { join } from "node:path";
import { DiskError } from "../../contract/errors.ts";
import { Database } from "../../sqlite/database.ts";
import { QUOTE_COLUMNS_SQL } from "../row.ts";

export const WORK_FILE = "work.sqlite";
const VERSION = 3;

/** Tables of the run that is walking, and of no other. */
export const OF_A_RUN = ["windows", "states", "slices", "quotes", "quarantine", "gone", "tags"];

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
    -- The filter that was cut, and the part that is to be read.
    of TEXT NOT NULL,
    filter TEXT NOT NULL,
    settled INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (of, filter)
  ) STRICT;
  CREATE TABLE quotes (${QUOTE_COLUMNS_SQL}) STRICT;
  CREATE TABLE quarantine (
    filter TEXT NOT NULL,
    place INTEGER NOT NULL,
    -- Null where not even the key could be read.
    pk INTEGER,
    reason TEXT NOT NULL,
    PRIMARY KEY (filter, place)
  ) STRICT;
  CREATE TABLE tags (name TEXT PRIMARY KEY, slug TEXT NOT NULL) STRICT;
  CREATE TABLE gone (id INTEGER PRIMARY KEY) STRICT;
  CREATE TABLE tombstones (host TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (host, id)) STRICT;
  -- Quotes of the published snapshot that a complete walk did not meet, and that were not asked for yet.
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
  CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    host TEXT NOT NULL,
    started INTEGER NOT NULL,
    ended INTEGER,
    requests INTEGER NOT NULL,
    waited_ms INTEGER NOT NULL
  ) STRICT;
`;

/** @throws {DiskError} when it is damaged, or was written by a later version of this program */
export function openWork(stateDir: string): Database {
  return openWorkAt(join(stateDir, WORK_FILE));
}

/** @param path of the file, or `:memory:` */
export function openWorkAt(path: string): Database {
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
  const version = database.get<{ user_version: number }>("PRAGMA user_version")?.user_version ?? 0;
  if (version === VERSION) return;
  if (version > VERSION) {
    throw new DiskError(`Cannot use ${path}: written by another version (${version})`);
  }
  // What an earlier version was reading is read again; what it knew of the service and of quotes gone is kept.
  for (const table of version > 0 ? ["runs", ...OF_A_RUN] : [])
    database.exec(`DROP TABLE ${table}`);
  database.exec(SCHEMA.replaceAll("CREATE TABLE", "CREATE TABLE IF NOT EXISTS"));
  database.exec("CREATE INDEX windows_by_filter ON windows (filter)");
  database.exec(`PRAGMA user_version = ${VERSION}`);
}
