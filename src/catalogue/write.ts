/**
 * Writes terms and their pages, in the order of their keys, so that every insert goes to the end of its table.
 */
import { PageDigest } from "./page-digest.ts";
import type { TermKind } from "./schema.ts";
import type { Database } from "../sqlite/database.ts";

/** What stands on a page. */
export interface PageRow {
  /** Of quotes, or for an initial of terms. */
  readonly ids: Float64Array;
  /** `DIGEST_BYTES` for each quote. */
  readonly cards: Uint8Array;
  /** Codes with a blank between. */
  readonly languages: string;
}

/** A term ready to be written. */
export interface TermRow {
  readonly kind: TermKind;
  readonly slug: string;
  readonly name: string | null;
  /** Names that quotes may carry for it; none for an initial. */
  readonly spellings: readonly string[];
  readonly members: number;
  /** The members from one place up to another, both from 0; adds what the page shows of them to its digest. */
  readonly page: (from: number, to: number, digest: PageDigest) => PageRow;
  /** What all pages of the term show besides their members and what can be told from the row. */
  readonly shown: string;
  readonly perPage: number;
}

export class TermWriter {
  readonly #db: Database;
  readonly #digest = new PageDigest();
  #terms = 0;
  #pages = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Writes all terms of a kind, which then stand one after another in the given order. */
  kind(kind: TermKind, rows: readonly TermRow[]): void {
    const first = this.#terms + 1;
    const firstPage = this.#pages + 1;
    const names: { name: string; term: number }[] = [];
    for (const row of rows) {
      const term = this.#term(row);
      for (const name of row.spellings) names.push({ name, term });
    }
    this.#db.run(
      "INSERT INTO kinds VALUES (?, ?, ?, ?, ?)",
      kind,
      first,
      rows.length,
      firstPage,
      this.#pages + 1 - firstPage,
    );
    names.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const { name, term } of names) {
      this.#db.run("INSERT INTO names VALUES (?, ?, ?)", kind, name, term);
    }
  }

  #term(row: TermRow): number {
    const { kind, slug, name, members, perPage } = row;
    const pages = Math.ceil(members / perPage);
    const id = ++this.#terms;
    this.#db.run(
      "INSERT INTO terms VALUES (?, ?, ?, ?, ?, ?, ?)",
      id,
      kind,
      slug,
      name,
      members,
      pages,
      this.#pages + 1,
    );
    const shown = `${kind}\0${slug}\0${name ?? "\0"}\0${members}\0${pages}\0${row.shown}`;
    for (let page = 1; page <= pages; page++) {
      this.#digest.text(`${shown}\0${page}`);
      const from = (page - 1) * perPage;
      const { ids, cards, languages } = row.page(
        from,
        Math.min(from + perPage, members),
        this.#digest,
      );
      this.#db.run(
        "INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?, ?)",
        ++this.#pages,
        id,
        page,
        new Uint8Array(ids.buffer),
        cards,
        languages,
        this.#digest.take(),
      );
    }
    return id;
  }
}
