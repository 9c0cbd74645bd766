/**
 * The quotes that a quote's own page offers to go on with: of its author, or of its first tag where the author has no
 * other.
 *
 * They are chosen by pk from the first page of that listing, so votes that only change the order there change no page,
 * and a quote that comes or goes changes the few pages beside it.
 */
import type { ListingDraft, QuoteDraft } from "./draft.ts";

const OFFERED = 4;

/** @returns what finds, for a quote, up to four others by the pks that follow its own, the first following the last */
export function moreQuotes(
  listings: readonly ListingDraft[],
  perPage: number,
): (quote: QuoteDraft) => readonly QuoteDraft[] {
  const firstPages = new Map<number, readonly QuoteDraft[]>();

  return ({ id, named }) => {
    const [author, tag] = named.map((listing) => listings[listing - 1]);
    const listing = author !== undefined && author.members.length > 1 ? author : tag;
    if (listing === undefined) return [];
    const others = firstPageOf(listing).filter((other) => other.id !== id);
    const next = others.findIndex((other) => other.id > id);
    return [...others.slice(Math.max(next, 0)), ...others].slice(
      0,
      Math.min(OFFERED, others.length),
    );
  };

  function firstPageOf({ id, members }: ListingDraft): readonly QuoteDraft[] {
    let page = firstPages.get(id);
    if (page === undefined) {
      page = members.slice(0, perPage).sort((a, b) => a.id - b.id);
      firstPages.set(id, page);
    }
    return page;
  }
}
