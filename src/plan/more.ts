/**
 * Chooses what a quote's own page links to: quotes of its author, quotes that share its tags and language, others of its
 * language where these are fewer than three, and the quotes before and after it.
 *
 * Each is the next by pk, so votes change no page, and a quote that is added, removed or edited changes only the few pages
 * before it. The rarest tag is the most specific and comes first; sizes are compared in powers of two, since many change
 * by one every night.
 */
import { memoise } from "../util/memoise.ts";
import type { ListingDraft, QuoteDraft } from "./draft.ts";
import type { ListingKind } from "./paths.ts";

/** Each additional link makes every edited quote change one more page. */
const MOST_LINKS = { inAll: 3, ofAuthor: 2 };

/** Quotes of a tag to search for other authors: one author may have most of them. */
const SEARCHED = 32;

/**
 * @returns a function that finds three quotes for a quote: `ofAuthor` by the same author, or also without author; `ofTags`
 *   by other authors, in its language; `others` with another author and no common tag, in its language, or in any where
 *   the language has too few. After the last pk follows the first. `previous` and `next` are the neighbours with pages of
 *   their own, of the `group`: by the author, or in the language if the author has no other
 */
export function moreQuotes(listings: readonly ListingDraft[]) {
  const languages = new Map(
    listings.filter(({ kind }) => kind === "language").map((listing) => [listing.name, listing]),
  );
  const byPk = memoise(({ members }: ListingDraft) => members.toSorted((a, b) => a.id - b.id));
  const byLanguage = memoise((listing: ListingDraft) =>
    Map.groupBy(byPk(listing), ({ language }) => language),
  );
  const everywhere = memoise((all: readonly ListingDraft[]) =>
    all
      .flatMap(({ kind, members }) => (kind === "author" ? members : []))
      .sort((a, b) => a.id - b.id),
  );
  const withPages = memoise((listing: ListingDraft) =>
    byPk(listing).filter(({ authorPage }) => authorPage === null),
  );

  return (quote: QuoteDraft) => {
    const [author, ...tags] = quote.named;
    if (author === undefined) throw new RangeError(`Cannot plan quote ${quote.id}: no author`);
    const ofTags = new Set<QuoteDraft>();
    for (const tag of tags.sort(rarestFirst)) {
      if (ofTags.size === MOST_LINKS.inAll) break;
      for (const other of following(quote, byLanguage(tag).get(quote.language), SEARCHED)) {
        if (ofTags.size < MOST_LINKS.inAll && other.named[0] !== author) ofTags.add(other);
      }
    }
    const others = following(quote, byPk(author), MOST_LINKS.inAll);
    const ofAuthor = others.slice(0, Math.max(MOST_LINKS.ofAuthor, MOST_LINKS.inAll - ofTags.size));
    const related = [...ofAuthor, ...[...ofTags].slice(0, MOST_LINKS.inAll - ofAuthor.length)];
    return {
      ofAuthor,
      ofTags: related.slice(ofAuthor.length),
      others: fill(quote, MOST_LINKS.inAll - related.length),
      ...neighbours(quote, author),
    };
  };

  /** The next quotes of the language, then of all, with nothing in common: these would be `ofAuthor` or `ofTags`. */
  function fill(quote: QuoteDraft, most: number): QuoteDraft[] {
    const chosen = new Set<QuoteDraft>();
    const language = languages.get(quote.language);
    const groups = [language === undefined ? [] : byPk(language), everywhere(listings)];
    for (const group of most > 0 ? groups : []) {
      for (const other of following(quote, group, SEARCHED)) {
        if (chosen.size === most) break;
        if (!other.named.some((listing) => quote.named.includes(listing))) chosen.add(other);
      }
    }
    return [...chosen];
  }

  function neighbours(quote: QuoteDraft, author: ListingDraft) {
    const own = withPages(author);
    const language = languages.get(quote.language);
    const isAlone = own.length === 1 && language !== undefined;
    const members = isAlone ? withPages(language) : own;
    const at = indexIn(members, quote);
    const group: ListingKind = isAlone ? "language" : "author";
    return { previous: members[at - 1], next: members[at + 1], group };
  }
}

function rarestFirst(a: ListingDraft, b: ListingDraft): number {
  const size = ({ members }: ListingDraft): number => Math.floor(Math.log2(members.length));
  return size(a) - size(b) || a.id - b.id;
}

/** The members that follow `quote`, at most `most`. */
function following(
  quote: QuoteDraft,
  group: readonly QuoteDraft[] = [],
  most: number,
): readonly QuoteDraft[] {
  const at = indexIn(group, quote);
  const behind = group.slice(at + 1, at + 1 + most);
  return [...behind, ...group.slice(0, Math.min(at, most - behind.length))];
}

/** Index of a quote in a group sorted by id. */
function indexIn(group: readonly QuoteDraft[], { id }: QuoteDraft): number {
  let low = 0;
  let high = group.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((group[middle]?.id ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
