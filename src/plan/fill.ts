/** Writes the tables of the plan: the listings in the order in which lists show them, and every page with its cache key. */
import type { Script } from "../contract/languages.ts";
import type { MergedName, MergedNames } from "../contract/results.ts";
import type { Quote } from "../contract/quote.ts";
import type { PublishedSnapshot } from "../snapshot/index.ts";
import type { Database } from "../sqlite/database.ts";
import { digest, draftPlan, type Draft, type ListingDraft, type QuoteDraft } from "./draft.ts";
import { fold } from "./fold.ts";
import { moreQuotes, NO_MORE } from "./more.ts";
import { initialOf, initialsInOrder, type InitialGroup } from "./initials.ts";
import { quotePath, termPath, type ListingKind, type PlannedPage, type TermKind } from "./paths.ts";
import { relatedListings } from "./related.ts";

/** Authors on a page of their index: some 20 kB of HTML. */
export const AUTHORS_PER_PAGE = 240;

/** The most liked quotes that the plan knows by their place. */
const TOP = 10_000;

/** Merged names, and other spellings of each, that are named one by one. */
const NAMED = { names: 30, others: 8 };

// A constant: the connection finds its prepared statement by the text.
const INSERT_PAGE =
  "INSERT INTO pages (path, kind, term, number, cache_key, members, languages) VALUES (?, ?, ?, ?, ?, ?, ?)";

/** What the site's operator shows on no page. */
export interface Hidden {
  readonly pks: readonly number[];
  /** Names are compared as listings are: any spelling of an author or a tag hides all of them. */
  readonly authors: readonly string[];
  readonly tags: readonly string[];
}

export interface PlanSettings {
  /** Quotes on a listing page. */
  readonly perPage: number;
  /** Quotes with a page of their own, the most liked first. */
  readonly quotePages: number;
  /** Quotes that a tag must have to get a listing. */
  readonly minTagQuotes: number;
  readonly hidden: Hidden;
  /** Of the site's own language: its letters come first in the index of authors. */
  readonly script: Script;
}

export interface PlanOptions extends PlanSettings {
  /** Identifies the picture to show for an address; null where there is none. */
  readonly pictureOf: (image: string) => string | null;
}

interface InitialDraft extends InitialGroup {
  readonly id: number;
  /** Authors, in the order of their keys. */
  readonly members: ListingDraft[];
}

export function fillPlan(db: Database, snapshot: PublishedSnapshot, options: PlanOptions): void {
  const isHidden = hiddenBy(options.hidden);
  function* shown() {
    for (const quote of snapshot.all()) if (!isHidden(quote)) yield quote;
  }
  const draft = draftPlan(shown(), {
    tagList: snapshot.tagList(),
    minTagQuotes: options.minTagQuotes,
    pictureOf: options.pictureOf,
  });
  const { listings, quotes, ranked } = draft;
  linkToPages(draft, options);

  const related = relatedListings(listings);
  const largest = (kind: ListingKind): ListingDraft[] =>
    listings
      .filter((listing) => listing.kind === kind)
      .sort((a, b) => b.members.length - a.members.length);
  const tags = largest("tag");
  const authors = largest("author");
  const { perPage } = options;
  for (const some of [tags, authors, largest("language")]) {
    for (const [place, listing] of some.entries()) {
      writeListing(
        db,
        { ...listing, place, perPage },
        ({ cardKey }) => cardKey,
        related.get(listing.id),
      );
    }
  }
  const initials = groupByInitial(draft, options.script);
  const letters = initials.map(({ slug }) => slug).join("\0");
  for (const [place, { id, slug, label: name, members }] of initials.entries()) {
    const listing = { id, kind: "initial", slug, name, label: letters, members } as const;
    writeListing(
      db,
      { ...listing, place, perPage: AUTHORS_PER_PAGE },
      (author) => `${author.label}\0${author.members.length}`,
    );
  }
  for (const { id, kind, spellings } of listings) {
    for (const { name } of spellings) {
      db.run("INSERT INTO names VALUES (?, ?, ?)", kind, name ?? "", id);
    }
  }
  const moreOf = moreQuotes(listings);
  for (const quote of quotes) {
    const { id, cardKey, authorPage, listedPage } = quote;
    const { ofAuthor, ofTags, previous, next } = authorPage === null ? moreOf(quote) : NO_MORE;
    const steps = [previous?.id ?? null, next?.id ?? null];
    const row = [id, cardKey, authorPage, listedPage, ...steps];
    db.run("INSERT INTO permalinks VALUES (?, ?, ?, ?, ?, ?)", ...row);
    if (authorPage !== null) continue;
    const offered = (other: QuoteDraft): string => other.textKey + (other.authorPage ?? "");
    const named = (other: QuoteDraft): string =>
      offered(other) + (listings[(other.named[0] ?? 0) - 1]?.label ?? "");
    const places = [listedPage, ...steps.map((step) => step ?? "")];
    const shown = [cardKey, ...places, ...ofAuthor.map(offered), "", ...ofTags.map(named)];
    const page = { path: quotePath(id), kind: "quote", term: String(id), number: 1 } as const;
    writePage(db, page, shown, [quote, ...ofAuthor, ...ofTags]);
  }
  const facts = {
    quotes: quotes.length,
    merged: mergedNames([...tags, ...authors]),
    top: ranked.slice(0, TOP).map(({ id }) => id),
  };
  for (const [key, value] of Object.entries(facts)) {
    db.run("INSERT INTO facts VALUES (?, ?)", key, JSON.stringify(value));
  }
}

function hiddenBy({ pks, authors, tags }: Hidden): (quote: Quote) => boolean {
  const ids = new Set(pks);
  const authorKeys = new Set(authors.map(fold));
  const tagKeys = new Set(tags.map(fold));
  return (quote) =>
    ids.has(quote.id) ||
    (authorKeys.size > 0 && quote.author !== null && authorKeys.has(fold(quote.author))) ||
    (tagKeys.size > 0 && quote.tags.some((name) => tagKeys.has(fold(name))));
}

interface PagedListing<Member> {
  readonly id: number;
  readonly kind: TermKind;
  readonly slug: string;
  readonly name: string | null;
  /** What every page shows with its members. */
  readonly label: string;
  readonly members: readonly Member[];
  /** Among those of its kind, as lists show them. */
  readonly place: number;
  readonly perPage: number;
}

/**
 * Writes a listing and its pages.
 *
 * @param shownOf all that a page shows of a member
 * @param related what the first page offers to go on with
 */
function writeListing<Member extends { readonly id: number }>(
  db: Database,
  { id, kind, slug, name, label, members, place, perPage }: PagedListing<Member>,
  shownOf: (member: Member) => string,
  related: readonly ListingDraft[] = [],
): void {
  const pages = Math.ceil(members.length / perPage);
  const ids = JSON.stringify(related.map((other) => other.id));
  const row = [id, kind, place, slug, name, members.length, pages, ids];
  db.run("INSERT INTO listings VALUES (?, ?, ?, ?, ?, ?, ?, ?)", ...row);
  for (let number = 1; number <= pages; number++) {
    const own = members.slice((number - 1) * perPage, number * perPage);
    const links = number === 1 ? related.map((other) => `${other.kind} ${other.label}`) : [];
    const shown = [kind, slug, label, members.length, number, ...links, "", ...own.map(shownOf)];
    writePage(db, { path: termPath(kind, slug, number), kind, term: slug, number }, shown, own);
  }
}

/** @param shown all that the page shows of the collection */
function writePage(
  db: Database,
  { path, kind, term, number }: Omit<PlannedPage, "cacheKey">,
  shown: readonly (string | number)[],
  members: readonly { readonly id: number; readonly language?: string }[],
): void {
  // No upstream text holds a control character, so the separator is part of none.
  const cacheKey = digest(shown.join("\0"));
  const ids = JSON.stringify(members.map(({ id }) => id));
  const languages = JSON.stringify([...new Set(members.flatMap(({ language = [] }) => language))]);
  db.run(INSERT_PAGE, path, kind, term, number, cacheKey, ids, languages);
}

/** Where a quote has no page of its own, its link leads to its place in its author's listing. */
function linkToPages({ listings, ranked }: Draft, { quotePages, perPage }: PlanOptions): void {
  for (const { kind, members } of listings) {
    if (kind !== "author") continue;
    members.forEach((quote, index) => (quote.listedPage = Math.floor(index / perPage) + 1));
  }
  // A card is made again where its own link leads elsewhere.
  for (const quote of ranked.slice(quotePages)) {
    quote.authorPage = quote.listedPage;
    quote.cardKey += quote.listedPage;
  }
}

function groupByInitial({ listings }: Draft, script: Script): InitialDraft[] {
  const groups = new Map<string, InitialGroup & { members: ListingDraft[] }>();
  for (const listing of listings) {
    if (listing.kind !== "author" || listing.name === null) continue;
    const initial = initialOf(listing.key);
    const group = groups.get(initial.slug);
    if (group === undefined) groups.set(initial.slug, { ...initial, members: [listing] });
    else group.members.push(listing);
  }
  return [...groups.values()]
    .sort(initialsInOrder(script))
    .map((group, place) => ({ ...group, id: listings.length + place + 1 }));
}

/** Names that have more than one spelling, the largest first. */
function mergedNames(listings: readonly ListingDraft[]): MergedNames {
  const merged = listings.flatMap(({ kind, name, spellings }): MergedName[] => {
    if (kind === "language" || name === null || spellings.length < 2) return [];
    const others = spellings.flatMap(({ name: other }) =>
      other === null || other === name ? [] : [other],
    );
    return [{ kind, name, others: others.slice(0, NAMED.others) }];
  });
  return { total: merged.length, first: merged.slice(0, NAMED.names) };
}
