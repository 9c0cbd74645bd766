/**
 * A term is what a listing is of: a tag, an author or a language, under all the spellings that mean the same.
 *
 * Names are upstream text. Only the slug, which the plan makes, may be used in an address.
 */

/** The three ways through the collection. */
export type ListingKind = "tag" | "author" | "language";

/** What has numbered pages: a listing of quotes, or the authors of an initial. */
export type TermKind = ListingKind | "initial";

/** A name as quotes carry it; null is that of a quote without author. */
export interface Spelling {
  readonly name: string | null;
  /** Quotes that carry it. */
  readonly quotes: number;
}

export interface Term {
  readonly kind: ListingKind;
  /** Lower case, at most 80 bytes, unique within its kind. */
  readonly slug: string;
  /** The commonest spelling; null for the author of quotes without author. */
  readonly name: string | null;
  /** What all its spellings fold to; no two terms of a kind share it. */
  readonly key: string;
  readonly spellings: readonly Spelling[];
}
