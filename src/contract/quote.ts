/**
 * A quote, as the service sends it and as the rest of the project uses it.
 *
 * @see docs/contract.md, section 2
 */
import { z } from "zod";

/** The largest `pk` that JSON carries without rounding: 2^53 − 1. */
export const MAX_PK = Number.MAX_SAFE_INTEGER;

/** Where a quote stands in print. The contract has no such field; services that have one name it in several ways. */
export interface QuoteSource {
  /** Title of the work; never empty. */
  readonly work: string;
  /** As the service writes it: `1854`, `c. 350 BC`; null when unknown. */
  readonly year: string | null;
}

const wireSourceSchema = z.object({ work: z.string(), year: z.string().nullable() });

/** A quote as the embedded service writes it. `decodeQuote` reads what other services send. */
export const wireQuoteSchema = z.object({
  quote: z.string().describe("Text of the quote; some records carry the author's name at its end."),
  author: z.string().nullable().describe("Null or empty when unknown."),
  likes: z.int().describe("Popularity score."),
  tags: z.array(z.string()),
  pk: z.int().min(1).max(MAX_PK).describe("Identifier; a vote names it."),
  image: z.string().nullable().describe("Address of a thumbnail; null when there is none."),
  language: z.string().describe("Language code."),
  source: wireSourceSchema
    .optional()
    .describe("Where the quote stands in print, if that is known."),
});

/** A quote in the contract's field names: what `npm run export` writes and the service loads. */
export type WireQuote = z.infer<typeof wireQuoteSchema>;

export interface Quote {
  /** `pk` on the wire: the only stable key, and the one a vote names. */
  readonly id: number;
  /** Text without a trailing author name. */
  readonly text: string;
  /** Null when unknown; never an empty string. */
  readonly author: string | null;
  /** Popularity; may be negative, since a quote can be voted down. */
  readonly likes: number;
  /** Names as the service spells them, without duplicates. */
  readonly tags: readonly string[];
  /** Address of a picture, unchecked: only the thumbnail stage may act on it. */
  readonly image: string | null;
  /** The service's own code; `und` when it sent no valid one. */
  readonly language: string;
  /** Text and author as served; null where decoding did not change them. */
  readonly served: { readonly quote: string; readonly author: string | null } | null;
  /** Null when unknown, as in all quotes of the contract. */
  readonly source: QuoteSource | null;
}

/** On one line: `Walden (1854)`. */
export function sourceLine({ work, year }: QuoteSource): string {
  return year === null ? work : `${work} (${year})`;
}

/** The text as it was served: the service filters by its length. */
export function servedTextOf({ served, text }: Quote): string {
  return served?.quote ?? text;
}

/** Converts a quote to the contract's field names, with text and author as served. */
export function toWire(quote: Quote): WireQuote {
  return {
    pk: quote.id,
    quote: servedTextOf(quote),
    author: quote.served === null ? quote.author : quote.served.author,
    likes: quote.likes,
    tags: [...quote.tags],
    image: quote.image,
    language: quote.language,
    ...(quote.source === null ? {} : { source: { ...quote.source } }),
  };
}

export const wireTagSchema = z.object({ name: z.string(), slug: z.string() });

/** A tag of the service's tag list (docs/contract.md, section 2). Quotes may carry names that the list lacks. */
export interface Tag {
  /** As quotes carry it. */
  readonly name: string;
  /** The service's own slug: only a hint, since it may not be valid in a path. */
  readonly slug: string;
}
