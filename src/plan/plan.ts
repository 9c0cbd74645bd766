/** Reads the plan: prepared statements, most of which look up a few rows by a key. */
import type { CorrectionReport } from "../contract/corrections.ts";
import type { Part } from "../util/work.ts";
import { Database } from "../sqlite/database.ts";
import {
  quotePath,
  termPath,
  type ListingKind,
  type PageKind,
  type PlannedPage,
  type TermKind,
} from "./paths.ts";
import type { MergedNames } from "./fill.ts";
import { TOP } from "./schema.ts";

/** What a link to a listing shows. */
export interface ListingLabel {
  readonly slug: string;
  /** Null for the author of unattributed quotes. */
  readonly name: string | null;
}

export interface ListingRow extends ListingLabel {
  readonly id: number;
  /** Number of quotes; for an initial, of authors. */
  readonly members: number;
  readonly pages: number;
}

export interface CardRow {
  readonly id: number;
  /** Digest of everything that the card shows. */
  readonly cacheKey: string;
  /** The page of its author's listing that its permalink leads to; null if it has a page of its own. */
  readonly authorPage: number | null;
  /** Of a copy, the id of the quote that is shown in its place. */
  readonly original: number | null;
}

const LISTING = "id, slug, name, members, pages";
const CARD = "quote_id AS id, card_key AS cacheKey, author_page AS authorPage, original";
const PAGE = "path, kind, term, number, cache_key AS cacheKey";

/** Every statement; only the last five read more than the rows of one page. */
export const READS = {
  fact: "SELECT value FROM facts WHERE key = ?",
  count: "SELECT count(*) AS n FROM listings WHERE kind = ? AND name IS NOT NULL",
  listings: `SELECT ${LISTING} FROM listings WHERE kind = ? AND members >= ? ORDER BY place LIMIT ?`,
  listing: `SELECT ${LISTING} FROM listings WHERE kind = ? AND slug = ?`,
  named: `SELECT slug, listings.name FROM names JOIN listings ON listings.id = listing_id
           WHERE names.kind = ? AND names.name = ?`,
  // The plus stops SQLite from scanning all listings of the kind.
  related: `SELECT other.slug, other.name FROM listings, json_each(listings.related) AS id
              JOIN listings AS other ON other.id = id.value
             WHERE listings.id = ? AND +other.kind = ? ORDER BY id.key`,
  page: `SELECT ${PAGE} FROM pages WHERE path = ?`,
  members: "SELECT members, languages, main_language FROM pages WHERE path = ?",
  card: `SELECT ${CARD} FROM permalinks WHERE quote_id = ?`,
  cards: `SELECT ${CARD} FROM pages, json_each(pages.members) AS member
            JOIN permalinks ON quote_id = member.value WHERE pages.path = ? ORDER BY member.key`,
  place: "SELECT listed_page AS page, previous, next FROM permalinks WHERE quote_id = ?",
  authors: `SELECT listings.id, slug, name, listings.members, listings.pages
              FROM pages, json_each(pages.members) AS member JOIN listings ON listings.id = member.value
             WHERE pages.path = ? ORDER BY member.key`,
  top: `SELECT ${CARD} FROM facts, json_each(facts.value) AS member
          JOIN permalinks ON quote_id = member.value
         WHERE facts.key = 'top' AND (original IS NULL OR ?) ORDER BY member.key LIMIT ?`,
  copies: `SELECT quote_id, original FROM permalinks WHERE original IS NOT NULL ORDER BY quote_id`,
  pages: `SELECT ${PAGE} FROM pages WHERE kind = coalesce(?, kind) ORDER BY id`,
  places: "SELECT path, members FROM pages WHERE kind = 'author' ORDER BY id",
  cardsOf: `SELECT ${CARD} FROM permalinks ORDER BY quote_id LIMIT ? OFFSET ?`,
} as const;

/** Names the snapshot and the settings of a plan. */
export interface Origin {
  /** With the snapshot's id. */
  readonly key: string;
  /** With the name of the snapshot's content. */
  readonly content: string;
}

export class Plan {
  readonly #db: Database;

  /** @throws {DiskError} when there is no such file or it is no database */
  constructor(path: string) {
    // A plan is replaced, never changed.
    this.#db = new Database(path, { immutable: true });
  }

  /** Null if the file holds no plan, or one of an earlier version. */
  origin(name: keyof Origin): string | null {
    const tables = "SELECT 1 FROM sqlite_schema WHERE name = 'facts'";
    if (this.#db.get(tables) === undefined) return null;
    const row = this.#db.get<{ value: string }>(READS.fact, name);
    return row === undefined ? null : (JSON.parse(row.value) as string);
  }

  /** Number of quotes that the site shows, without copies. */
  get quotes(): number {
    return this.#fact("quotes");
  }

  /** Number of copies: each has its page, and no place in listings. */
  get copies(): number {
    return this.#fact("copies");
  }

  /** Names that have more than one spelling. */
  get merged(): MergedNames {
    return this.#fact("merged");
  }

  /** What came of the corrections of the site. */
  get corrected(): CorrectionReport {
    return this.#fact("corrected");
  }

  /** The most liked quotes, ties by id; at most 10,000 without copies. */
  top(most = TOP, { withCopies = false } = {}): CardRow[] {
    return this.#db.all<CardRow>(READS.top, Number(withCopies), most);
  }

  /** Number of listings of a kind that have a name. */
  count(kind: TermKind): number {
    return this.#db.number(READS.count, kind);
  }

  /** Largest first; initials in the order of the index. */
  listings(kind: TermKind, most = Number.MAX_SAFE_INTEGER, leastMembers = 0): ListingRow[] {
    return this.#db.all<ListingRow>(READS.listings, kind, leastMembers, most);
  }

  listing(kind: TermKind, slug: string): ListingRow | undefined {
    return this.#db.get<ListingRow>(READS.listing, kind, slug);
  }

  /** @param name of a quote's author, tag or language; null for no author */
  named(kind: ListingKind, name: string | null): ListingLabel | undefined {
    return this.#db.get<ListingLabel>(READS.named, kind, name ?? "");
  }

  /** The listings that the first page of a listing links to, in alphabetical order. */
  related(listing: number, kind: "tag" | "author"): ListingLabel[] {
    return this.#db.all<ListingLabel>(READS.related, listing, kind);
  }

  card(quote: number): CardRow | undefined {
    return this.#db.get<CardRow>(READS.card, quote);
  }

  /** A part of all cards, also of copies, in the order of their ids. */
  cardsOf({ index, count }: Part): Generator<CardRow, void> {
    const all = this.quotes + this.copies;
    const end = (part: number): number => Math.floor((part / count) * all);
    return this.#db.each<CardRow>(READS.cardsOf, end(index) - end(index - 1), end(index - 1));
  }

  /** The other quotes on a quote's own page. */
  moreCards(quote: number): CardRow[] {
    return this.#db.all<CardRow>(READS.cards, quotePath(quote)).slice(1);
  }

  /** The page of a quote in its author's listing, and the quotes before and after it. */
  placeOf(quote: number) {
    type Place = { page: number; previous: number | null; next: number | null };
    return this.#db.get<Place>(READS.place, quote);
  }

  /** The authors on a page of an initial; empty if there is no such page. */
  authors(slug: string, number: number): ListingRow[] {
    return this.#db.all<ListingRow>(READS.authors, termPath("initial", slug, number));
  }

  /** The quotes on a page of a listing, and the codes of their languages; undefined if there is no such page. */
  quotesOn(kind: ListingKind, slug: string, number: number) {
    const path = termPath(kind, slug, number);
    const row = this.#db.tuple<readonly [string, string, string | null]>(READS.members, path);
    if (row === undefined) return undefined;
    const [ids, languages, mainLanguage] = row;
    return {
      ids: JSON.parse(ids) as number[],
      languages: JSON.parse(languages) as string[],
      /** Code of the language of nine tenths of the quotes; null where none has as many. */
      mainLanguage,
    };
  }

  /** Every page of an author's listing, with the ids of its quotes. */
  authorPages(): IteratorObject<{ readonly path: string; readonly quotes: readonly number[] }> {
    const rows = this.#db.tuples<readonly [string, string]>(READS.places);
    return rows.map(([path, members]) => ({ path, quotes: JSON.parse(members) as number[] }));
  }

  /** The ids of all copies, each with that of the quote that is shown in its place. */
  copyPairs(): IteratorObject<readonly [id: number, original: number]> {
    return this.#db.tuples<readonly [number, number]>(READS.copies);
  }

  page(path: string): PlannedPage | undefined {
    return this.#db.get<PlannedPage>(READS.page, path);
  }

  /** All planned pages or those of a kind, always in the same order. */
  pages(kind?: PageKind): Iterable<PlannedPage> {
    return this.#db.each<PlannedPage>(READS.pages, kind ?? null);
  }

  close(): void {
    this.#db.close();
  }

  #fact<T>(key: string): T {
    const row = this.#db.get<{ value: string }>(READS.fact, key);
    if (row === undefined) throw new RangeError(`Cannot read ${key}: not in ${this.#db.path}`);
    return JSON.parse(row.value) as T;
  }
}
