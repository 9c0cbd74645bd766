/**
 * What the files of a site weigh, in bytes, as the default theme writes them: measured on a build of the embedded
 * collection, and held to a real build by a test.
 */

/** A page without its list, and each entry of a list besides the words of a quote. */
export const PAGE = {
  page: 8_200,
  card: 880,
  /** A tag on a card. */
  cardTag: 137,
  /** How often a quote's own page says its words besides the card: title, description, structured data. */
  words: 4,
  tag: 130,
  author: 110,
  letter: 50,
  /** Cards, tags and authors of the home page. */
  home: { cards: 12, tags: 48, authors: 48 },
};

export const API = { file: 300, quote: 260, term: 125, place: 56 };

/** A feed has a week of items, each of which says its words twice. */
export const FEED = { file: 1_000, items: 7, item: 1_100, words: 2 };

export const SITEMAP = { file: 200, address: 100 };

/** Of Pagefind: what every index has, and what each quote adds to the records and to the words. */
export const SEARCH = { files: 6, bytes: 110_000, quote: 85, words: 0.6 };

/** Two formats in two sizes, for a photograph. */
export const PICTURE = { files: 4, bytes: 30_000 };

/** 1,200 × 630 pixels. */
export const CARD = { bytes: 60_000 };

/** Style sheet, scripts and typefaces; the icon, `robots.txt`, `build.json`; what the host is told. */
export const BESIDES = { files: 26, folders: 9, bytes: 700_000, largest: 83_000 };
