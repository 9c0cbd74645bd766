/**
 * The quotes that a quote's own page offers to go on with: others of its author, and others that share its tags and
 * language.
 *
 * Each is the next by pk, so votes change no page, and a quote that comes, goes or is edited changes the few pages before
 * it. The rarest tag says most about a quote and comes first; sizes are compared in steps, since a night moves many by one.
 */
import type { ListingDraft, QuoteDraft } from "./draft.ts";

/** How many of each are offered. */
const OFFERED = 4;

/** Neighbours that are tried for another author: one author may have most quotes of a tag. */
const TRIED = 32;

export interface MoreQuotes {
  /** Of its author; with no author, of those without one. */
  readonly ofAuthor: readonly QuoteDraft[];
  /** In its language, of other authors. */
  readonly ofTags: readonly QuoteDraft[];
}

/** @returns what finds, for a quote, up to four of each kind by the pks that follow its own, the first following the last */
export function moreQuotes(listings: readonly ListingDraft[]): (quote: QuoteDraft) => MoreQuotes {
  const groups = new Map<string, readonly QuoteDraft[]>();

  return (quote) => {
    const [author, ...tags] = quote.named.flatMap((id) => listings[id - 1] ?? []);
    if (author === undefined) return { ofAuthor: [], ofTags: [] };
    const ofTags = new Set<QuoteDraft>();
    for (const tag of tags.sort(rarestFirst)) {
      if (ofTags.size === OFFERED) break;
      for (const other of following(quote, groupOf(tag, quote.language), TRIED)) {
        if (ofTags.size < OFFERED && other.named[0] !== author.id) ofTags.add(other);
      }
    }
    return { ofAuthor: following(quote, groupOf(author), OFFERED), ofTags: [...ofTags] };
  };

  /** The quotes of a listing, or those of it in a language, by pk. */
  function groupOf({ id, members }: ListingDraft, language = ""): readonly QuoteDraft[] {
    const key = `${id} ${language}`;
    let group = groups.get(key);
    if (group === undefined) {
      const own = language === "" ? members : members.filter((one) => one.language === language);
      group = own.toSorted((a, b) => a.id - b.id);
      groups.set(key, group);
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
  let low = 0;
  let high = group.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((group[middle]?.id ?? 0) < quote.id) low = middle + 1;
    else high = middle;
  }
  const behind = group.slice(low + 1, low + 1 + most);
  return [...behind, ...group.slice(0, Math.min(low, most - behind.length))];
}
