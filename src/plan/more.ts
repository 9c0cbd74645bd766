/**
 * The ways on from a quote's own page: others of its author, others that share its tags and language, and the quotes
 * before and after it.
 *
 * Each is the next by pk, so votes change no page, and a quote that comes, goes or is edited changes the few pages before
 * it. The rarest tag says most about a quote and comes first; sizes are compared in steps, since a night moves many by one.
 */
import type { ListingDraft, QuoteDraft } from "./draft.ts";

/** How many are offered: each more makes a night with edits render as many more pages as it edits quotes. */
const OFFERED = { inAll: 3, ofAuthor: 2 };

/** Neighbours that are tried for another author: one author may have most quotes of a tag. */
const TRIED = 32;

/**
 * @returns what finds, for a quote, up to three by the pks that follow its own, the first following the last: of its author,
 *   or with no author of those without one; and of other authors in its language. `previous` and `next` are its neighbours
 *   with pages of their own: of its author, or of its language where the author has no other
 */
export function moreQuotes(listings: readonly ListingDraft[]) {
  const languages = new Map(
    listings.filter(({ kind }) => kind === "language").map((listing) => [listing.name, listing]),
  );
  const byPk = onceEach(({ members }) => members.toSorted((a, b) => a.id - b.id));
  const byLanguage = onceEach((listing) => Map.groupBy(byPk(listing), ({ language }) => language));
  const withPages = onceEach((listing) =>
    byPk(listing).filter(({ authorPage }) => authorPage === null),
  );

  return (quote: QuoteDraft) => {
    const [author, ...tags] = quote.named;
    if (author === undefined) throw new RangeError(`Cannot plan quote ${quote.id}: no author`);
    const ofTags = new Set<QuoteDraft>();
    for (const tag of tags.sort(rarestFirst)) {
      if (ofTags.size === OFFERED.inAll) break;
      for (const other of following(quote, byLanguage(tag).get(quote.language), TRIED)) {
        if (ofTags.size < OFFERED.inAll && other.named[0] !== author) ofTags.add(other);
      }
    }
    const others = following(quote, byPk(author), OFFERED.inAll);
    const ofAuthor = others.slice(0, Math.max(OFFERED.ofAuthor, OFFERED.inAll - ofTags.size));
    return {
      ofAuthor,
      ofTags: [...ofTags].slice(0, OFFERED.inAll - ofAuthor.length),
      ...neighbours(quote, author),
    };
  };

  function neighbours(quote: QuoteDraft, author: ListingDraft) {
    const own = withPages(author);
    const language = languages.get(quote.language);
    const group = own.length === 1 && language !== undefined ? withPages(language) : own;
    const at = placeIn(group, quote);
    return { previous: group[at - 1], next: group[at + 1] };
  }
}

/** Makes something of each listing when it is first asked for. */
function onceEach<T>(make: (listing: ListingDraft) => T): (listing: ListingDraft) => T {
  const made = new Map<ListingDraft, T>();
  return (listing) => made.getOrInsertComputed(listing, make);
}

function rarestFirst(a: ListingDraft, b: ListingDraft): number {
  const size = ({ members }: ListingDraft): number => Math.floor(Math.log2(members.length));
  return size(a) - size(b) || a.id - b.id;
}

/** The members of a group that follow one of them, at most so many. */
function following(
  quote: QuoteDraft,
  group: readonly QuoteDraft[] = [],
  most: number,
): readonly QuoteDraft[] {
  const at = placeIn(group, quote);
  const behind = group.slice(at + 1, at + 1 + most);
  return [...behind, ...group.slice(0, Math.min(at, most - behind.length))];
}

/** Where one of its members is in a group. */
function placeIn(group: readonly QuoteDraft[], { id }: QuoteDraft): number {
  let low = 0;
  let high = group.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((group[middle]?.id ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
