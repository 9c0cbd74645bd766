/**
 * A quote as the collection holds it, and as a row of its table.
 *
 * `length` is stored in code points, since SQLite's own `length()` stops at a NUL and knows nothing of surrogates.
 */
import type { WireQuote } from "../../contract/quote.ts";

/** A quote with what the service knows of it and never sends. */
export interface HeldQuote extends Omit<WireQuote, "tags"> {
  readonly tags: readonly string[];
  /** Chosen by a person; `curated=1` asks for these alone. */
  readonly curated: boolean;
}

/** A row of `quotes`. */
export interface QuoteRow {
  readonly pk: number;
  readonly quote: string;
  readonly author: string | null;
  readonly likes: number;
  /** A JSON array of text, ready to be sent. */
  readonly tags: string;
  /** An address, or a path of the service itself. */
  readonly image: string | null;
  readonly language: string;
  readonly curated: 0 | 1;
}

export const QUOTE_COLUMNS =
  "q.pk, q.quote, q.author, q.likes, q.tags, q.image, q.language, q.curated";

export function fromRow(row: QuoteRow): HeldQuote {
  return { ...row, tags: JSON.parse(row.tags) as string[], curated: row.curated === 1 };
}

/**
 * A row as JSON in the contract's field names.
 *
 * Written by hand because a page has a hundred of them: the tags are JSON already, and parsing them to write them
 * again would take longer than all the rest. A picture's path becomes an address below `publicUrl`.
 */
export function wireJson(row: QuoteRow, publicUrl: string): string {
  const image = row.image?.startsWith("/") === true ? publicUrl + row.image : row.image;
  return (
    `{"quote":${JSON.stringify(row.quote)},"author":${JSON.stringify(row.author)},"likes":${row.likes},` +
    `"tags":${row.tags},"pk":${row.pk},"image":${JSON.stringify(image)},` +
    `"language":${JSON.stringify(row.language)}}`
  );
}

/** Length in code points, the unit of `minlength` and `maxlength`. */
export function codePoints(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    count++;
    if ((text.codePointAt(at) ?? 0) > 0xffff) at++;
  }
  return count;
}
