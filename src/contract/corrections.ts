/**
 * Corrections that a site makes of what its service sends. They apply in the plan and in what pages read, never in the
 * snapshot.
 */
import type { QuoteSource } from "./quote.ts";

/** What a quote has in place of the service's; absent fields stay. */
export interface QuoteCorrection {
  readonly text?: string;
  /** Null for none. */
  readonly author?: string | null;
  readonly language?: string;
  readonly tags?: readonly string[];
  readonly source?: QuoteSource | null;
}

export interface Corrections {
  readonly quotes: ReadonlyMap<number, QuoteCorrection>;
  /** What all quotes of an author have, by a spelling of the author; a correction of the quote itself wins. */
  readonly byAuthor: ReadonlyMap<string, Omit<QuoteCorrection, "text">>;
  /** Spellings of an author, by the name that is shown; the empty name is no author. */
  readonly authors: ReadonlyMap<string, readonly string[]>;
  /** Spellings of a tag, by the name that is shown. */
  readonly tags: ReadonlyMap<string, readonly string[]>;
  /** Quotes that are copies of another, by the pk of that one, which is shown. */
  readonly copies: ReadonlyMap<number, readonly number[]>;
  /** Tags that are left out; their quotes are shown. */
  readonly hiddenTags: readonly string[];
  /** Keys of the file that mean nothing. */
  readonly unknown: readonly string[];
}

export const NO_CORRECTIONS: Corrections = {
  quotes: new Map(),
  byAuthor: new Map(),
  authors: new Map(),
  tags: new Map(),
  copies: new Map(),
  hiddenTags: [],
  unknown: [],
};

/** What came of corrections. */
export interface CorrectionReport {
  /** Quotes that differ from those of the service. */
  readonly quotes: number;
  /** Quotes that `hidden` of the settings leaves out. */
  readonly hidden: number;
  /** Lines about corrections that change nothing; the first few. */
  readonly remarks: readonly string[];
}
