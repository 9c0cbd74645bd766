/** A quote as a row of the working database and of a published one. */
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

/** The columns, in the order in which `appendValues` adds them. */
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

/** Appends a quote's values to those of a statement: a new array for each row costs as much as binding it. */
export function appendValues(values: Value[], quote: Quote): Value[] {
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
    served: served === null ? null : (JSON.parse(served) as ServedWords),
  };
}

/** Length of the served text in code points; indexed once a collection is cut into slices. */
export const LENGTH = "length(coalesce(served ->> '$.quote', text))";

/** Quotes at the start of a window to insert one by one, since the overlap with the window before is known. */
const MOST_SINGLE = 8;
/** Rows of one statement, largest first: a call into SQLite costs as much as inserting a row. */
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
 * Inserts or updates the quotes of a window; the latest version served wins.
 *
 * @returns number of new quotes
 */
export function writeQuotes(database: Database, quotes: readonly Quote[]): number {
  const insert = (from: number, size: number): number => {
    const chunk = quotes.slice(from, from + size);
    const added = database.run(INSERT.get(size) ?? "", ...chunk.reduce(appendValues, []));
    if (added === size) return added;
    for (const quote of chunk) database.run(UPDATE, ...appendValues([], quote), quote.id);
    return added;
  };
  let added = 0;
  let at = 0;
  // Usually all quotes after the first new one are new as well.
  while (at < Math.min(MOST_SINGLE, quotes.length) && added === 0) added += insert(at++, 1);
  for (const size of CHUNKS) {
    for (; quotes.length - at >= size; at += size) added += insert(at, size);
  }
  return added;
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
