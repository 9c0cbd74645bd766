/**
 * The site that is measured, in memory: quotes, and the listings they stand in, most liked first, ties by pk.
 */
import { readFileSync } from "node:fs";

export interface Quote {
  readonly pk: number;
  readonly quote: string;
  readonly author: string | null;
  readonly likes: number;
  readonly tags: readonly string[];
  readonly language: string;
}

export interface Term {
  readonly name: string;
  readonly slug: string;
  readonly quotes: Quote[];
}

export type Kind = "tag" | "author" | "language";

export type Model = Readonly<Record<Kind, readonly Term[]>> & { readonly quotes: readonly Quote[] };

export const PER_PAGE = 30;

/** @param each called with every line and the quote it became */
export function load(
  corpus: string,
  each: (line: string, quote: Quote) => void = () => undefined,
): Quote[] {
  const bytes = readFileSync(corpus);
  const quotes: Quote[] = [];
  for (let from = 0, to = bytes.indexOf(10); to >= 0; from = to + 1, to = bytes.indexOf(10, from)) {
    const line = bytes.toString("utf8", from, to);
    const quote = JSON.parse(line) as Quote;
    each(line, quote);
    quotes.push(quote);
  }
  return quotes;
}

export function modelOf(quotes: Quote[]): Model {
  quotes.sort((a, b) => b.likes - a.likes || a.pk - b.pk);
  const terms = (): Map<string, Term> => new Map<string, Term>();
  const kinds = { tag: terms(), author: terms(), language: terms() };
  const put = (terms: Map<string, Term>, name: string, quote: Quote): void => {
    let term = terms.get(name);
    if (term === undefined) terms.set(name, (term = { name, slug: slugOf(name), quotes: [] }));
    term.quotes.push(quote);
  };
  for (const quote of quotes) {
    for (const tag of quote.tags) put(kinds.tag, tag, quote);
    if (quote.author !== null) put(kinds.author, quote.author, quote);
    put(kinds.language, quote.language, quote);
  }
  const largestFirst = (terms: Map<string, Term>): Term[] =>
    [...terms.values()].sort(
      (a, b) => b.quotes.length - a.quotes.length || (a.name < b.name ? -1 : 1),
    );
  return {
    quotes,
    tag: largestFirst(kinds.tag),
    author: largestFirst(kinds.author),
    language: largestFirst(kinds.language),
  };
}

export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, "-")
    .replace(/^-|-$/g, "");
}
