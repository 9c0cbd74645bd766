/** The files of a site that are no pages: feeds, the JSON API, the sitemap, the search index, pictures and cards. */
import { PLACE_FILES } from "../../contract/place-files.ts";
import { ADDRESSES_PER_FILE, FEED_QUOTES, randomSetCount } from "../extras.ts";
import { sum, type SiteShape, type SizeSettings } from "./shape.ts";
import { API, OTHER, CARD, FEED, PICTURE, SEARCH, SITEMAP } from "./weights.ts";

export interface SomeFiles {
  readonly files: number;
  readonly bytes: number;
  readonly largest: number;
  /** Most of them that lie in one folder. */
  readonly inOneFolder: number;
}

/** Terms that the API's list of authors names. */
const LISTED_AUTHORS = 1_000;

/** @param pages of the site */
export function otherFiles(shape: SiteShape, settings: SizeSettings, pages: number) {
  return {
    api: api(shape, settings),
    feeds: feeds(shape),
    sitemap: sitemap(pages),
    search: search(shape),
    pictures: pictures(shape),
    cards: cards(shape, settings),
    rest: { ...OTHER, inOneFolder: OTHER.files },
  };
}

/** Listings with feeds and a file of the API: of every language, and of the larger tags and authors. */
function listed({ terms }: SiteShape): number[] {
  const large = [...terms.tag, ...terms.author].filter((quotes) => quotes >= FEED_QUOTES);
  return [...large, ...terms.language];
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

/** RSS and JSON of each, and of the whole site. */
function feeds(shape: SiteShape): SomeFiles {
  const files = (listed(shape).length + 1) * 2;
  const one = FEED.file + FEED.items * (FEED.item + shape.textBytes * FEED.words);
  return { files, bytes: files * one, largest: one, inOneFolder: 2 };
}

function sitemap(pages: number): SomeFiles {
  const files = Math.max(1, Math.ceil(pages / ADDRESSES_PER_FILE)) + 1;
  const largest = SITEMAP.file + Math.min(pages, ADDRESSES_PER_FILE) * SITEMAP.address;
  return { files, bytes: files * SITEMAP.file + pages * SITEMAP.address, largest, inOneFolder: 1 };
}

/**
 * A file for each block of some dozens of quotes of one language. Blocks are parts of records, which are filled by chance,
 * whole pages of authors at a time, so some stay empty.
 */
function search({ quotes, terms, textBytes }: SiteShape): SomeFiles {
  const { block, blocks: most, part } = SEARCH;
  const quote = textBytes * SEARCH.letters + SEARCH.overhead;
  const size = Math.min(80_000, Math.max(10_000, 8 * Math.sqrt(quotes * quote)));
  const blocks = terms.language.map((own) => {
    const buckets = 2 ** Math.max(0, Math.ceil(Math.log2((own * quote) / size)));
    const pages = Math.max(1, (terms.author.length * own) / Math.max(1, quotes));
    const records = buckets * (1 - Math.exp(-pages / buckets));
    return records * Math.min(most, Math.max(1, Math.round((own * quote) / records / block)));
  });
  const inOneFolder = Math.round(sum(blocks));
  const words = quotes * textBytes * SEARCH.words;
  const files = SEARCH.files + inOneFolder + Math.ceil(words / part);
  const bytes = SEARCH.bytes + words + quotes * (SEARCH.quote + textBytes * SEARCH.text);
  return { files, bytes, largest: SEARCH.bytes, inOneFolder };
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
