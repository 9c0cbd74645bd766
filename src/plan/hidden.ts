/** What the site's operator shows on no page. */
import type { Quote } from "../contract/quote.ts";
import { fold } from "./fold.ts";

export interface Hidden {
  readonly pks: readonly number[];
  readonly authors: readonly string[];
  readonly tags: readonly string[];
}

/** Names are compared as listings are: any spelling of an author or a tag hides all of them. */
export function hiddenBy({ pks, authors, tags }: Hidden): (quote: Quote) => boolean {
  const ids = new Set(pks);
  const authorKeys = new Set(authors.map(fold));
  const tagKeys = new Set(tags.map(fold));
  return (quote) =>
    ids.has(quote.id) ||
    (authorKeys.size > 0 && quote.author !== null && authorKeys.has(fold(quote.author))) ||
    (tagKeys.size > 0 && quote.tags.some((name) => tagKeys.has(fold(name))));
}
