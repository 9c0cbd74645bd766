/**
 * The tables of the embedded service.
 *
 * A reported quote is moved from `quotes` to `reported`: no query can return it, and its pk is not loaded again.
 */
import { ConfigurationError } from "../contract/errors.ts";
import { Database } from "../sqlite/database.ts";

/** "CmPl" in ASCII. A database without this mark is refused and not changed. */
const APPLICATION_ID = 0x436d506c;

const VERSION = 2;

const TABLES = `
  CREATE TABLE quotes(
    pk INTEGER PRIMARY KEY, quote TEXT NOT NULL, author TEXT, likes INTEGER NOT NULL, tags TEXT NOT NULL,
    image TEXT, language TEXT NOT NULL, curated INTEGER NOT NULL, length INTEGER NOT NULL,
    source TEXT) STRICT;
  CREATE TABLE quote_tags(tag TEXT NOT NULL, pk INTEGER NOT NULL, PRIMARY KEY(tag, pk)) STRICT, WITHOUT ROWID;
  CREATE TABLE tags(name TEXT PRIMARY KEY, slug TEXT NOT NULL UNIQUE) STRICT, WITHOUT ROWID;
  CREATE TABLE authors(name TEXT PRIMARY KEY, folded TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE votes(
    id INTEGER PRIMARY KEY, pk INTEGER NOT NULL, step INTEGER NOT NULL, at INTEGER NOT NULL) STRICT;
  CREATE TABLE reported(pk INTEGER PRIMARY KEY, record TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
  CREATE TABLE days(
    day TEXT NOT NULL, curated INTEGER NOT NULL, language TEXT NOT NULL, pk INTEGER NOT NULL,
    PRIMARY KEY(day, curated, language)) STRICT, WITHOUT ROWID;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${VERSION};
`;

/** A database of the first version keeps its quotes and votes. */
const FROM_VERSION_1 = `
  ALTER TABLE quotes ADD COLUMN source TEXT;
  PRAGMA user_version = ${VERSION};
`;

/** Created after the first load: inserting 190,000 rows is twice as fast without them. Each ends in the pk. */
const INDEXES = `
  CREATE INDEX IF NOT EXISTS by_likes ON quotes(likes DESC);
  CREATE INDEX IF NOT EXISTS by_length ON quotes(length);
  CREATE INDEX IF NOT EXISTS by_author ON quotes(author);
  CREATE INDEX IF NOT EXISTS by_language ON quotes(language);
  CREATE INDEX IF NOT EXISTS by_language_likes ON quotes(language, likes DESC);
  CREATE INDEX IF NOT EXISTS by_language_length ON quotes(language, length);
  CREATE INDEX IF NOT EXISTS by_curated ON quotes(language) WHERE curated = 1;
  CREATE INDEX IF NOT EXISTS by_curated_likes ON quotes(likes DESC) WHERE curated = 1;
`;

/**
 * Opens the service's database. An empty one gets the tables.
 *
 * @param path a file, or `:memory:`
 * @throws {DiskError} when the file cannot be used, or another process is using it
 * @throws {ConfigurationError} when the file is a database of another program
 */
export function openDatabase(path: string): Database {
  const database = new Database(path, { durable: true });
  const pragma = (name: string): number =>
    database.number(`SELECT ${name} AS n FROM pragma_${name}`);
  try {
    // The pks of lists are cached in memory, which would miss changes by another process.
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    database.transaction(() => {
      if (database.number("SELECT count(*) AS n FROM sqlite_schema") === 0) database.exec(TABLES);
      const version = pragma("application_id") === APPLICATION_ID ? pragma("user_version") : 0;
      if (version === 1) database.exec(FROM_VERSION_1);
      if (version === 1 || version === VERSION) return;
      throw new ConfigurationError(`Cannot use ${path}: not a database of this service`);
    });
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Creates missing indexes, and the statistics by which SQLite chooses one. */
export function createIndexes(database: Database): void {
  database.transaction(() => database.exec(INDEXES));
  database.exec("PRAGMA analysis_limit = 1000; ANALYZE");
}
