/** The tables of the plan. */

/** Raise it whenever the same snapshot gives other rows, whether for a change here or in the names and slugs. */
export const PLAN_VERSION = 9;

/** The most liked quotes that the plan knows by their place. */
export const TOP = 10_000;

/**
 * The members of a page are a JSON array in its row: quotes, or, on a page of an initial, listings of authors. With a row
 * for each membership, ordered by window functions, a million quotes took 66 s of CPU in the place of 27 s.
 */
export const SCHEMA = `
  CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  -- A tag, an author, a language, or an initial of the authors' index. The author of unattributed quotes has no name.
  -- Ids follow the keys of the names; a list of the kind follows \`place\`: largest first, initials by letter.
  -- \`related\` is a JSON array of the tags and authors that its first page offers to go on with.
  CREATE TABLE listings (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    place INTEGER NOT NULL,
    slug TEXT NOT NULL,
    name TEXT,
    members INTEGER NOT NULL,
    pages INTEGER NOT NULL,
    related TEXT NOT NULL,
    UNIQUE (kind, slug),
    UNIQUE (kind, place)
  ) STRICT;

  -- Which listing a name of a quote belongs to; the empty name is that of quotes without author.
  CREATE TABLE names (
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    listing_id INTEGER NOT NULL REFERENCES listings,
    PRIMARY KEY (kind, name)
  ) STRICT, WITHOUT ROWID;

  -- Where a quote's own link leads: to its own page, or, where author_page is set, to that page of its author's listing.
    CREATE TABLE permalinks (
    quote_id INTEGER PRIMARY KEY,
    card_key TEXT NOT NULL,
    author_page INTEGER,
    -- Its page in its author's listing.
    listed_page INTEGER NOT NULL,
    -- The quotes that its own page leads back and on to.
    previous INTEGER,
    next INTEGER
  ) STRICT;

  -- The members of a quote's own page are the quote, and those that the page offers to go on with. \`languages\` is a JSON
  -- array of the codes of the quotes on a page of a listing: a page whose cards are memoised reads no quote.
  -- Ids follow the order in which the site lists its pages. Two pages of one address are refused.
  CREATE TABLE pages (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    term TEXT NOT NULL,
    number INTEGER NOT NULL,
    cache_key TEXT NOT NULL,
    members TEXT NOT NULL,
    languages TEXT NOT NULL
  ) STRICT;
`;
