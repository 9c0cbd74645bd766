/** Writes the tables of the plan: the listings in the order in which lists show them, and every page with its cache key. */
import type { Script } from "../contract/languages.ts";
import type { MergedName, MergedNames } from "../contract/night.ts";
import type { PublishedSnapshot } from "../snapshot/index.ts";
import type { Database } from "../sqlite/database.ts";
import { digest } from "./digest.ts";
import { draftPlan, type Draft, type ListingDraft } from "./draft.ts";
import { hiddenBy, type Hidden } from "./hidden.ts";
import { initialOf, initialsInOrder, type InitialGroup } from "./initials.ts";
import { quotePath, termPath } from "./paths.ts";
import { relatedListings } from "./related.ts";
import type { ListingKind, TermKind } from "./term.ts";

/** Authors on a page of their index: some 20 kB of HTML. */
export const AUTHORS_PER_PAGE = 240;

/** The most liked quotes that the plan knows by their place. */
const TOP = 500;

/** Merged names, and other spellings of each, that are named one by one. */
const NAMED = { names: 30, others: 8 };

export interface PlanOptions {
  /** Quotes on a listing page. */
  readonly perPage: number;
  /** Quotes with a page of their own, the most liked first. */
  readonly quotePages: number;
  /** Quotes that a tag must have to get a listing. */
  readonly minTagQuotes: number;
  readonly hidden: Hidden;
  /** Of the site's own language: its letters come first in the index of authors. */
  readonly script: Script;
  /** What tells one picture from another; null where a quote has none to show. */
  readonly pictureOf: (image: string) => string | null;
}

interface InitialDraft extends InitialGroup {
  readonly id: number;
  /** In the order of their keys. */
  readonly authors: ListingDraft[];
}

export function fillPlan(db: Database, snapshot: PublishedSnapshot, options: PlanOptions): void {
  const isHidden = hiddenBy(options.hidden);
  function* shown() {
    for (const quote of snapshot.all()) if (!isHidden(quote)) yield quote;
  }
  const draft = draftPlan(shown, {
    tagList: snapshot.tagList(),
    minTagQuotes: options.minTagQuotes,
    pictureOf: options.pictureOf,
  });
  const { listings, quotes, ranked } = draft;
  const ofKind = (kind: ListingKind): ListingDraft[] =>
    listings
      .filter((listing) => listing.kind === kind)
      .sort((a, b) => b.members.length - a.members.length);
  const byKind = { tag: ofKind("tag"), author: ofKind("author"), language: ofKind("language") };
  const initials = groupByInitial(draft, options.script);
  linkToPages(draft, options);

  const writer = new PlanWriter(db);
  for (const kind of ["tag", "author", "language"] as const) {
    byKind[kind].forEach((listing, place) => {
      writer.listing(listing, place, listing.members.length, options.perPage);
    });
  }
  initials.forEach((initial, place) => {
    const { id, slug, label, authors } = initial;
    const row = { id, kind: "initial", slug, name: label } as const;
    writer.listing(row, place, authors.length, AUTHORS_PER_PAGE);
  });
  writer.names(listings);
  for (const { id, cardKey, authorPage } of quotes) writer.permalink(id, cardKey, authorPage);

  const related = relatedListings(listings);
  for (const listing of [...byKind.tag, ...byKind.author, ...byKind.language]) {
    const others = related.get(listing.id) ?? [];
    for (const other of others) writer.related(listing.id, other.id);
    const { kind, slug, members } = listing;
    const shown = `${kind}\0${listing.label}\0${members.length}`;
    pagesOf(members, options.perPage).forEach((page, index) => {
      const besides = index === 0 ? others.map(({ label }) => label).join("\0") : "";
      const cards = page.map(({ cardKey, authorPage }) => cardKey + (authorPage ?? "")).join("\0");
      writer.page(kind, slug, index + 1, `${shown}\0${besides}\0${cards}`, page);
    });
  }
  const letters = initials.map(({ slug }) => slug).join("\0");
  for (const { slug, authors } of initials) {
    const shown = `${slug}\0${authors.length}\0${letters}`;
    pagesOf(authors, AUTHORS_PER_PAGE).forEach((page, index) => {
      const names = page.map((author) => `${author.label}\0${author.members.length}`).join("\0");
      writer.page("initial", slug, index + 1, `${shown}\0${names}`, page);
    });
  }
  for (const { id, cardKey, authorPage } of quotes) {
    if (authorPage === null) writer.quotePage(id, cardKey);
  }
  writer.fact("quotes", quotes.length);
  writer.fact("merged", mergedNames([...byKind.tag, ...byKind.author]));
  writer.fact(
    "top",
    ranked.slice(0, TOP).map(({ id }) => id),
  );
}

/** Where a quote has no page of its own, its link leads to its place in its author's listing. */
function linkToPages({ listings, ranked }: Draft, { quotePages, perPage }: PlanOptions): void {
  if (ranked.length <= quotePages) return;
  for (const { kind, members } of listings) {
    if (kind !== "author") continue;
    members.forEach((quote, index) => (quote.authorPage = Math.floor(index / perPage) + 1));
  }
  for (const quote of ranked.slice(0, quotePages)) quote.authorPage = null;
}

function groupByInitial({ listings }: Draft, script: Script): InitialDraft[] {
  const groups = new Map<string, InitialGroup & { authors: ListingDraft[] }>();
  for (const listing of listings) {
    if (listing.kind !== "author" || listing.name === null) continue;
    const initial = initialOf(listing.key);
    const group = groups.get(initial.slug);
    if (group === undefined) groups.set(initial.slug, { ...initial, authors: [listing] });
    else group.authors.push(listing);
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

function pagesOf<Member>(members: readonly Member[], perPage: number): Member[][] {
  return Array.from({ length: Math.ceil(members.length / perPage) }, (_, page) =>
    members.slice(page * perPage, (page + 1) * perPage),
  );
}

interface ListingLabel {
  readonly id: number;
  readonly kind: TermKind;
  readonly slug: string;
  readonly name: string | null;
}

class PlanWriter {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  listing(
    { id, kind, slug, name }: ListingLabel,
    place: number,
    members: number,
    perPage: number,
  ): void {
    const pages = Math.ceil(members / perPage);
    this.#db.run(
      "INSERT INTO listings VALUES (?, ?, ?, ?, ?, ?, ?)",
      id,
      kind,
      place,
      slug,
      name,
      members,
      pages,
    );
  }

  names(listings: readonly ListingDraft[]): void {
    for (const { id, kind, spellings } of listings) {
      for (const { name } of spellings) {
        this.#db.run("INSERT INTO names VALUES (?, ?, ?)", kind, name ?? "", id);
      }
    }
  }

  related(listing: number, other: number): void {
    this.#db.run("INSERT INTO related VALUES (?, ?)", listing, other);
  }

  permalink(quote: number, cardKey: string, authorPage: number | null): void {
    this.#db.run("INSERT INTO permalinks VALUES (?, ?, ?)", quote, cardKey, authorPage);
  }

  /** @param shown all that the page shows of the collection */
  page(
    kind: TermKind,
    slug: string,
    number: number,
    shown: string,
    members: readonly { readonly id: number }[],
  ): void {
    const path = termPath(kind, slug, number);
    const ids = JSON.stringify(members.map(({ id }) => id));
    this.#page(path, kind, slug, number, digest(`${number}\0${shown}`), ids);
  }

  quotePage(id: number, cardKey: string): void {
    this.#page(quotePath(id), "quote", String(id), 1, cardKey, `[${id}]`);
  }

  fact(key: string, value: unknown): void {
    this.#db.run("INSERT INTO facts VALUES (?, ?)", key, JSON.stringify(value));
  }

  #page(...values: readonly [string, string, string, number, string, string]): void {
    const columns = "path, kind, term, number, cache_key, members";
    this.#db.run(`INSERT INTO pages (${columns}) VALUES (?, ?, ?, ?, ?, ?)`, ...values);
  }
}
