/**
 * Puts a collection in order: which listings there are, and which quotes each has, most liked first, ties by pk.
 *
 * What stays in memory of a quote is some 300 bytes; its text does not.
 */
import { hash } from "node:crypto";
import type { Script } from "../contract/languages.ts";
import type { Quote } from "../contract/quote.ts";
import type { PublishedSnapshot } from "../snapshot/index.ts";
import { fold } from "./fold.ts";
import type { ListingKind } from "./paths.ts";
import { planTerms, quotesUnder, type Spelling, type Term } from "./terms.ts";

export interface PlanSettings {
  /** Quotes on a listing page. */
  readonly perPage: number;
  /** Quotes with a page of their own, the most liked first. */
  readonly quotePages: number;
  /** Quotes that a tag must have, counted under each of its spellings, to get a listing. */
  readonly minTagQuotes: number;
  /** Quotes on no page of the site. Any spelling of an author or a tag hides all of them. */
  readonly hidden: {
    readonly pks: readonly number[];
    readonly authors: readonly string[];
    readonly tags: readonly string[];
  };
  /** Of the site's own language: its letters come first in the index of authors. */
  readonly script: Script;
}

export interface QuoteDraft {
  readonly id: number;
  readonly likes: number;
  /** Over all that its card shows. */
  cardKey: string;
  /** Over what a link to it shows: its text and language. */
  readonly textKey: string;
  /** Its author, and its tags. */
  readonly names: readonly NameDraft[];
  readonly languageName: NameDraft;
  readonly picture: string | null;
  /** The listings of its author and then of its tags, none twice. */
  readonly named: ListingDraft[];
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

/** A spelling of a name, and the listing that it belongs to once all names are known. */
interface NameDraft extends Spelling {
  quotes: number;
  listing?: ListingDraft;
}

/**
 * @param pictureOf identifies the picture to show for an address; null where there is none
 * @returns the listings in the order of their ids, and all shown quotes: by pk, and most liked first
 */
export function draftPlan(
  snapshot: PublishedSnapshot,
  { perPage, quotePages, minTagQuotes, hidden }: PlanSettings,
  pictureOf: (image: string) => string | null,
) {
  const names = { tag: new Map(), author: new Map(), language: new Map() } as Names;
  const quotes = Array.from(withoutHidden(snapshot.all(), hidden), (quote) =>
    draftQuote(quote, names, pictureOf),
  );
  const listings = [
    ...planTerms("tag", names.tag.values(), snapshot.tagList()).filter(
      ({ spellings }) => quotesUnder(spellings) >= minTagQuotes,
    ),
    ...planTerms("author", names.author.values()),
    ...planTerms("language", names.language.values()),
  ].map((term, index): ListingDraft => {
    // A slug distinguishes a quote without author from an author without name.
    const label = `${term.slug}\u0001${term.name ?? ""}`;
    return { ...term, id: index + 1, label, members: [] };
  });
  for (const listing of listings) {
    for (const spelling of listing.spellings as NameDraft[]) spelling.listing = listing;
  }
  for (const quote of quotes) nameListings(quote);
  // Sorting is stable, so equals stay in the order of their pks.
  const ranked = quotes.toSorted((a, b) => b.likes - a.likes);
  for (const quote of ranked) {
    for (const { members, kind } of quote.named) {
      members.push(quote);
      if (kind === "author") quote.listedPage = Math.ceil(members.length / perPage);
    }
    quote.languageName.listing?.members.push(quote);
  }
  for (const quote of ranked.slice(quotePages)) {
    quote.authorPage = quote.listedPage;
    // A card is made again where its own link leads elsewhere.
    quote.cardKey += quote.listedPage;
  }
  return { listings, quotes, ranked };
}

type Names = Readonly<Record<ListingKind, Map<string | null, NameDraft>>>;

function* withoutHidden(quotes: Iterable<Quote>, hidden: PlanSettings["hidden"]): Generator<Quote> {
  const ids = new Set(hidden.pks);
  const authors = new Set(hidden.authors.map(fold));
  const tags = new Set(hidden.tags.map(fold));
  for (const quote of quotes) {
    if (ids.has(quote.id)) continue;
    if (authors.size > 0 && quote.author !== null && authors.has(fold(quote.author))) continue;
    if (tags.size > 0 && quote.tags.some((name) => tags.has(fold(name)))) continue;
    yield quote;
  }
}

function draftQuote(
  { id, text, author, likes, tags, image, language }: Quote,
  names: Names,
  pictureOf: (image: string) => string | null,
): QuoteDraft {
  const counted = (kind: ListingKind, name: string | null): NameDraft => {
    const known = names[kind].getOrInsertComputed(name, () => ({ name, quotes: 0 }));
    known.quotes++;
    return known;
  };
  return {
    id,
    likes,
    cardKey: "",
    // No upstream text holds a control character, so the separators are part of none.
    textKey: digest(`${id}\0${text}\0${language}`),
    names: [counted("author", author), ...tags.map((tag) => counted("tag", tag))],
    languageName: counted("language", language),
    picture: image === null ? null : pictureOf(image),
    named: [],
    language,
    listedPage: 1,
    authorPage: null,
  };
}

/** Puts a quote into its listings, which its card shows. */
function nameListings(quote: QuoteDraft): void {
  let shown = `${quote.textKey}\0${shownLikes(quote.likes)}\0${quote.picture ?? ""}`;
  for (const { name, listing } of quote.names) {
    // A tag without a listing is a word on the card.
    shown += `\0${listing?.label ?? name}`;
    if (listing !== undefined && !quote.named.includes(listing)) quote.named.push(listing);
  }
  quote.cardKey = digest(shown);
  quote.language = quote.languageName.listing?.name ?? quote.language;
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
