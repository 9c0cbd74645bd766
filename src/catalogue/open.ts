/**
 * Reads the catalogue while pages are made: a few rows by primary key, and no statement but those of `READS`.
 */
import type { MergedNames } from "../contract/night.ts";
import { DIGEST_BYTES } from "./digests.ts";
import {
  bufferOf,
  linksOf,
  numbersOf,
  toTerm,
  type CardsRow,
  type CatalogueTerm,
  type KindRow,
  type ListedPage,
  type PageMembers,
  type PageRow,
  type PlannedCard,
  type PlannedListing,
  type RelatedLabels,
  type TermLabel,
  type TermRow,
} from "./rows.ts";
import { CATALOGUE_VERSION, READS, type TermKind } from "./schema.ts";
import { Database } from "../sqlite/database.ts";

/** Pages read at a time where all are gone through. */
const STRIDE = 1_000;

export class Catalogue {
  readonly #db: Database;

  /** @throws {DiskError} when there is no such file or it is no database */
  constructor(path: string) {
    // A catalogue is replaced by another file and never changed.
    this.#db = new Database(path, { immutable: true });
  }

  /** Whether it was built by this version of the code, and from what `key` says. */
  isOf(key: string): boolean {
    const version = this.#db.get<{ user_version: number }>("PRAGMA user_version")?.user_version;
    return version === CATALOGUE_VERSION && this.#fact<string>("key") === key;
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
    return this.#db.all<TermRow>(READS.terms, range.first, end).map(toTerm);
  }

  term(kind: TermKind, slug: string): CatalogueTerm | undefined {
    const row = this.#db.get<TermRow>(READS.term, kind, slug);
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
    const term = this.#db.get<TermRow>(READS.term, kind, slug);
    const row = this.#db.get<{ tags: string; authors: string }>(READS.related, term?.id ?? 0);
    if (row === undefined) return { tags: [], authors: [] };
    const labels = (ids: string): TermLabel[] =>
      (JSON.parse(ids) as number[]).flatMap((id) => this.byId(id) ?? []);
    return { tags: labels(row.tags), authors: labels(row.authors) };
  }

  /** The members of one page, in order; undefined when there is no such page. */
  members(kind: TermKind, slug: string, page: number): PageMembers | undefined {
    const term = this.#db.get<TermRow>(READS.term, kind, slug);
    if (term === undefined || !Number.isInteger(page) || page < 1 || page > term.pages) {
      return undefined;
    }
    const row = this.#db.tuple<PageRow>(READS.page, term.first_page + page - 1);
    if (row === undefined) return undefined;
    const [members, cards, permalinks, languages] = row;
    return {
      ids: numbersOf(members),
      cards: bufferOf(cards),
      permalinks: linksOf(permalinks),
      languages: languages === "" ? [] : languages.split(" "),
    };
  }

  /** What is known of a quote's card; undefined when there is no such quote. */
  card(id: number): PlannedCard | undefined {
    const row = this.#db.get<CardsRow>(READS.card, id);
    const place = row === undefined ? -1 : numbersOf(row.ids).indexOf(id);
    if (row === undefined || place < 0) return undefined;
    return {
      digest: bufferOf(row.digests).subarray(place * DIGEST_BYTES, (place + 1) * DIGEST_BYTES),
      authorPage: linksOf(row.permalinks)[place] ?? 0,
    };
  }

  /** Every page of a kind, terms in their order. */
  paths(kind: TermKind): ListedPage[] {
    const range = this.#db.get<KindRow>(READS.kind, kind);
    if (range === undefined) return [];
    return this.#db.all(READS.paths, range.first_page, range.first_page + range.pages);
  }

  /** Every page of every listing and of the authors' index, always in the same order. */
  *planned(): Generator<PlannedListing> {
    for (let after = 0; ; after += STRIDE) {
      const rows = this.#db.all<PlannedListing>(READS.planned, after, after + STRIDE);
      if (rows.length === 0) return;
      yield* rows;
    }
  }

  /** Quotes with a page of their own, by id, each with the digest of its card. */
  *cards(): Generator<{ readonly id: number; readonly digest: string }> {
    for (let after = 0; ;) {
      const row = this.#db.get<CardsRow>(READS.cards, after, 1);
      if (row === undefined) return;
      const digests = bufferOf(row.digests);
      const ids = numbersOf(row.ids);
      const permalinks = linksOf(row.permalinks);
      for (const [place, id] of ids.entries()) {
        if (permalinks[place] !== 0) continue;
        yield {
          id,
          digest: digests.toString("hex", place * DIGEST_BYTES, (place + 1) * DIGEST_BYTES),
        };
      }
      after = ids[0] ?? 0;
    }
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
