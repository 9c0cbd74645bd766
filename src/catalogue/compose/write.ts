/**
 * Writes terms and their pages, in the order of their keys, so that every insert goes to the end of its table.
 */
import type { MergedName, MergedNames } from "../../contract/night.ts";
import { Digests } from "../digests.ts";
import { PageParts } from "./page-parts.ts";
import { PageRun, PAGES_A_ROW } from "./page-run.ts";
import type { TermKind } from "../schema.ts";
import type { Database } from "../../sqlite/database.ts";

/** What the first page of a term offers to go on with. */
export interface RelatedRow {
  /** Ids of terms, in the order in which they are shown. */
  readonly tags: readonly number[];
  readonly authors: readonly number[];
  /** All that the page shows of them. */
  readonly shown: string;
}

/** A term ready to be written. */
export interface TermRow {
  readonly slug: string;
  readonly name: string | null;
  /** Names that quotes may carry for it; none for an initial. */
  readonly spellings: readonly string[];
  readonly members: number;
  readonly related: RelatedRow | null;
  /** Adds the member in a place from 0 to a page: its id, and all that the page shows of it. */
  readonly add: (place: number, page: PageParts) => void;
}

/** All terms of a kind. */
export interface KindRows {
  readonly kind: TermKind;
  readonly perPage: number;
  /** Whether members are quotes, with digests of their cards and their links. */
  readonly cards: boolean;
  /** What every page of the kind shows besides its term and members. */
  readonly shown: string;
  readonly terms: readonly TermRow[];
}

/** Merged names, and other spellings of each, that are told one by one. */
const TOLD = { names: 30, others: 8 };

export class TermWriter {
  readonly #db: Database;
  #terms = 0;
  #pages = 0;
  readonly #merged = { total: 0, first: [] as MergedName[] };

  constructor(db: Database) {
    this.#db = db;
  }

  /** Names that have more than one spelling. */
  get merged(): MergedNames {
    return this.#merged;
  }

  /** Writes a kind, whose terms then stand one after another in the given order. */
  kind(rows: KindRows): void {
    const first = this.#terms + 1;
    const page = new PageParts(rows.perPage);
    const run = new PageRun(rows.perPage, rows.cards);
    const names: { name: string; term: number }[] = [];
    for (const row of rows.terms) {
      const term = this.#term(rows, row, page, run);
      for (const name of row.spellings) names.push({ name, term });
      this.#tellMerged(rows.kind, row);
    }
    this.#pagesOf(run);
    this.#db.run("INSERT INTO kinds VALUES (?, ?, ?)", rows.kind, first, rows.terms.length);
    names.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const { name, term } of names) {
      this.#db.run("INSERT INTO names VALUES (?, ?, ?)", rows.kind, name, term);
    }
  }

  #tellMerged(kind: TermKind, { name, spellings }: TermRow): void {
    if (spellings.length < 2 || name === null || (kind !== "author" && kind !== "tag")) return;
    this.#merged.total++;
    if (this.#merged.first.length === TOLD.names) return;
    const others = spellings.filter((spelling) => spelling !== name).slice(0, TOLD.others);
    this.#merged.first.push({ kind, name, others });
  }

  #term({ kind, perPage, shown }: KindRows, row: TermRow, page: PageParts, run: PageRun): number {
    const { slug, name, members, related } = row;
    const pages = Math.ceil(members / perPage);
    const id = ++this.#terms;
    const firstPage = this.#pages + 1;
    const digests = new Digests(pages);
    const shownOfTerm = `${kind}\0${slug}\0${name ?? "\0"}\0${members}\0${pages}\0${shown}`;
    if (related !== null) {
      const { tags, authors } = related;
      this.#db.run(
        "INSERT INTO related VALUES (?, ?, ?)",
        id,
        JSON.stringify(tags),
        JSON.stringify(authors),
      );
    }
    for (let number = 1; number <= pages; number++) {
      const besides = number === 1 ? (related?.shown ?? "") : "";
      page.start(`${shownOfTerm}\0${number}\0${besides}`);
      const end = Math.min(number * perPage, members);
      for (let place = (number - 1) * perPage; place < end; place++) row.add(place, page);
      digests.set(number - 1, page.digest);
      run.add(page);
      this.#pages++;
      if (run.length === PAGES_A_ROW) this.#pagesOf(run);
    }
    this.#db.run(
      "INSERT INTO terms VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      id,
      kind,
      slug,
      name,
      members,
      pages,
      firstPage,
      digests.range(0, pages),
    );
    return id;
  }

  /** Writes the pages of a run, whose last is the last there is. */
  #pagesOf(run: PageRun): void {
    if (run.length === 0) return;
    const first = this.#pages + 1 - run.length;
    this.#db.run("INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?)", first, ...run.take());
  }
}
