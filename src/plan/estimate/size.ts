/**
 * Estimates the size of a site before it is built, from the counts that each kind of file depends on.
 *
 * The weights are bytes, measured on a build of the embedded collection with the default theme. A test compares the
 * estimate with a real build.
 */
import { isKnownLanguage } from "../../contract/languages.ts";
import type { SiteMeasure } from "../../contract/host.ts";
import type { Tag } from "../../contract/quote.ts";
import { PLACE_FILES } from "../../contract/place-files.ts";
import { openPublished } from "../../snapshot/index.ts";
import type { PlanSettings } from "../draft.ts";
import { AUTHORS_PER_PAGE } from "../fill.ts";
import { initialOf } from "../initials.ts";
import { ADDRESSES_PER_FILE, hasFeed, languageSetCount, randomSetCount } from "../listed-files.ts";
import { FIXED_PATHS, GENERAL_KINDS, type ListingKind } from "../paths.ts";
import { TOP } from "../schema.ts";
import { planTerms, quotesUnder, type Spelling, type Term } from "../terms.ts";

/** The figures of a collection that determine the size of its site. */
export interface SiteShape {
  readonly quotes: number;
  /** Mean size of a quote's text in UTF-8. */
  readonly textBytes: number;
  /** Number of quotes of each term, by kind. */
  readonly terms: Readonly<Record<ListingKind, readonly number[]>>;
  /** Number of authors of each initial. */
  readonly initials: readonly number[];
  /** Number of distinct pictures. */
  readonly pictures: number;
  /** Number of languages that the interface has, and so general pages; default: one. */
  readonly spoken?: number;
}

/** The settings that determine the size of a site. */
export interface SizeSettings extends Pick<
  PlanSettings,
  "perPage" | "quotePages" | "minTagQuotes"
> {
  /** How many quotes have a page to embed, at most. */
  readonly embeds: number;
  /** Number of Open Graph images of quotes, authors and tags. */
  readonly cards: number;
}

export function shapeOf(
  names: Readonly<Record<ListingKind, Iterable<Spelling>>>,
  tagList: readonly Tag[],
  { textBytes, pictures }: Pick<SiteShape, "textBytes" | "pictures">,
): SiteShape {
  const authors = planTerms("author", names.author);
  const languageTerms = planTerms("language", names.language);
  const languages = quotesOf(languageTerms);
  const named = authors.filter(({ name }) => name !== null);
  const initials = Map.groupBy(named, ({ key }) => initialOf(key).slug);
  return {
    quotes: sum(languages),
    textBytes,
    terms: {
      tag: quotesOf(planTerms("tag", names.tag, tagList)),
      author: quotesOf(authors),
      language: languages,
    },
    initials: Array.from(initials.values(), ({ length }) => length),
    pictures,
    spoken: languageTerms.filter(({ key }) => isKnownLanguage(key)).length,
  };
}

/** The shape of the published snapshot; null without one, or for an empty one. */
export function publishedShape(stateDir: string): SiteShape | null {
  using snapshot = openPublished(stateDir);
  if (snapshot === null || snapshot.count() === 0) return null;
  let bytes = 0;
  for (const { text } of snapshot.all()) bytes += Buffer.byteLength(text);
  let pictures = 0;
  for (const image of snapshot.images()) if (image !== "") pictures++;
  const [author, tag, language] = [snapshot.authors(), snapshot.tags(), snapshot.languages()];
  const facts = { textBytes: bytes / snapshot.count(), pictures };
  return shapeOf({ author, tag, language }, snapshot.tagList(), facts);
}

/** Scales a collection: more authors of the same size; the same tags and languages, each larger. */
export function grown(shape: SiteShape, factor: number): SiteShape {
  const larger = (sizes: readonly number[]): number[] => sizes.map((size) => size * factor);
  const authors = shape.terms.author;
  const more = Math.round(authors.length * factor);
  return {
    ...shape,
    quotes: Math.round(shape.quotes * factor),
    terms: {
      author: Array.from({ length: more }, (_, place) => authors[place % authors.length] ?? 1),
      tag: larger(shape.terms.tag),
      language: larger(shape.terms.language),
    },
    initials: larger(shape.initials),
    pictures: Math.round(shape.pictures * factor),
  };
}

/** Proportions of 190,000 real quotes: five quotes an author, two tags a quote, 200 tags, 12 languages. */
export function typicalShape(quotes: number): SiteShape {
  const alike = (count: number, size: number): number[] => new Array<number>(count).fill(size);
  return {
    quotes,
    textBytes: 160,
    terms: {
      author: alike(Math.ceil(quotes / 5), 5),
      tag: alike(200, (quotes * 2) / 200),
      language: alike(12, quotes / 12),
    },
    initials: alike(40, quotes / 200),
    pictures: 0,
  };
}

const quotesOf = (terms: readonly Term[]): number[] =>
  terms.map(({ spellings }) => quotesUnder(spellings));

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);

export interface SiteSize extends SiteMeasure {
  readonly pages: Readonly<
    Record<ListingKind | "initial" | "quote" | "day" | "embed" | "fixed", number>
  >;
}

const HOME = { cards: 12, tags: 48, authors: 48 };
/** A page without its cards. */
const PAGE_BYTES = 7_450;
/** A card's place in the structured data of a listing. */
const PLACE_BYTES = 105;
/** Quotes of a document of the search index: a block is halved where it has more than 64 (`src/search/documents.ts`). */
const QUOTES_OF_DOCUMENT = 46;
/** Files with the ranks of a language, at most: one for the first two hexadecimal digits of a document's id. */
const RANK_FILES = 256;
/** How often the text is in a page to embed, and in its oEmbed description. */
const EMBED_WORDS = 2;

/** @param traits.days number of days that have a page */
export function sizeOfSite(
  whole: SiteShape,
  settings: SizeSettings,
  traits: { readonly days: number; readonly votes: boolean },
): SiteSize {
  const least = settings.minTagQuotes;
  const tag = whole.terms.tag.filter((size) => least <= 1 || size >= least);
  const shape = { ...whole, terms: { ...whole.terms, tag } };
  const { quotes, terms, initials, textBytes } = shape;
  const own = Math.min(quotes, settings.quotePages);
  const pages = {
    tag: pagesOf(terms.tag, settings.perPage),
    author: pagesOf(terms.author, settings.perPage),
    language: pagesOf(terms.language, settings.perPage),
    initial: pagesOf(initials, AUTHORS_PER_PAGE),
    quote: own,
    // One more is the page of today.
    embed: own === 0 || settings.embeds === 0 ? 0 : 1 + Math.min(own, settings.embeds),
    day: quotes === 0 ? 0 : traits.days,
    fixed:
      Object.keys(FIXED_PATHS).length + GENERAL_KINDS.length * Math.max(0, (shape.spoken ?? 1) - 1),
  };
  const all = sum(Object.values(pages));
  const listed = all - pages.embed;
  const others = Object.values(otherFiles(shape, settings, listed, pages.embed));
  // The buttons of each card, and the forms and the texts of each page.
  const votes = traits.votes ? { page: 800, card: 355 } : { page: 0, card: 0 };
  const tagBytes = quotes === 0 ? 0 : (sum(whole.terms.tag) / quotes) * 50;
  const cardBytes = 640 + votes.card + tagBytes + textBytes + PLACE_BYTES;
  // Cards are on the listings of author, language and tags, on a quote's own page, home, today and the days.
  const cards =
    sum(terms.tag) +
    quotes * 2 +
    own +
    Math.min(quotes, HOME.cards) +
    terms.language.length * (1 + pages.day);
  const bytes =
    listed * (PAGE_BYTES + votes.page) +
    pages.embed * (2_000 + textBytes * EMBED_WORDS) +
    // Each page of a language names all languages.
    pages.language * 5_500 +
    cards * cardBytes +
    // A quote's own page repeats the text in its title, description and structured data.
    own * (textBytes * 4 + 900) +
    (terms.tag.length + HOME.tags) * 130 +
    (sum(initials) + HOME.authors) * 110 +
    // The row of letters.
    pages.initial * initials.length * 50;
  const largestPage =
    PAGE_BYTES + Math.min(settings.perPage, Math.max(0, ...terms.language)) * cardBytes;
  return {
    pages,
    files: all + sum(others.map(({ files }) => files)),
    // All pages but home and 404 have a folder each; the search has three for each language, all else ten.
    folders:
      all - 2 + 10 + terms.language.length * 3 + others.filter(({ files }) => files > 0).length,
    bytes: Math.round(bytes + sum(others.map((some) => some.bytes))),
    largestFile: Math.round(Math.max(largestPage, ...others.map(({ largest }) => largest))),
    mostFiles: Math.max(...others.map(({ inOneFolder }) => inOneFolder)),
  };
}

const pagesOf = (sizes: readonly number[], perPage: number): number =>
  sum(sizes.map((size) => Math.ceil(size / perPage)));

/** The measures of files of one size. */
function alike(files: number, largest: number, inOneFolder = files) {
  return { files, bytes: files * largest, largest, inOneFolder };
}

/**
 * The files that are not pages.
 *
 * @param pages number of pages in the sitemap
 * @param embedded number of pages to embed
 */
export function otherFiles(
  { quotes, terms, textBytes, pictures }: SiteShape,
  { cards, perPage }: SizeSettings,
  pages: number,
  embedded: number,
) {
  const kinds = ["tag", "author", "language"] as const;
  /** Quotes of each listing with feeds and a file of the API. */
  const fed = kinds.flatMap((kind) => terms[kind].filter((size) => hasFeed(kind, size)));
  const languages = terms.language.length;
  const liked = Math.min(quotes, TOP);
  const setsOfLanguages = sum(terms.language.map(languageSetCount));
  const sets = randomSetCount(liked) + setsOfLanguages;
  const places = Math.min(PLACE_FILES, quotes);
  const placeBytes = quotes * 56;
  // Index, schema, today, languages, tags, authors.
  const api = 6 + fed.length + sets + places;
  const inApi =
    sum(fed.map((size) => Math.min(size, perPage))) +
    Math.min(liked, randomSetCount(liked) * 100) +
    sum(terms.language.map((size) => Math.min(size, languageSetCount(size) * 40)));
  const named = Math.min(terms.author.length, 1_000) + terms.tag.length + languages;
  const sitemaps = Math.max(1, Math.ceil(pages / ADDRESSES_PER_FILE));
  const documents = terms.language.map((own) => Math.ceil(own / QUOTES_OF_DOCUMENT));
  const rankFiles = documents.map((count) => Math.min(count, RANK_FILES));
  const words = terms.language.map((own) => own * textBytes * 0.54);
  const termCards = [terms.author, terms.tag].map(({ length }) =>
    Math.min(length, Math.round(cards / 4)),
  );
  // Half of the languages, about, have a script of their own.
  const faces = Math.min(7, Math.floor(languages / 2));
  return {
    api: {
      files: api,
      bytes: api * 300 + inApi * (260 + textBytes) + named * 125 + placeBytes,
      // The list of 1,000 authors, or a file of places.
      largest: Math.max(125_000, placeBytes / PLACE_FILES),
      inOneFolder: Math.max(fed.length, sets, places),
    },
    // Three formats of each listing's feed, the site's, the days' and the new quotes', with seven items that contain
    // the text twice; and the calendar.
    feeds: alike((fed.length + 3) * 3 + 1, 1_000 + 7 * (1_100 + textBytes * 2), 4),
    sitemap: {
      files: sitemaps + 1,
      bytes: (sitemaps + 1) * 200 + pages * 105,
      largest: 200 + Math.min(pages, ADDRESSES_PER_FILE) * 105,
      inOneFolder: 1,
    },
    oEmbed: alike(embedded, 650 + textBytes * EMBED_WORDS, 1),
    // For each language Pagefind's own files, a file for each block of its quotes, their ranks, and chunks of words; compressed.
    search: {
      files:
        languages * 4 +
        sum(documents) +
        sum(rankFiles) +
        sum(words.map((bytes) => Math.ceil(bytes / 33_000))),
      bytes: languages * 107_000 + quotes * (55 + textBytes * 0.38) + sum(words),
      // A chunk of common words may be four times the usual size.
      largest: 160_000,
      inOneFolder: Math.max(0, ...documents),
    },
    // Two formats in two sizes.
    pictures: alike(pictures * 4, 7_500),
    // Home, languages, authors and tags; today and the most liked quotes in two shapes.
    cards: alike(
      1 +
        languages +
        (quotes > 0 ? 2 : 0) +
        Math.min(quotes, Math.round(cards / 2)) * 2 +
        sum(termCards),
      20_000,
    ),
    // Three style sheets, and for each a small typeface of every script but Latin.
    letters: alike(3 * (1 + faces), 3_000),
    // Style sheets, scripts, typefaces, icons, manifest, `robots.txt`, `build.json`, files for the host.
    rest: alike(37, 20_000),
  };
}
