/**
 * The catalogue's tables, and every statement that reads them while pages are made.
 *
 * Terms of a kind stand one after another, largest first, and so do the pages of a term: what looks like a search by
 * kind or by page is a range of the primary key.
 */

/** Raise it whenever the same snapshot gives other rows, be it for a change here or in the plan. */
export const CATALOGUE_VERSION = 10;

/** A term is a tag, an author, a language, or an initial, whose members are authors and not quotes. */
export type TermKind = "tag" | "author" | "language" | "initial";

/**
 * A term holds the digests of its pages, 16 bytes each. Of the pages, a few stand in each row of their own table, one
 * behind another: how many members each has, in 4 bytes; the members, ids of 8 bytes each, as numbers of 64 bits; the
 * digests of their cards, 16 bytes each, in the same order; an initial's members are authors and have no cards. Languages
 * are codes with a blank between, and a line for each page.
 * Where a card's own link leads is 4 bytes each: 0 for a page of its own, else the page of its author's listing. It stands
 * with each page too: looking it up card by card cost more than reading the quotes.
 * What was gathered of the quotes stands in columns, for the next catalogue; no page reads them.
 * What a term is related to are ids of terms, as JSON.
 */
export const SCHEMA = `
  CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE gathered (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE kinds (kind TEXT PRIMARY KEY, first INTEGER NOT NULL, terms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE terms (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, slug TEXT NOT NULL, name TEXT,
    members INTEGER NOT NULL, pages INTEGER NOT NULL, first_page INTEGER NOT NULL, digests BLOB NOT NULL) STRICT;
  CREATE TABLE names (kind TEXT NOT NULL, name TEXT NOT NULL, term INTEGER NOT NULL,
    PRIMARY KEY (kind, name)) STRICT, WITHOUT ROWID;
  CREATE TABLE pages (first INTEGER PRIMARY KEY, sizes BLOB NOT NULL, members BLOB NOT NULL,
    cards BLOB NOT NULL, permalinks BLOB NOT NULL, languages TEXT NOT NULL) STRICT;
  CREATE TABLE related (term INTEGER PRIMARY KEY, tags TEXT NOT NULL, authors TEXT NOT NULL) STRICT;
  CREATE TABLE cards (first INTEGER PRIMARY KEY, ids BLOB NOT NULL, digests BLOB NOT NULL,
    permalinks BLOB NOT NULL) STRICT;
`;

/** Made last: an index over sorted rows costs less than one that grows. */
export const INDEX = "CREATE UNIQUE INDEX term_by_slug ON terms (kind, slug)";

/** What the reader asks; no other statement may. None of them scans a table. */
export const READS = {
  fact: "SELECT value FROM facts WHERE key = ?",
  kind: "SELECT first, terms FROM kinds WHERE kind = ?",
  term: "SELECT id, slug, name, members, pages, first_page FROM terms WHERE kind = ? AND slug = ?",
  terms:
    "SELECT id, slug, name, members, pages, first_page FROM terms WHERE id >= ? AND id < ? ORDER BY id",
  named:
    "SELECT t.slug, t.name FROM names n JOIN terms t ON t.id = n.term WHERE n.kind = ? AND n.name = ?",
  byId: "SELECT slug, name, members FROM terms WHERE id = ?",
  related: "SELECT tags, authors FROM related WHERE term = ?",
  pages:
    "SELECT first, sizes, members, cards, permalinks, languages FROM pages WHERE first <= ? ORDER BY first DESC LIMIT 1",
  planned: "SELECT kind, slug, digests FROM terms WHERE id >= ? AND id < ? ORDER BY id",
  card: "SELECT ids, digests, permalinks FROM cards WHERE first <= ? ORDER BY first DESC LIMIT 1",
  cards: "SELECT ids, digests, permalinks FROM cards WHERE first > ? ORDER BY first LIMIT 1",
} as const;
