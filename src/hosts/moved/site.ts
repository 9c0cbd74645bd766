/** What the history of addresses asks of a site: where its listings and quotes are now. */

/** `initial` is a page of the authors' index. */
export type PlaceKind = "tag" | "author" | "language" | "initial";

/** A listing, and by which of its quotes it would be known again under another name. */
export interface Listing {
  readonly kind: PlaceKind;
  readonly slug: string;
  readonly pages: number;
  /** Quotes, or for an initial authors. */
  readonly members: number;
  /** A few of its quotes; none for an initial. */
  readonly sample: readonly Sampled[];
}

/** A listing of which little is read until more is asked for. */
export interface ListingNow extends Pick<Listing, "kind" | "slug" | "pages"> {
  /** Over all that its first page shows: while it stays, so do the quotes that are first. */
  readonly digest: string;
  read(): Pick<Listing, "members" | "sample">;
}

export interface Sampled {
  readonly id: number;
  /** Slugs of all its tags. */
  readonly tags: readonly string[];
}

/** Where a quote is. */
export interface Whereabouts extends Sampled {
  /** Slug; null for a quote without an author. */
  readonly author: string | null;
  /** Path of its own link: its page, or its place in its author's listing. */
  readonly place: string;
}

export interface Site {
  /** Two sites of one key have the same addresses. */
  readonly key: string;
  /** Every listing once. */
  listings(): Iterable<ListingNow>;
  /** The quotes that have a page of their own. */
  quotePages(): Iterable<number>;
  /** Null for a quote that no page shows, be it gone, reported or hidden. */
  where(id: number): Whereabouts | null;
  /** Paths without the base path, as the plan has them. */
  pathOf(kind: PlaceKind, slug: string, page?: number): string;
  quotePath(id: number): string;
  /** Whether there is such a page; by the plan, not by the files. */
  isPage(path: string): boolean;
}
