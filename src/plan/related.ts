/**
 * Which tags and authors share the most quotes with each listing: its first page links to them.
 *
 * Votes and new quotes change many counts by one every night, and a page that showed each change would be rendered again.
 * So counts are compared in steps, two for each doubling; among equals the order of the keys decides.
 */
import type { ListingDraft } from "./draft.ts";

/** The cards of a smaller listing already show all its tags and authors. */
const FEWEST_QUOTES = 3;

/** Quotes that two listings must share: one may be chance. */
const FEWEST_SHARED = 2;

/** Links of each kind. */
const MOST_LINKS = 8;

type Weighted = readonly [listing: ListingDraft, weight: number];

/** @returns the related tags and authors of each listing, by its id, each in the order of their ids; small listings have none */
export function relatedListings(listings: readonly ListingDraft[]): Map<number, ListingDraft[]> {
  const related = new Map<number, ListingDraft[]>();
  for (const listing of listings) {
    if (listing.members.length < FEWEST_QUOTES) continue;
    const shared = new Map<ListingDraft, number>();
    for (const { named } of listing.members) {
      for (const other of named) shared.set(other, (shared.get(other) ?? 0) + 1);
    }
    const others = [...shared]
      .filter(([other, quotes]) => quotes >= FEWEST_SHARED && other !== listing)
      .map(([other, quotes]): Weighted => [other, Math.floor(2 * Math.log2(quotes))]);
    const ofKind = (kind: "tag" | "author"): ListingDraft[] =>
      heaviest(others.filter(([other]) => other.kind === kind && other.name !== null));
    related.set(listing.id, [...ofKind("tag"), ...ofKind("author")]);
  }
  for (const listing of listings) {
    const own = related.get(listing.id);
    if (own === undefined || listing.kind !== "author" || listing.name === null) continue;
    // An author's quotes name no other author: the authors of its tags are used instead.
    const tags = own.filter(({ kind }) => kind === "tag");
    const authors = tags
      .flatMap(({ id }) => related.get(id) ?? [])
      .filter(({ kind, id }) => kind === "author" && id !== listing.id);
    const votes = Map.groupBy(authors, (author) => author);
    const weighted = Array.from(votes, ([author, { length }]): Weighted => [author, length]);
    related.set(listing.id, [...tags, ...heaviest(weighted)]);
  }
  return related;
}

/** The first few by weight and then by id, in the order of their ids. */
function heaviest(listings: Weighted[]): ListingDraft[] {
  return listings
    .sort(([a, aWeight], [b, bWeight]) => bWeight - aWeight || a.id - b.id)
    .slice(0, MOST_LINKS)
    .map(([listing]) => listing)
    .sort((a, b) => a.id - b.id);
}
