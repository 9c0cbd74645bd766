/** A quote as a row of the working database and of a published one. */
import type { Quote } from "../contract/quote.ts";
import type { Database } from "../sqlite/database.ts";

/** Values in the order of `QUOTE_COLUMNS`. */
export type QuoteTuple = readonly [
  id: number,
  text: string,
  author: string | null,
  likes: number,
  /** JSON array. */
  tags: string,
  image: string | null,
  language: string,
  /** JSON, or null. */
  served: string | null,
];

export const QUOTE_COLUMNS = "id, text, author, likes, tags, image, language, served";

export const QUOTE_COLUMNS_SQL = `
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL,
  author TEXT,
  likes INTEGER NOT NULL,
  tags TEXT NOT NULL,
  image TEXT,
  language TEXT NOT NULL,
  served TEXT`;

function valuesOf({ id, text, author, likes, tags, image, language, served }: Quote): QuoteTuple {
  const servedJson = served === null ? null : JSON.stringify(served);
  return [id, text, author, likes, JSON.stringify(tags), image, language, servedJson];
}

export function toQuote(row: QuoteTuple): Quote {
  const [id, text, author, likes, tags, image, language, served] = row;
  return {
    id,
    text,
    author,
    likes,
    tags: tags === "[]" ? [] : (JSON.parse(tags) as string[]),
    image,
    language,
    served: served === null ? null : (JSON.parse(served) as Quote["served"]),
  };
}

/** The text as it was served, as SQL: the service filters by its length. */
export const SERVED_TEXT = "coalesce(served ->> '$.quote', text)";

/** Its length in code points, the smallest unit count; indexed once a collection is cut into slices. */
export const LENGTH = `length(${SERVED_TEXT})`;

/** Its length in UTF-8 bytes, the largest unit count. */
export const BYTES = `length(CAST(${SERVED_TEXT} AS BLOB))`;

const ROW = "(?, ?, ?, ?, ?, ?, ?, ?)";
const INSERT = `INSERT INTO quotes VALUES ${ROW} ON CONFLICT DO NOTHING`;
const UPDATE = `UPDATE quotes SET (${QUOTE_COLUMNS}) = ${ROW} WHERE id = ?`;

/**
 * Inserts or updates the quotes of a window; the latest version served wins.
 *
 * @returns number of new quotes
 */
export function writeQuotes(database: Database, quotes: readonly Quote[]): number {
  const isNew = (quote: Quote): boolean => {
    const values = valuesOf(quote);
    if (database.run(INSERT, ...values) === 1) return true;
    database.run(UPDATE, ...values, quote.id);
    return false;
  };
  return quotes.filter(isNew).length;
}

export const PUBLISHED_VERSION = 1;

/** The schema of a published snapshot; a change needs a new `PUBLISHED_VERSION`. */
export const publishedSchema = (schema: string): string => `
  CREATE TABLE ${schema}.quotes (${QUOTE_COLUMNS_SQL}) STRICT;
  CREATE TABLE ${schema}.tags (name TEXT PRIMARY KEY, slug TEXT NOT NULL) STRICT;
  CREATE TABLE ${schema}.facts (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  -- Curated quotes; known only where there is a fact "curated". Older snapshots lack the table.
  CREATE TABLE ${schema}.curated (id INTEGER PRIMARY KEY) STRICT;
  -- Quotes that an earlier complete snapshot lacked, and when they were first published (ISO 8601). Older snapshots lack it.
  CREATE TABLE ${schema}.first_seen (id INTEGER PRIMARY KEY, since TEXT NOT NULL) STRICT;
  -- Tombstones: quotes that were published before and are gone, and when a harvest found that (ISO 8601).
  CREATE TABLE ${schema}.gone (id INTEGER PRIMARY KEY, since TEXT NOT NULL) STRICT;
  PRAGMA ${schema}.user_version = ${PUBLISHED_VERSION};
`;
