/** A page that the plan knows, and how to iterate all of them. */
import type { FIXED_PATHS } from "./paths.ts";
import type { TermKind } from "./term.ts";

/** `quote` is a quote's own page, `embed` the one to embed, `day` that of a day's quotes; those of `FIXED_PATHS` are one page each. */
export type PageKind = keyof typeof FIXED_PATHS | TermKind | "quote" | "day" | "embed";

export interface PlannedPage {
  /** Without the base path; ends in a slash, but for `/404.html`. */
  readonly path: string;
  readonly kind: PageKind;
  /** Slug of the listing; a quote's id in digits, or `today`; a date; empty for the pages that are one each. */
  readonly term: string;
  /** From 1. */
  readonly number: number;
  /** Over all that the page shows of the collection: equal keys, equal bytes, given the same bundle and settings. */
  readonly cacheKey: string;
}
