/**
 * How large a site will be, before it is made: every file that a build writes, by what it follows from.
 */
import type { SiteMeasure } from "../../contract/host.ts";
import { PLACE_FILES } from "../../contract/work.ts";
import { AUTHORS_PER_PAGE } from "../fill.ts";
import { FIXED_PATHS, type ListingKind } from "../paths.ts";
import { otherFiles, type SomeFiles } from "./other-files.ts";
import { sum, type SiteShape, type SizeSettings } from "./shape.ts";
import { API, EMBED, OTHER, PAGE, SEARCH, VOTES } from "./weights.ts";

export interface SiteSize extends SiteMeasure {
  readonly pages: Readonly<
    Record<ListingKind | "initial" | "quote" | "day" | "embed" | "fixed", number>
  >;
}

/** What else the size follows from. */
export interface SiteTraits {
  /** Days that have a page. */
  readonly days: number;
  /** Whether votes can be cast. */
  readonly votes: boolean;
}

export function sizeOfSite(whole: SiteShape, settings: SizeSettings, traits: SiteTraits): SiteSize {
  const shape = withoutThinTags(whole, settings.minTagQuotes);
  const { quotes, terms, initials, textBytes } = shape;
  const own = Math.min(quotes, settings.quotePages);
  const pages = {
    tag: pagesOf(terms.tag, settings.perPage),
    author: pagesOf(terms.author, settings.perPage),
    language: pagesOf(terms.language, settings.perPage),
    initial: pagesOf(initials, AUTHORS_PER_PAGE),
    quote: own,
    // Today's is one more.
    embed: own === 0 || settings.embeds === 0 ? 0 : 1 + Math.min(own, settings.embeds),
    day: quotes === 0 ? 0 : traits.days,
    fixed: Object.keys(FIXED_PATHS).length,
  };
  const all = sum(Object.values(pages));
  const listed = all - pages.embed;
  const others: SomeFiles[] = Object.values(otherFiles(shape, settings, listed, pages.embed));
  const tagged = sum(whole.terms.tag);
  const votes = traits.votes ? VOTES : { page: 0, card: 0 };
  const tags = (quotes === 0 ? 0 : tagged / quotes) * PAGE.cardTag;
  const cardBytes = PAGE.card + votes.card + tags + textBytes;
  // Each quote is a card in its author's, its language's and its tags' listings, and on its own page where it has one;
  // the home page, the page of today and that of each day show some more.
  const cards =
    sum(terms.tag) +
    quotes * 2 +
    pages.quote +
    Math.min(quotes, PAGE.home.cards) +
    terms.language.length * (1 + pages.day);
  const bytes =
    listed * (PAGE.page + votes.page) +
    pages.embed * (EMBED.page + textBytes * EMBED.words) +
    pages.language * PAGE.language +
    cards * (cardBytes + PAGE.place) +
    pages.quote * textBytes * PAGE.words +
    (terms.tag.length + PAGE.home.tags) * PAGE.tag +
    (sum(initials) + PAGE.home.authors) * PAGE.author +
    pages.initial * initials.length * PAGE.letter;
  return {
    pages,
    files: all + sum(others.map(({ files }) => files)),
    // Every page but home and 404 is a folder's index.
    folders:
      all -
      2 +
      OTHER.folders +
      terms.language.length * SEARCH.folders +
      others.filter(({ files }) => files > 0).length,
    bytes: Math.round(bytes + sum(others.map((some) => some.bytes))),
    largestFile: Math.round(
      Math.max(
        PAGE.page +
          Math.min(settings.perPage, Math.max(0, ...terms.language)) * (cardBytes + PAGE.place),
        (quotes / PLACE_FILES) * API.place,
        ...others.map(({ largest }) => largest),
      ),
    ),
    mostFiles: Math.max(...others.map(({ inOneFolder }) => inOneFolder)),
  };
}

function withoutThinTags(shape: SiteShape, least: number): SiteShape {
  if (least <= 1) return shape;
  const tag = shape.terms.tag.filter((quotes) => quotes >= least);
  return { ...shape, terms: { ...shape.terms, tag } };
}

function pagesOf(sizes: readonly number[], perPage: number): number {
  return sum(sizes.map((size) => Math.ceil(size / perPage)));
}
