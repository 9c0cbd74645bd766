/** A quote as a row, in the working database and in the published one alike. */
import type { Quote, ServedWords } from "../contract/quote.ts";
import type { Database, Value } from "../sqlite/database.ts";

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
  /** JSON `ServedWords`, or null. */
  served: string | null,
];

/** The columns in the order that `bind` adds them. */
export const QUOTE_COLUMNS = "id, text, author, likes, tags, image, language, served";

/** Their declaration; both databases use it. */
export const QUOTE_COLUMNS_SQL = `
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL,
  author TEXT,
  likes INTEGER NOT NULL,
  tags TEXT NOT NULL,
  image TEXT,
  language TEXT NOT NULL,
  served TEXT`;

/** Adds the values of a quote's row to those of a statement: a list of its own for each row costs as much as its binding. */
export function bind(values: Value[], quote: Quote): Value[] {
  values.push(
    quote.id,
    quote.text,
    quote.author,
    quote.likes,
    quote.tags.length === 0 ? "[]" : JSON.stringify(quote.tags),
    quote.image,
    quote.language,
    quote.served === null ? null : JSON.stringify(quote.served),
  );
  return values;
}

export function quoteOf(row: QuoteTuple): Quote {
  const [id, text, author, likes, tags, image, language, served] = row;
  return {
    id,
    text,
    author,
    likes,
    tags: tags === "[]" ? [] : (JSON.parse(tags) as string[]),
    image,
    language,
    served: served === null ? null : (JSON.parse(served) as ServedWords),
  };
}

/** Length of the words as they were served, in code points; indexed once a collection is cut into slices. */
export const LENGTH = "length(coalesce(served ->> '$.quote', text))";

/** Quotes that may be known before all of a window is taken to be. */
const FIRST = 8;
/** Rows that one statement inserts, largest first: crossing into SQLite costs as much as inserting a row. */
const CHUNKS = [64, 32, 16, 8, 4, 2, 1];

const ROW = "(?, ?, ?, ?, ?, ?, ?, ?)";
const UPDATE = `UPDATE quotes SET (${QUOTE_COLUMNS}) = ${ROW} WHERE id = ?`;
const INSERT = new Map(
  CHUNKS.map((size) => [
    size,
    `INSERT INTO quotes VALUES ${Array<string>(size).fill(ROW).join(", ")} ON CONFLICT DO NOTHING`,
  ]),
);

/**
 * Writes the quotes of a window, many to a statement; the latest version served wins. Windows overlap at their
 * beginning, so the first quotes are tried one by one.
 *
 * @returns how many of the quotes were new
 */
export function writeQuotes(database: Database, quotes: readonly Quote[]): number {
  const insert = (from: number, size: number): number => {
    const chunk = quotes.slice(from, from + size);
    const added = database.run(INSERT.get(size) ?? "", ...chunk.reduce(bind, []));
    if (added === size) return added;
    for (const quote of chunk) database.run(UPDATE, ...bind([], quote), quote.id);
    return added;
  };
  let added = 0;
  let at = 0;
  // A window begins with what the one before it ended with; behind the first new quote all are new, as a rule.
  while (at < Math.min(FIRST, quotes.length) && added === 0) added += insert(at++, 1);
  for (const size of CHUNKS) {
    for (; quotes.length - at >= size; at += size) added += insert(at, size);
  }
  return added;
}

export const PUBLISHED_VERSION = 1;

/** The published schema, version 1. Readers rely on it; it changes only together with its number. */
export const publishedSchema = (schema: string): string => `
  CREATE TABLE ${schema}.quotes (${QUOTE_COLUMNS_SQL}) STRICT;
  CREATE TABLE ${schema}.tags (name TEXT PRIMARY KEY, slug TEXT NOT NULL) STRICT;
  CREATE TABLE ${schema}.facts (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  -- Quotes that a person chose: known only where there is a fact "curated"; older snapshots lack the table.
  CREATE TABLE ${schema}.curated (id INTEGER PRIMARY KEY) STRICT;
  -- Quotes that an earlier whole snapshot lacked, and when they were first published (ISO 8601); older snapshots lack it.
  CREATE TABLE ${schema}.first_seen (id INTEGER PRIMARY KEY, since TEXT NOT NULL) STRICT;
  -- Tombstones: quotes that were published once and are gone, and when that was found out (ISO 8601).
  CREATE TABLE ${schema}.gone (id INTEGER PRIMARY KEY, since TEXT NOT NULL) STRICT;
  PRAGMA ${schema}.user_version = ${PUBLISHED_VERSION};
`;
