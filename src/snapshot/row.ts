/** A quote as a row, in the working database and in the published one alike. */
import type { Quote, ServedWords } from "../contract/quote.ts";
import type { Value } from "../sqlite/database.ts";

export interface QuoteRow {
  readonly id: number;
  readonly text: string;
  readonly author: string | null;
  readonly likes: number;
  /** JSON array. */
  readonly tags: string;
  readonly image: string | null;
  readonly language: string;
  /** JSON `ServedWords`, or null. */
  readonly served: string | null;
}

/** The same as values in the order of `QUOTE_COLUMNS`. */
export type QuoteTuple = readonly [
  id: number,
  text: string,
  author: string | null,
  likes: number,
  tags: string,
  image: string | null,
  language: string,
  served: string | null,
];

/** The columns in the order that `bind` adds them. */
export const QUOTE_COLUMNS = "id, text, author, likes, tags, image, language, served";

/** Their declaration; both databases use it. */
export const QUOTE_COLUMNS_SQL = `
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL,
  author TEXT,
  likes INTEGER NOT NULL,
  tags TEXT NOT NULL,
  image TEXT,
  language TEXT NOT NULL,
  served TEXT`;

/** Adds the values of a quote's row to those of a statement: a list of its own for each row costs as much as its binding. */
export function bind(values: Value[], quote: Quote): Value[] {
  values.push(
    quote.id,
    quote.text,
    quote.author,
    quote.likes,
    quote.tags.length === 0 ? "[]" : JSON.stringify(quote.tags),
    quote.image,
    quote.language,
    quote.served === null ? null : JSON.stringify(quote.served),
  );
  return values;
}

export function quoteOf(row: QuoteRow): Quote {
  return {
    id: row.id,
    text: row.text,
    author: row.author,
    likes: row.likes,
    tags: row.tags === "[]" ? [] : (JSON.parse(row.tags) as string[]),
    image: row.image,
    language: row.language,
    served: row.served === null ? null : (JSON.parse(row.served) as ServedWords),
  };
}
