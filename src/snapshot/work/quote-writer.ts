/**
 * Writes quotes many to a statement: crossing into SQLite costs as much as inserting a row.
 *
 * The latest version served wins. Windows overlap at their beginning, so the first quotes are tried one by one.
 */
import type { Quote } from "../../contract/quote.ts";
import type { Database } from "../../sqlite/database.ts";
import { QUOTE_COLUMNS, rowOf } from "../row.ts";

const FIRST = 8;
const CHUNKS = [64, 16, 1] as const;

const ROW = "(?, ?, ?, ?, ?, ?, ?, ?)";
const UPDATE = `UPDATE quotes SET (${QUOTE_COLUMNS}) = ${ROW} WHERE id = ?`;

/** Statements by how many quotes they insert. */
const INSERT: ReadonlyMap<number, string> = new Map(
  CHUNKS.map((rows) => [
    rows,
    `INSERT INTO quotes (${QUOTE_COLUMNS}) VALUES ${Array<string>(rows).fill(ROW).join(", ")} ON CONFLICT DO NOTHING`,
  ]),
);

export class QuoteWriter {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @returns how many of the quotes were new */
  write(quotes: readonly Quote[]): number {
    let added = 0;
    let at = 0;
    while (at < quotes.length) {
      const left = quotes.length - at;
      const size = at < FIRST ? 1 : (CHUNKS.find((chunk) => chunk <= left) ?? 1);
      added += this.#insert(quotes.slice(at, at + size));
      at += size;
    }
    return added;
  }

  #insert(quotes: readonly Quote[]): number {
    const sql = INSERT.get(quotes.length);
    if (sql === undefined) throw new RangeError(`no statement for ${quotes.length} quotes`);
    const added = this.#database.run(sql, ...quotes.flatMap(rowOf));
    if (added === quotes.length) return added;
    for (const quote of quotes) this.#database.run(UPDATE, ...rowOf(quote), quote.id);
    return added;
  }
}
