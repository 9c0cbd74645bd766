/** Parts of the two lists, read from the database. */
import type { Database } from "../../sqlite/database.ts";
import type { QuoteRow } from "../store/held-quote.ts";
import type { Ranks } from "./ranks.ts";
import { isPlainWalk, selectBlock, selectFiltered, type QuoteFilter } from "./select.ts";

/** A part of a list, and whether something follows it. */
export interface Part<T> {
  readonly rows: readonly T[];
  readonly more: boolean;
}

export interface TagRow {
  readonly name: string;
  readonly slug: string;
}

export function readQuotes(
  database: Database,
  ranks: Ranks,
  filter: QuoteFilter,
  offset: number,
  limit: number,
): Part<QuoteRow> {
  if (isPlainWalk(filter)) {
    const block = ranks.block(filter, offset, limit);
    if (block === null) return { rows: [], more: false };
    const { sql, values } = selectBlock(filter, block.first, block.last);
    return { rows: database.all<QuoteRow>(sql, ...values), more: block.more };
  }
  // One row more than the page tells whether there is another page; nothing is counted.
  const { sql, values } = selectFiltered(filter, offset, limit + 1);
  const rows = database.all<QuoteRow>(sql, ...values);
  return { rows: rows.slice(0, limit), more: rows.length > limit };
}

/** The tag list by name, and how long it is. */
export function readTags(
  database: Database,
  offset: number,
  limit: number,
): Part<TagRow> & { readonly count: number } {
  const count = database.get<{ n: number }>("SELECT count(*) AS n FROM tags")?.n ?? 0;
  const rows = database.all<TagRow>(
    "SELECT name, slug FROM tags ORDER BY name LIMIT ? OFFSET ?",
    limit,
    offset,
  );
  return { rows, more: offset + rows.length < count, count };
}
