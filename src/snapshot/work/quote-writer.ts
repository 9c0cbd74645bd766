/**
 * Writes quotes many to a statement: crossing into SQLite costs as much as inserting a row.
 *
 * The latest version served wins. Windows overlap at their beginning, so the first quotes are tried one by one.
 */
import type { Quote } from "../../contract/quote.ts";
import type { Database, Value } from "../../sqlite/database.ts";
import { bind, QUOTE_COLUMNS } from "../row.ts";

/** Quotes that may be known before all of a window is taken to be. */
const FIRST = 8;
/** Rows that one statement inserts, largest first. */
const CHUNKS = [64, 32, 16, 8, 4, 2, 1] as const;

const ROW = "(?, ?, ?, ?, ?, ?, ?, ?)";
const UPDATE = `UPDATE quotes SET (${QUOTE_COLUMNS}) = ${ROW} WHERE id = ?`;

/** Statements by how many quotes they insert. */
const INSERT = Object.fromEntries(
  CHUNKS.map((rows) => [
    rows,
    `INSERT INTO quotes (${QUOTE_COLUMNS}) VALUES ${Array<string>(rows).fill(ROW).join(", ")} ON CONFLICT DO NOTHING`,
  ]),
) as Readonly<Record<(typeof CHUNKS)[number], string>>;

export class QuoteWriter {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @returns how many of the quotes were new */
  write(quotes: readonly Quote[]): number {
    let added = 0;
    let at = 0;
    // A window begins with what the one before it ended with; behind the first new quote all are new, as a rule.
    while (at < Math.min(FIRST, quotes.length) && added === 0) {
      added += this.#insert(quotes, at++, 1);
    }
    for (const size of CHUNKS) {
      for (; quotes.length - at >= size; at += size) added += this.#insert(quotes, at, size);
    }
    return added;
  }

  #insert(quotes: readonly Quote[], from: number, size: (typeof CHUNKS)[number]): number {
    const values: Value[] = [];
    const chunk = quotes.slice(from, from + size);
    for (const quote of chunk) bind(values, quote);
    const added = this.#database.run(INSERT[size], ...values);
    if (added === size) return added;
    for (const quote of chunk) this.#database.run(UPDATE, ...bind([], quote), quote.id);
    return added;
  }
}
