/** The files of a site that are no pages: feeds, the JSON API, the sitemap, the search index, pictures and cards. */
import { PLACE_FILES } from "../../contract/work.ts";
import type { ListingKind } from "../paths.ts";
import { sum, type SiteShape, type SizeSettings } from "./shape.ts";
import { API, CARD, EMBED, FEED, LETTERS, OTHER, PICTURE, SEARCH, SITEMAP } from "./weights.ts";

/** Fewest quotes of a listing that has feeds and a file of the API: every language has, and the larger tags and authors. */
export function feedQuotes(kind: ListingKind): number {
  return kind === "language" ? 0 : 50;
}

export function hasFeed(kind: ListingKind, quotes: number): boolean {
  return quotes >= feedQuotes(kind);
}

/** Addresses in a file of the sitemap. The protocol allows 50,000 and 50 MB a file; smaller files are read sooner. */
export const ADDRESSES_PER_FILE = 20_000;

/** Most sets to choose quotes from by chance: more than a reader goes through. */
const MOST_SETS = 256;

/** Quotes of such a set, at least, where there are more sets than one. */
const FEWEST_OF_SET = 32;

/**
 * Sets of quotes to choose from by chance: a power of two, which seldom changes.
 *
 * @param quotes that have a page of their own
 */
export function randomSetCount(quotes: number): number {
  if (quotes === 0) return 0;
  let sets = 1;
  while (sets * 2 <= MOST_SETS && quotes >= sets * 2 * FEWEST_OF_SET) sets *= 2;
  return sets;
}

export interface SomeFiles {
  readonly files: number;
  readonly bytes: number;
  readonly largest: number;
  /** Most of them that lie in one folder. */
  readonly inOneFolder: number;
}

/** Terms that the API's list of authors names. */
const LISTED_AUTHORS = 1_000;

/**
 * @param pages of the site that its sitemap lists
 * @param embedded pages to embed
 */
export function otherFiles(
  shape: SiteShape,
  settings: SizeSettings,
  pages: number,
  embedded: number,
) {
  return {
    api: api(shape, settings),
    feeds: feeds(shape),
    sitemap: sitemap(pages),
    oEmbed: oEmbed(shape, embedded),
    search: search(shape, settings),
    pictures: pictures(shape),
    cards: cards(shape, settings),
    letters: letters(shape),
    rest: { ...OTHER, inOneFolder: OTHER.files },
  };
}

/** Sizes of the listings with feeds and a file of the API. */
function listed({ terms }: SiteShape): number[] {
  return (["tag", "author", "language"] as const).flatMap((kind) =>
    terms[kind].filter((quotes) => hasFeed(kind, quotes)),
  );
}

function api(shape: SiteShape, { perPage, quotePages }: SizeSettings): SomeFiles {
  const { quotes, terms, textBytes } = shape;
  const listings = listed(shape);
  const sets = randomSetCount(Math.min(quotes, quotePages));
  const inSets = Math.min(quotes, quotePages, sets * 100);
  const places = Math.min(PLACE_FILES, quotes);
  const shown = sum(listings.map((size) => Math.min(size, perPage))) + inSets;
  const named = Math.min(terms.author.length, LISTED_AUTHORS) + terms.tag.length;
  // Index, schema, today, languages, tags, authors.
  const files = 6 + listings.length + sets + places;
  const bytes =
    files * API.file +
    shown * (API.quote + textBytes) +
    (named + terms.language.length) * API.term +
    quotes * API.place;
  const inOneFolder = Math.max(listings.length, sets, places);
  return { files, bytes, largest: LISTED_AUTHORS * API.term, inOneFolder };
}

/** RSS, Atom and JSON of each, of the whole site, of its days and of what is new; and the calendar. */
function feeds(shape: SiteShape): SomeFiles {
  const files = (listed(shape).length + 3) * 3 + 1;
  const one = FEED.file + FEED.items * (FEED.item + shape.textBytes * FEED.words);
  return { files, bytes: files * one, largest: one, inOneFolder: 4 };
}

/** Sheets, and a small typeface of each for every script but Latin. */
function letters({ terms }: SiteShape): SomeFiles {
  const faces = Math.min(LETTERS.faces, Math.floor(terms.language.length / 2));
  const files = LETTERS.sets * (1 + faces);
  return { files, bytes: files * LETTERS.bytes, largest: LETTERS.largest, inOneFolder: files };
}

function sitemap(pages: number): SomeFiles {
  const files = Math.max(1, Math.ceil(pages / ADDRESSES_PER_FILE)) + 1;
  const largest = SITEMAP.file + Math.min(pages, ADDRESSES_PER_FILE) * SITEMAP.address;
  return { files, bytes: files * SITEMAP.file + pages * SITEMAP.address, largest, inOneFolder: 1 };
}

/** One for each page to embed. */
function oEmbed({ textBytes }: SiteShape, files: number): SomeFiles {
  const largest = EMBED.file + textBytes * EMBED.words;
  return { files, bytes: files * largest, largest, inOneFolder: 1 };
}

/** For each language Pagefind's own files, a file for each listing page, and the words in parts. */
function search({ quotes, terms, textBytes }: SiteShape, { perPage }: SizeSettings): SomeFiles {
  const pages = terms.language.map((own) => Math.ceil(own / perPage));
  const words = terms.language.map((own) => own * textBytes * SEARCH.words);
  const parts = sum(words.map((bytes) => Math.ceil(bytes / SEARCH.part)));
  const files = terms.language.length * SEARCH.files + sum(pages) + parts;
  const bytes =
    terms.language.length * SEARCH.bytes +
    quotes * (SEARCH.quote + textBytes * SEARCH.text) +
    sum(words);
  return { files, bytes, largest: SEARCH.largest, inOneFolder: Math.max(0, ...pages) };
}

function pictures({ pictures: different }: SiteShape): SomeFiles {
  const files = different * PICTURE.files;
  return { files, bytes: different * PICTURE.bytes, largest: PICTURE.bytes, inOneFolder: files };
}

/** Home and the languages; today and the most liked quotes in two shapes; the largest authors and tags. */
function cards({ quotes, terms }: SiteShape, { cards: most }: SizeSettings): SomeFiles {
  const ofQuotes = Math.min(quotes, Math.round(most / 2)) * 2;
  const ofTerms = [terms.author, terms.tag].map(({ length }) =>
    Math.min(length, Math.round(most / 4)),
  );
  const files = 1 + terms.language.length + (quotes > 0 ? 2 : 0) + ofQuotes + sum(ofTerms);
  return { files, bytes: files * CARD.bytes, largest: CARD.bytes * 3, inOneFolder: files };
}
