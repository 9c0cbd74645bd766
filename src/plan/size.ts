/**
 * How large a site will be, before it is made: pages by kind from the sizes of the listings, bytes by what pages of the
 * default theme weigh.
 */
import type { Tag } from "../contract/tag.ts";
import type { ListingKind, Spelling, Term } from "../contract/term.ts";
import { initialOf } from "./initials.ts";
import { FIXED_PATHS } from "./paths.ts";
import { planTerms } from "./terms.ts";

export interface SiteShape {
  readonly quotes: number;
  /** Mean size of a quote's words in UTF-8, in bytes. */
  readonly textBytes: number;
  /** Quotes of each term, by kind. */
  readonly terms: Readonly<Record<ListingKind, readonly number[]>>;
  /** Authors under each initial of their index. */
  readonly initials: readonly number[];
}

export interface PageSizes {
  /** Quotes on a listing page. */
  readonly perPage: number;
  /** Most quotes that have a page of their own. */
  readonly quotePages: number;
  /** Authors on a page of their index. */
  readonly authorsPerPage: number;
}

export interface SiteSize {
  readonly pages: Readonly<Record<ListingKind | "initial" | "quote" | "fixed", number>>;
  /** Pages, and the files that every site has besides them. */
  readonly files: number;
  /** Thumbnails and the search index come on top. */
  readonly bytes: number;
}

/** What the default theme writes, in bytes: a page without its list, and each entry of a list. */
const WEIGHT = { page: 4_600, card: 490, tag: 75, author: 90, letter: 50 };

/** Style sheets, typefaces, icon, feed, sitemap, robots.txt and build.json. */
const BESIDES = { files: 15, bytes: 800_000 };

/** The shape of a collection whose names are known, each with its number of quotes. */
export function shapeOf(
  names: Readonly<Record<ListingKind, Iterable<Spelling>>>,
  tagList: readonly Tag[],
  textBytes: number,
): SiteShape {
  const authors = planTerms("author", names.author);
  const languages = quotesOf(planTerms("language", names.language));
  const initials = new Map<string, number>();
  for (const { name, key } of authors) {
    if (name === null) continue;
    const { slug } = initialOf(key);
    initials.set(slug, (initials.get(slug) ?? 0) + 1);
  }
  return {
    quotes: sum(languages),
    textBytes,
    terms: {
      tag: quotesOf(planTerms("tag", names.tag, tagList)),
      author: quotesOf(authors),
      language: languages,
    },
    initials: [...initials.values()],
  };
}

export function sizeOfSite(
  shape: SiteShape,
  { perPage, authorsPerPage, quotePages }: PageSizes,
): SiteSize {
  const { quotes, terms, initials } = shape;
  const pages = {
    tag: pagesOf(terms.tag, perPage),
    author: pagesOf(terms.author, perPage),
    language: pagesOf(terms.language, perPage),
    initial: pagesOf(initials, authorsPerPage),
    quote: Math.min(quotes, quotePages),
    fixed: Object.keys(FIXED_PATHS).length,
  };
  const all = sum(Object.values(pages));
  const memberships = sum(terms.tag);
  // Each quote is a card in its author's, its language's and its tags' listings, and on its own page where it has one.
  const cards = memberships + quotes * 2 + pages.quote;
  const tagsOfCard = quotes === 0 ? 0 : memberships / quotes;
  const bytes =
    all * WEIGHT.page +
    cards * (WEIGHT.card + tagsOfCard * WEIGHT.tag + shape.textBytes) +
    sum(initials) * WEIGHT.author +
    pages.initial * initials.length * WEIGHT.letter +
    BESIDES.bytes;
  return { pages, files: all + BESIDES.files, bytes: Math.round(bytes) };
}

/** A quote that carries two spellings of a tag is counted under both: too many, and by little. */
function quotesOf(terms: readonly Term[]): number[] {
  return terms.map(({ spellings }) => sum(spellings.map(({ quotes }) => quotes)));
}

function pagesOf(sizes: readonly number[], perPage: number): number {
  return sum(sizes.map((size) => Math.ceil(size / perPage)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
