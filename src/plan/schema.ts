/** The tables of the plan. */

/** How many of the most liked quotes the plan lists. */
export const TOP = 10_000;

/**
 * The members of a page are a JSON array in its row: ids of quotes; for an initial, of listings. A row for each member,
 * ordered by window functions, took 66 s of CPU for a million quotes instead of 27 s.
 */
export const SCHEMA = `
  CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  -- Tags, authors, languages and initials. The author of unattributed quotes has no name.
  -- Ids are in the order of folded names; \`place\` orders lists: largest first, initials by letter.
  -- \`related\`: JSON array of the ids of listings that its first page links to.
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

  -- The listing of each name; the empty name is the author of unattributed quotes.
  CREATE TABLE names (
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    listing_id INTEGER NOT NULL REFERENCES listings,
    PRIMARY KEY (kind, name)
  ) STRICT, WITHOUT ROWID;

  -- A permalink leads to page author_page of the author's listing, or to the quote's own page if that is null. The place of a
  -- copy is that of its original, and so are its neighbours.
  CREATE TABLE permalinks (
    quote_id INTEGER PRIMARY KEY,
    card_key TEXT NOT NULL,
    author_page INTEGER,
    -- Its page in its author's listing.
    listed_page INTEGER NOT NULL,
    -- The quotes that its own page links to as its neighbours.
    previous INTEGER,
    next INTEGER,
    -- The quote that is shown in the place of a copy.
    original INTEGER
  ) STRICT;

  -- The members of a quote's own page are the quote and the others that it shows. \`languages\` is a JSON array of codes:
  -- a page whose cards are memoised reads no quote. Ids are in the order in which the site lists its pages.
  CREATE TABLE pages (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    term TEXT NOT NULL,
    number INTEGER NOT NULL,
    cache_key TEXT NOT NULL,
    members TEXT NOT NULL,
    languages TEXT NOT NULL,
    -- The code of the language of nine tenths of its quotes.
    main_language TEXT
  ) STRICT;
`;
