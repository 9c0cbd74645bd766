/**
 * Puts a collection in order: which listings there are, and which quotes each has, most liked first, ties by pk.
 *
 * The snapshot is read twice, once for the names and once for the quotes. What stays in memory of a quote is some 200
 * bytes; its text does not.
 */
import type { Quote } from "../contract/quote.ts";
import type { Tag } from "../contract/tag.ts";
import { digest } from "./digest.ts";
import { shownLikes } from "./likes.ts";
import type { ListingKind, Spelling, Term } from "./term.ts";
import { planTerms } from "./terms.ts";

export interface QuoteDraft {
  readonly id: number;
  readonly likes: number;
  /** Over all that its card shows, but for where its own link leads. */
  readonly cardKey: string;
  /** Over what a link to it shows: its text and language. */
  readonly textKey: string;
  /** Ids of its author and then of its tags that have a listing, none twice. */
  readonly named: readonly number[];
  /** Id of its language. */
  readonly language: number;
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

type ListingsByName = Readonly<Record<ListingKind, ReadonlyMap<string | null, ListingDraft>>>;

/** @param quotes the shown quotes by pk; called once for each reading */
export function draftPlan(quotes: () => Iterable<Quote>, options: DraftOptions): Draft {
  const listings = draftListings(quotes(), options);
  const byName = { tag: new Map(), author: new Map(), language: new Map() } as const;
  for (const listing of listings) {
    for (const { name } of listing.spellings) byName[listing.kind].set(name, listing);
  }
  const drafts: QuoteDraft[] = [];
  for (const quote of quotes()) drafts.push(draftQuote(quote, byName, options));
  // Sorting is stable, so equals stay in the order of their pks.
  const ranked = drafts.toSorted((a, b) => b.likes - a.likes);
  for (const quote of ranked) {
    for (const id of quote.named) listings[id - 1]?.members.push(quote);
    listings[quote.language - 1]?.members.push(quote);
  }
  return { listings, quotes: drafts, ranked };
}

function draftListings(
  quotes: Iterable<Quote>,
  { tagList, minTagQuotes }: DraftOptions,
): ListingDraft[] {
  const tags = new Map<string | null, number>();
  const authors = new Map<string | null, number>();
  const languages = new Map<string | null, number>();
  for (const quote of quotes) {
    for (const tag of quote.tags) count(tags, tag);
    count(authors, quote.author);
    count(languages, quote.language);
  }
  const terms = [
    ...planTerms("tag", spellings(tags), tagList).filter((tag) => sizeOf(tag) >= minTagQuotes),
    ...planTerms("author", spellings(authors)),
    ...planTerms("language", spellings(languages)),
  ];
  return terms.map((term, index) => ({
    ...term,
    id: index + 1,
    // A slug is enough to tell a quote without author from an author without name.
    label: `${term.slug}\u0001${term.name ?? ""}`,
    members: [],
  }));
}

function draftQuote(
  { id, text, author, likes, tags, image, language }: Quote,
  listings: ListingsByName,
  { pictureOf }: DraftOptions,
): QuoteDraft {
  const writer = listings.author.get(author) ?? notPlanned("author", author);
  const picture = image === null ? null : pictureOf(image);
  // No upstream text holds a control character, so the separators are part of none.
  let shown = `${id}\0${text}\0${language}\0${shownLikes(likes)}\0${picture ?? ""}\0${writer.label}`;
  const named = [writer.id];
  for (const tag of tags) {
    const listing = listings.tag.get(tag);
    // A tag without a listing is a word on the card.
    shown += listing === undefined ? `\0${tag}` : `\0${listing.label}`;
    if (listing !== undefined && !named.includes(listing.id)) named.push(listing.id);
  }
  return {
    id,
    likes,
    cardKey: digest(shown),
    textKey: digest(`${id}\0${text}\0${language}`),
    named,
    language: listings.language.get(language)?.id ?? notPlanned("language", language),
    listedPage: 1,
    authorPage: null,
  };
}

function count(names: Map<string | null, number>, name: string | null): void {
  names.set(name, (names.get(name) ?? 0) + 1);
}

function* spellings(names: ReadonlyMap<string | null, number>): Generator<Spelling> {
  for (const [name, quotes] of names) yield { name, quotes };
}

function sizeOf(term: Term): number {
  return term.spellings.reduce((sum, { quotes }) => sum + quotes, 0);
}

function notPlanned(kind: ListingKind, name: string | null): never {
  throw new RangeError(`Cannot plan ${kind} ${name}: the snapshot changed while it was read`);
}
