/**
 * Reads the catalogue while pages are made: a few rows by primary key, and no statement but those of `READS`.
 */
import { CATALOGUE_VERSION, READS, type TermKind } from "./schema.ts";
import { Database } from "../sqlite/database.ts";

/** A term and where its pages stand. */
export interface CatalogueTerm {
  readonly id: number;
  readonly slug: string;
  /** Null for the author of quotes without author. */
  readonly name: string | null;
  /** Quotes, or for an initial authors. */
  readonly members: number;
  readonly pages: number;
}

export interface TermLabel {
  readonly slug: string;
  readonly name: string | null;
}

/** A page of a listing, as whoever renders must know it. */
export interface PlannedListing {
  readonly kind: TermKind;
  readonly slug: string;
  readonly page: number;
  /** 16 bytes over all that the page shows. */
  readonly digest: Uint8Array;
}

type TermRow = CatalogueTerm & { readonly first_page: number };

/** Pages read at a time where all are gone through. */
const STRIDE = 1_000;

export class Catalogue {
  readonly #db: Database;

  /** @throws {DiskError} when there is no such file or it is no database */
  constructor(path: string) {
    this.#db = new Database(path, { readOnly: true });
    // One transaction for as long as it is open: without it, locking the file costs four times what reading a row does.
    this.#db.exec("BEGIN");
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

  count(kind: TermKind): number {
    return this.#db.get<{ terms: number }>(READS.kind, kind)?.terms ?? 0;
  }

  /** Terms of a kind, largest first; initials in the order of the index. */
  terms(kind: TermKind, most = Number.MAX_SAFE_INTEGER): CatalogueTerm[] {
    const range = this.#db.get<{ first: number; terms: number }>(READS.kind, kind);
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

  /** Ids of the members of one page, in order; undefined when there is no such page. */
  members(kind: TermKind, slug: string, page: number): readonly number[] | undefined {
    const term = this.#db.get<TermRow>(READS.term, kind, slug);
    if (term === undefined || !Number.isInteger(page) || page < 1 || page > term.pages) {
      return undefined;
    }
    const row = this.#db.get<{ members: string }>(READS.page, term.first_page + page - 1);
    return row === undefined ? undefined : (JSON.parse(row.members) as number[]);
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
  *cards(): Generator<{ readonly id: number; readonly digest: Uint8Array }> {
    for (let after = 0; ;) {
      const rows = this.#db.all<{ id: number; digest: Uint8Array }>(READS.cards, after, STRIDE);
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last.id;
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

function toTerm({ id, slug, name, members, pages }: TermRow): CatalogueTerm {
  return { id, slug, name, members, pages };
}
