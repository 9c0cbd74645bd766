/**
 * What moved between two builds.
 *
 * A listing is known again by its quotes: most of those an author had are now another's, or carry a tag they did not
 * carry before. A listing whose quotes are all gone leaves no trace, and neither does a quote that no page shows: what
 * was reported or hidden must not be hinted at, and a redirect to home would be a lie about what is there.
 */
import type { Listing, Site, Whereabouts } from "./site.ts";

export interface Move {
  /** Path without the base path. */
  readonly from: string;
  /** A path, or the id of a quote that lost its page: where that one is, is asked anew each time. */
  readonly to: string | number;
  /** The more, the sooner it is kept where a host takes few. */
  readonly weight: number;
}

/** The index that holds what has no listing of its own any more. */
const TAGS = "/tags/";

/** Later pages of a listing that left: who comes by them is rare. */
const MOST_PAGES = 50;

/** A shared link to a quote, beside a listing of so many quotes. */
const QUOTE_WEIGHT = 2;

/** @param now the listing of the same kind and slug; undefined where there is none */
export function listingMoves(
  before: Listing,
  now: Pick<Listing, "pages"> | undefined,
  site: Site,
): Move[] {
  const { kind, slug, pages, members } = before;
  const from = (page: number): string => site.pathOf(kind, slug, page);
  const weight = (page: number): number => members / page ** 2;
  if (now !== undefined) {
    const last = site.pathOf(kind, slug, now.pages);
    return range(now.pages + 1, Math.min(pages, now.pages + MOST_PAGES)).map((page) => ({
      from: from(page),
      to: last,
      weight: weight(page),
    }));
  }
  const to = successorOf(before, site);
  if (to === null) return [];
  const feeds = to === TAGS ? [] : ["feed.xml", "atom.xml", "feed.json"];
  return [
    ...range(1, Math.min(pages, MOST_PAGES)).map((page) => ({
      from: from(page),
      to,
      weight: weight(page),
    })),
    ...feeds.map((file) => ({ from: from(1) + file, to: to + file, weight: members / 2 })),
  ];
}

/** @param id of a quote that had a page of its own and has none now; one that no page shows is forgotten right after */
export function quoteMove(id: number, site: Site): Move {
  return { from: site.quotePath(id), to: id, weight: QUOTE_WEIGHT };
}

/** Where a listing that left lives on. */
function successorOf({ kind, slug, sample }: Listing, site: Site): string | null {
  const left = sample.flatMap(({ id, tags }) => {
    const now = site.where(id);
    return now === null ? [] : [{ before: tags, now }];
  });
  if (left.length === 0) return null;
  if (kind === "author") {
    const author = commonest(left.map(({ now }) => authorOf(now)));
    return author === null ? null : site.pathOf("author", author);
  }
  if (kind !== "tag") return null;
  const gained = left.map(({ before, now }) =>
    now.tags.filter((tag) => tag !== slug && !before.includes(tag)),
  );
  const tag = commonest(gained);
  return tag === null ? TAGS : site.pathOf("tag", tag);
}

const authorOf = ({ author }: Whereabouts): string[] => (author === null ? [] : [author]);

/** What at least half of the lists have; of several, what most have, and then the first by name. */
function commonest(lists: readonly (readonly string[])[]): string | null {
  const counts = new Map<string, number>();
  for (const name of lists.flatMap((list) => [...new Set(list)])) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const [best] = [...counts].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1));
  return best !== undefined && best[1] * 2 >= lists.length ? best[0] : null;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}
