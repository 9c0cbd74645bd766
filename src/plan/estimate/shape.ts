/** A collection as its size depends on it: how many names of each kind there are, and how many quotes each has. */
import type { Tag } from "../../contract/quote.ts";
import { initialOf } from "../initials.ts";
import type { ListingKind } from "../paths.ts";
import { planTerms, type Spelling, type Term } from "../terms.ts";

export interface SiteShape {
  readonly quotes: number;
  /** Mean size of a quote's words in UTF-8, in bytes. */
  readonly textBytes: number;
  /** Quotes of each term, by kind. */
  readonly terms: Readonly<Record<ListingKind, readonly number[]>>;
  /** Authors under each initial of their index. */
  readonly initials: readonly number[];
  /** Different pictures that quotes name. */
  readonly pictures: number;
}

/** The settings that the size of a site follows from: what a fork turns to make it smaller. */
export interface SizeSettings {
  /** Quotes on a listing page. */
  readonly perPage: number;
  /** Most quotes that have a page of their own. */
  readonly quotePages: number;
  /** Most quotes that have a page to embed. */
  readonly embeds: number;
  /** Quotes, authors and tags with an Open Graph image of their own. */
  readonly cards: number;
  /** Quotes that a tag must have to get a listing. */
  readonly minTagQuotes: number;
}

/** The shape of a collection whose names are known, each with its number of quotes. */
export function shapeOf(
  names: Readonly<Record<ListingKind, Iterable<Spelling>>>,
  tagList: readonly Tag[],
  { textBytes, pictures }: Pick<SiteShape, "textBytes" | "pictures">,
): SiteShape {
  const authors = planTerms("author", names.author);
  const languages = quotesOf(planTerms("language", names.language));
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
  };
}

/** More of the same: as many more authors, each as large; larger tags and languages, each as many. */
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

/** Of 190,000 real quotes: an author for every five, two tags to a quote among some two hundred, a dozen languages. */
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

/** A quote that carries two spellings of a tag is counted under both: too many, and by little. */
function quotesOf(terms: readonly Term[]): number[] {
  return terms.map(({ spellings }) => sum(spellings.map(({ quotes }) => quotes)));
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
