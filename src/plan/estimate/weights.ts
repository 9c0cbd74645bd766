/**
 * What the files of a site weigh, in bytes, as the default theme writes them: measured on a build of the embedded
 * collection, and held to a real build by a test.
 */

/** A page without its list, and each entry of a list without the words of a quote. */
export const PAGE = {
  page: 7_450,
  /** Names of the languages, on each page of one. */
  language: 5_500,
  card: 375,
  /** A tag on a card. */
  cardTag: 50,
  /** The place of a card, in the structured data of a listing. */
  place: 105,
  /** How often a quote's own page says its words outside of the card: title, description, structured data. */
  words: 4,
  tag: 130,
  author: 110,
  letter: 50,
  /** Cards, tags and authors of the home page. */
  home: { cards: 12, tags: 48, authors: 48 },
};

/** Where votes can be cast: the buttons of each card, and the forms and the texts of each page. */
export const VOTES = { page: 800, card: 355 };

export const API = { file: 300, quote: 260, term: 125, place: 56 };

/** A feed has a week of items, each of which says its words twice. */
export const FEED = { file: 1_000, items: 7, item: 1_100, words: 2 };

export const SITEMAP = { file: 200, address: 105 };

/** Of the search index, in bytes, packed: what each language has, and what quotes add to pages and to words. */
export const SEARCH = {
  files: 4,
  folders: 3,
  bytes: 107_000,
  /** A common part of the words may be four times the usual. */
  largest: 160_000,
  /** A quote on its page, and each byte of it there and in the words. */
  quote: 50,
  text: 0.38,
  words: 0.54,
  /** A part of the words. */
  part: 33_000,
};

/** Two formats in two sizes, for a photograph. */
export const PICTURE = { files: 4, bytes: 30_000 };

/** A page to embed and its oEmbed description: each contains the quote's words twice. */
export const EMBED = { page: 2_000, file: 650, words: 2 };

/** 1,200 × 630 pixels. */
export const CARD = { bytes: 20_000 };

/** The typefaces of home and indexes: half of the languages, about, have a script of their own. */
export const LETTERS = { sets: 3, faces: 7, bytes: 3_000, largest: 8_000 };

/** Style sheets, scripts and typefaces; icons, the manifest, the service worker, `robots.txt`, `build.json`; headers and redirects for the host. */
export const OTHER = { files: 37, folders: 10, bytes: 740_000, largest: 83_000 };
