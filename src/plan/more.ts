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

export interface MoreQuotes {
  /** Of its author; with no author, of those without one. */
  readonly ofAuthor: readonly QuoteDraft[];
  /** In its language, of other authors. */
  readonly ofTags: readonly QuoteDraft[];
  /** Its neighbours with pages of their own: of its author, or of its language where the author has no other. */
  readonly previous: QuoteDraft | undefined;
  readonly next: QuoteDraft | undefined;
}

/** Of a quote without a page of its own. */
export const NO_MORE: MoreQuotes = {
  ofAuthor: [],
  ofTags: [],
  previous: undefined,
  next: undefined,
};

/** @returns what finds, for a quote, up to three by the pks that follow its own, the first following the last */
export function moreQuotes(listings: readonly ListingDraft[]): (quote: QuoteDraft) => MoreQuotes {
  const groups = new Map<string, readonly QuoteDraft[]>();
  const languages = new Map(
    listings.filter(({ kind }) => kind === "language").map((listing) => [listing.name, listing]),
  );

  return (quote) => {
    const [author, ...tags] = quote.named.flatMap((id) => listings[id - 1] ?? []);
    if (author === undefined) throw new RangeError(`Cannot plan quote ${quote.id}: no author`);
    const ofTags = new Set<QuoteDraft>();
    const isInLanguage = ({ language }: QuoteDraft): boolean => language === quote.language;
    for (const tag of tags.sort(rarestFirst)) {
      if (ofTags.size === OFFERED.inAll) break;
      const group = groupOf(tag, quote.language, isInLanguage);
      for (const other of following(quote, group, TRIED)) {
        if (ofTags.size < OFFERED.inAll && other.named[0] !== author.id) ofTags.add(other);
      }
    }
    const others = following(quote, groupOf(author), OFFERED.inAll);
    const ofAuthor = others.slice(0, Math.max(OFFERED.ofAuthor, OFFERED.inAll - ofTags.size));
    return {
      ofAuthor,
      ofTags: [...ofTags].slice(0, OFFERED.inAll - ofAuthor.length),
      ...neighbours(quote, author),
    };
  };

  function neighbours(quote: QuoteDraft, author: ListingDraft) {
    const hasPage = ({ authorPage }: QuoteDraft): boolean => authorPage === null;
    const own = groupOf(author, "pages", hasPage);
    const language = languages.get(quote.language);
    const isAlone = own.length === 1 && language !== undefined;
    const group = isAlone ? groupOf(language, "pages", hasPage) : own;
    const at = placeIn(group, quote);
    return { previous: group[at - 1], next: group[at + 1] };
  }

  /** By pk, the quotes of a listing that pass a test. */
  function groupOf(
    { id, members }: ListingDraft,
    test = "",
    passes: (quote: QuoteDraft) => boolean = () => true,
  ): readonly QuoteDraft[] {
    const key = `${id} ${test}`;
    let group = groups.get(key);
    if (group === undefined) {
      groups.set(key, (group = members.filter(passes).sort((a, b) => a.id - b.id)));
    }
    return group;
  }
}

function rarestFirst(a: ListingDraft, b: ListingDraft): number {
  const size = ({ members }: ListingDraft): number => Math.floor(Math.log2(members.length));
  return size(a) - size(b) || a.id - b.id;
}

/** The members of a group that follow one of them, at most so many. */
function following(
  quote: QuoteDraft,
  group: readonly QuoteDraft[],
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
