/** The measured site in memory: quotes and their listings, most liked first, ties by pk. */
import { readFileSync } from "node:fs";
import { getOrCompute } from "../../../src/util/get-or-compute.ts";

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

/** @param each receives every line, and the quote that was read from it */
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
  const termsOf = (namesIn: (quote: Quote) => readonly string[]): Term[] => {
    const terms = new Map<string, Term>();
    for (const quote of quotes) {
      for (const name of namesIn(quote)) {
        getOrCompute(terms, name, emptyTerm).quotes.push(quote);
      }
    }
    return [...terms.values()].sort(
      (a, b) => b.quotes.length - a.quotes.length || (a.name < b.name ? -1 : 1),
    );
  };
  return {
    quotes,
    tag: termsOf(({ tags }) => tags),
    author: termsOf(({ author }) => (author === null ? [] : [author])),
    language: termsOf(({ language }) => [language]),
  };
}

const emptyTerm = (name: string): Term => ({ name, slug: slugOf(name), quotes: [] });

export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, "-")
    .replace(/^-|-$/g, "");
}
