/**
 * Which tags and authors share the most quotes with each listing: what its first page offers to go on with.
 *
 * A night moves many counts by one, and a page that showed each move would be made again. So counts are compared by
 * their size alone, two steps to each doubling; among equals the order of the keys decides.
 */
import type { ListingDraft } from "./draft.ts";

/** A listing of fewer quotes says all there is to say on its own cards. */
const FEWEST_QUOTES = 3;

/** Quotes that two listings must share: once is chance. */
const FEWEST_SHARED = 2;

/** How many of a kind are offered. */
const OFFERED = 8;

/** @returns the related tags and authors of each listing, in the order of their ids; listings without any are left out */
export function relatedListings(listings: readonly ListingDraft[]): Map<number, ListingDraft[]> {
  // How many quotes name the other listing, by its id; all 0 between two listings.
  const shared = new Uint32Array(listings.length + 1);
  const related = new Map<number, ListingDraft[]>();
  for (const listing of listings) {
    if (listing.members.length < FEWEST_QUOTES) continue;
    const met: ListingDraft[] = [];
    for (const { named } of listing.members) {
      for (const other of named) {
        const count = shared[other.id] ?? 0;
        if (count === 0) met.push(other);
        shared[other.id] = count + 1;
      }
    }
    const others: Weighed[] = [];
    for (const other of met) {
      const count = shared[other.id] ?? 0;
      shared[other.id] = 0;
      if (count < FEWEST_SHARED || other === listing || other.name === null) continue;
      others.push({ listing: other, weight: Math.floor(2 * Math.log2(count)) });
    }
    const ofKind = (kind: "tag" | "author"): ListingDraft[] =>
      heaviest(others.filter((other) => other.listing.kind === kind));
    related.set(listing.id, [...ofKind("tag"), ...ofKind("author")]);
  }
  for (const listing of listings) {
    const own = related.get(listing.id);
    if (own === undefined || listing.kind !== "author" || listing.name === null) continue;
    // An author's quotes name no other author: the authors of its tags are used instead.
    const tags = own.filter(({ kind }) => kind === "tag");
    related.set(listing.id, [...tags, ...authorsOf(tags, listing, related)]);
  }
  return related;
}

function authorsOf(
  tags: readonly ListingDraft[],
  author: ListingDraft,
  related: ReadonlyMap<number, readonly ListingDraft[]>,
): ListingDraft[] {
  const others = tags
    .flatMap(({ id }) => related.get(id) ?? [])
    .filter((other) => other.kind === "author" && other !== author);
  const votes = Map.groupBy(others, (other) => other);
  return heaviest(Array.from(votes, ([listing, { length: weight }]) => ({ listing, weight })));
}

interface Weighed {
  readonly listing: ListingDraft;
  readonly weight: number;
}

/** The first few by weight and then by id, in the order of their ids. */
function heaviest(listings: Weighed[]): ListingDraft[] {
  return listings
    .sort((a, b) => b.weight - a.weight || a.listing.id - b.listing.id)
    .slice(0, OFFERED)
    .map(({ listing }) => listing)
    .sort((a, b) => a.id - b.id);
}
