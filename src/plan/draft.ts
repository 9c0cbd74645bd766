/**
 * Puts a collection in order: which listings there are, and which quotes each has, most liked first, ties by pk.
 *
 * What stays in memory of a quote is some 300 bytes; its text does not.
 */
import { hash } from "node:crypto";
import type { Quote, Tag } from "../contract/quote.ts";
import type { ListingKind } from "./paths.ts";
import { planTerms, type Spelling, type Term } from "./terms.ts";

export interface QuoteDraft {
  readonly id: number;
  readonly likes: number;
  /** Over all that its card shows. */
  cardKey: string;
  /** Over what a link to it shows: its text and language. */
  readonly textKey: string;
  /** Ids of its author and then of its tags that have a listing, none twice. */
  readonly named: number[];
  /** The language's code, in its commonest spelling. */
  language: string;
  /** Its page in its author's listing. */
  listedPage: number;
  /** That page where its own link leads to it; null where it has a page of its own. */
  authorPage: number | null;
}

export interface ListingDraft extends Term {
  /** From 1, in the order of the keys: tags, authors, languages. */
  readonly id: number;
  /** All that a link to it shows. */
  readonly label: string;
  /** Most liked first. */
  readonly members: QuoteDraft[];
}

export interface Draft {
  /** In the order of their ids. */
  readonly listings: readonly ListingDraft[];
  /** By pk. */
  readonly quotes: readonly QuoteDraft[];
  /** Most liked first. */
  readonly ranked: readonly QuoteDraft[];
}

export interface DraftOptions {
  /** The service's own tags. */
  readonly tagList: readonly Tag[];
  /** Quotes that a tag must have, counted under each of its spellings, to get a listing. */
  readonly minTagQuotes: number;
  /** Identifies the picture to show for an address; null where there is none. */
  readonly pictureOf: (image: string) => string | null;
}

/** A spelling of a name, and the listing that it belongs to once all names are known. */
interface NameDraft extends Spelling {
  quotes: number;
  listing?: ListingDraft;
}

/** A quote that was read before all names were known. */
interface QuoteRead extends QuoteDraft {
  readonly author: NameDraft;
  readonly tags: readonly NameDraft[];
  readonly code: NameDraft;
  readonly picture: string | null;
}

/** @param quotes the shown quotes by pk */
export function draftPlan(quotes: Iterable<Quote>, options: DraftOptions): Draft {
  const names = { tag: new Map(), author: new Map(), language: new Map() } as Names;
  const read = Array.from(quotes, (quote) => readQuote(quote, names, options));
  const listings = draftListings(names, options);
  for (const listing of listings) {
    for (const spelling of listing.spellings as NameDraft[]) spelling.listing = listing;
  }
  for (const quote of read) nameListings(quote);
  // Sorting is stable, so equals stay in the order of their pks.
  const ranked = read.toSorted((a, b) => b.likes - a.likes);
  for (const quote of ranked) {
    for (const id of quote.named) listings[id - 1]?.members.push(quote);
    quote.code.listing?.members.push(quote);
  }
  return { listings, quotes: read, ranked };
}

type Names = Readonly<Record<ListingKind, Map<string | null, NameDraft>>>;

function readQuote(
  { id, text, author, likes, tags, image, language }: Quote,
  names: Names,
  { pictureOf }: DraftOptions,
): QuoteRead {
  return {
    id,
    likes,
    cardKey: "",
    // No upstream text holds a control character, so the separators are part of none.
    textKey: digest(`${id}\0${text}\0${language}`),
    named: [],
    language,
    listedPage: 1,
    authorPage: null,
    author: counted(names.author, author),
    tags: tags.map((tag) => counted(names.tag, tag)),
    code: counted(names.language, language),
    picture: image === null ? null : pictureOf(image),
  };
}

function counted(names: Map<string | null, NameDraft>, name: string | null): NameDraft {
  const known = names.getOrInsertComputed(name, () => ({ name, quotes: 0 }));
  known.quotes++;
  return known;
}

function draftListings(names: Names, { tagList, minTagQuotes }: DraftOptions): ListingDraft[] {
  const terms = [
    ...planTerms("tag", names.tag.values(), tagList).filter((tag) => sizeOf(tag) >= minTagQuotes),
    ...planTerms("author", names.author.values()),
    ...planTerms("language", names.language.values()),
  ];
  return terms.map((term, index) => ({
    ...term,
    id: index + 1,
    // A slug distinguishes a quote without author from an author without name.
    label: `${term.slug}\u0001${term.name ?? ""}`,
    members: [],
  }));
}

/** Puts a quote into its listings, which its card shows. */
function nameListings(quote: QuoteRead): void {
  let shown = `${quote.textKey}\0${shownLikes(quote.likes)}\0${quote.picture ?? ""}`;
  for (const { name, listing } of [quote.author, ...quote.tags]) {
    // A tag without a listing is a word on the card.
    shown += `\0${listing?.label ?? name}`;
    if (listing !== undefined && !quote.named.includes(listing.id)) quote.named.push(listing.id);
  }
  quote.cardKey = digest(shown);
  quote.language = quote.code.listing?.name ?? quote.language;
}

function sizeOf(term: Term): number {
  return term.spellings.reduce((sum, { quotes }) => sum + quotes, 0);
}

/** 132 bits of SHA-256 in base64url: no accident and no quote that is sent on purpose has the digest of another. */
export function digest(text: string): string {
  return hash("sha256", text, "base64url").slice(0, 22);
}

/**
 * Likes as a reader sees them: below 100 exact, above cut to two significant figures (1,234 is 1,200). Votes come every
 * night, and an exact number would change every page that a quote is on.
 */
export function shownLikes(likes: number): number {
  const size = Math.abs(likes);
  if (size < 100) return likes;
  // Digits are counted in text: a logarithm of 1,000 may come out just below 3.
  const step = 10 ** (String(size).length - 2);
  return Math.trunc(likes / step) * step;
}
