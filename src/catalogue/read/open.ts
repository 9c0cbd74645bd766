/**
 * Reads the catalogue while pages are made: a few rows by primary key, and no statement but those of `READS`.
 */
import type { MergedNames } from "../../contract/night.ts";
import { cardRuns, cardsWithPage, type CardRun } from "./card-rows.ts";
import { DIGEST_BYTES } from "../digests.ts";
import {
  bufferOf,
  linksOf,
  numbersOf,
  toTerm,
  type CardsRow,
  type CatalogueTerm,
  type KindRow,
  type PageMembers,
  type PlannedCard,
  type PlannedListing,
  type PlannedRow,
  type RelatedLabels,
  type RunRow,
  type TermLabel,
  type TermRow,
} from "./rows.ts";
import { KeptRun } from "./kept-run.ts";
import { CATALOGUE_VERSION, READS, type TermKind } from "../schema.ts";
import type { Part } from "../../contract/part.ts";
import { Database } from "../../sqlite/database.ts";

const NONE = new Uint8Array(0);

/** Of a digest in hexadecimal. */
const DIGEST_DIGITS = DIGEST_BYTES * 2;

/** Terms read at a time where all are gone through. */
const STRIDE = 1_000;

export class Catalogue {
  readonly #db: Database;
  /** The term asked for last: a listing's pages come one after another, and each asks more than once. */
  #last: {
    readonly kind: TermKind;
    readonly slug: string;
    readonly row: TermRow | undefined;
  } | null = null;
  /** The row of pages read last, for the same reason. */
  #run: { readonly first: number; readonly pages: KeptRun } | null = null;

  /** @throws {DiskError} when there is no such file or it is no database */
  constructor(path: string) {
    // A catalogue is replaced by another file and never changed.
    this.#db = new Database(path, { immutable: true });
  }

  /** What it was built from; null where another version of the code did it. */
  get key(): string | null {
    const version = this.#db.get<{ user_version: number }>("PRAGMA user_version")?.user_version;
    return version === CATALOGUE_VERSION ? this.#fact<string>("key") : null;
  }

  get quotes(): number {
    return this.#fact<number>("quotes");
  }

  /** Ids of the most liked quotes of all, at most 500. */
  top(): readonly number[] {
    return this.#fact<number[]>("top");
  }

  /** Names that have more than one spelling. */
  get merged(): MergedNames {
    return this.#fact<MergedNames>("merged");
  }

  count(kind: TermKind): number {
    return this.#db.get<{ terms: number }>(READS.kind, kind)?.terms ?? 0;
  }

  /** Terms of a kind, largest first; initials in the order of the index. */
  terms(kind: TermKind, most = Number.MAX_SAFE_INTEGER): CatalogueTerm[] {
    const range = this.#db.get<KindRow>(READS.kind, kind);
    if (range === undefined) return [];
    const end = range.first + Math.min(range.terms, most);
    return Array.from(this.#db.tuples<TermRow>(READS.terms, range.first, end), toTerm);
  }

  term(kind: TermKind, slug: string): CatalogueTerm | undefined {
    const row = this.#row(kind, slug);
    return row === undefined ? undefined : toTerm(row);
  }

  /** The term that a name of a quote belongs to; null is the author of quotes without author. */
  named(kind: TermKind, name: string | null): TermLabel | undefined {
    return this.#db.get<TermLabel>(READS.named, kind, name ?? "");
  }

  /** A term by its id: what the members of an initial are. */
  byId(id: number): (TermLabel & { readonly members: number }) | undefined {
    return this.#db.get(READS.byId, id);
  }

  /** What the first page of a term offers to go on with, in the order in which it is shown. */
  related(kind: TermKind, slug: string): RelatedLabels {
    const [id = 0] = this.#row(kind, slug) ?? [];
    const row = this.#db.get<{ tags: string; authors: string }>(READS.related, id);
    if (row === undefined) return { tags: [], authors: [] };
    const labels = (ids: string): TermLabel[] =>
      (JSON.parse(ids) as number[]).flatMap((id) => this.byId(id) ?? []);
    return { tags: labels(row.tags), authors: labels(row.authors) };
  }

  /** The members of one page, in order; undefined when there is no such page. */
  members(kind: TermKind, slug: string, page: number): PageMembers | undefined {
    const term = this.#row(kind, slug);
    if (term === undefined) return undefined;
    const [, , , , pages, firstPage] = term;
    if (!Number.isInteger(page) || page < 1 || page > pages) return undefined;
    return this.#page(firstPage + page - 1);
  }

  /** What is known of a quote's card; undefined when there is no such quote. */
  card(id: number): PlannedCard | undefined {
    const [ids = NONE, digests = NONE, permalinks = NONE] =
      this.#db.tuple<CardsRow>(READS.card, id) ?? [];
    const place = numbersOf(ids).indexOf(id);
    if (place < 0) return undefined;
    return {
      digest: bufferOf(digests).subarray(place * DIGEST_BYTES, (place + 1) * DIGEST_BYTES),
      authorPage: linksOf(permalinks)[place] ?? 0,
    };
  }

  /** Every page of a kind, terms in their order. */
  paths(kind: TermKind): PlannedListing[] {
    const range = this.#db.get<KindRow>(READS.kind, kind);
    if (range === undefined) return [];
    const { first, terms } = range;
    return this.#pagesOf(first, first + terms);
  }

  /** Every page of every listing and of the authors' index, always in the same order. */
  *planned(): Generator<PlannedListing> {
    for (let first = 1; ; first += STRIDE) {
      const pages = this.#pagesOf(first, first + STRIDE);
      if (pages.length === 0) return;
      yield* pages;
    }
  }

  /** Quotes with a page of their own, by id, each with the digest of its card. */
  cards(): Iterable<{ readonly id: number; readonly digest: string }> {
    return cardsWithPage(this.#db);
  }

  /** What is known of a part of all quotes, by id. */
  cardRuns(part: Part): Iterable<CardRun> {
    return cardRuns(this.#db, part);
  }

  close(): void {
    this.#db.close();
  }

  /** The pages of the terms from one id up to another. */
  #pagesOf(first: number, end: number): PlannedListing[] {
    const listed: PlannedListing[] = [];
    for (const [kind, slug, blob] of this.#db.tuples<PlannedRow>(READS.planned, first, end)) {
      const digests = bufferOf(blob).toString("hex");
      const pages = digests.length / DIGEST_DIGITS;
      for (let page = 1; page <= pages; page++) {
        const digest = digests.slice((page - 1) * DIGEST_DIGITS, page * DIGEST_DIGITS);
        listed.push({ kind, slug, page, pages, digest });
      }
    }
    return listed;
  }

  /** @param id of a page that there is */
  #page(id: number): PageMembers | undefined {
    const found = this.#run?.pages.page(id - this.#run.first);
    if (found !== undefined) return found;
    const row = this.#db.tuple<readonly [first: number, ...RunRow]>(READS.pages, id);
    if (row === undefined) return undefined;
    const [first, ...run] = row;
    this.#run = { first, pages: new KeptRun(run) };
    return this.#run.pages.page(id - first);
  }

  #row(kind: TermKind, slug: string): TermRow | undefined {
    if (this.#last?.kind !== kind || this.#last.slug !== slug) {
      this.#last = { kind, slug, row: this.#db.tuple<TermRow>(READS.term, kind, slug) };
    }
    return this.#last.row;
  }

  #fact<T>(key: string): T {
    const row = this.#db.get<{ value: string }>(READS.fact, key);
    if (row === undefined) throw new RangeError(`Cannot read ${key}: not in ${this.#db.path}`);
    return JSON.parse(row.value) as T;
  }
}
