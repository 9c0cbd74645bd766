/** A quote as a row, in the working database and in the published one alike. */
import type { Quote, ServedWords } from "../contract/quote.ts";
import type { Value } from "../sqlite/database.ts";

/** Values in the order of `QUOTE_COLUMNS`. */
export type QuoteTuple = readonly [
  id: number,
  text: string,
  author: string | null,
  likes: number,
  /** JSON array. */
  tags: string,
  image: string | null,
  language: string,
  /** JSON `ServedWords`, or null. */
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

export function quoteOf(row: QuoteTuple): Quote {
  const [id, text, author, likes, tags, image, language, served] = row;
  return {
    id,
    text,
    author,
    likes,
    tags: tags === "[]" ? [] : (JSON.parse(tags) as string[]),
    image,
    language,
    served: served === null ? null : (JSON.parse(served) as ServedWords),
  };
}
