/**
 * From what moved, over many builds, to redirects: each leads straight to a page that is there, and none from a page
 * that is.
 */
import type { Move } from "./moves.ts";
import type { Site } from "./site.ts";

export interface Redirect {
  /** Paths without the base path; the second may end in a fragment. */
  readonly from: string;
  readonly to: string;
}

/** Longer chains than this many nights of renaming are a mistake somewhere. */
const MOST_STEPS = 100;

const FEED = /feed\.(?:xml|json)$/;

/**
 * @param moves the weightiest first
 * @returns those that lead somewhere, in the same order
 */
export function* resolveMoves(moves: Iterable<Move>, site: Site): Generator<Redirect> {
  const known = new Map<string, Move>();
  for (const move of moves) known.set(move.from, move);
  for (const { from } of known.values()) {
    if (isThere(from, site)) continue;
    const to = endOf(from, known, site);
    if (to !== null) yield { from, to };
  }
}

/** Follows an address until it comes to a page; null where it comes to none, or back to itself. */
function endOf(from: string, known: ReadonlyMap<string, Move>, site: Site): string | null {
  let at = from;
  for (let step = 0; step < MOST_STEPS; step++) {
    const move = known.get(at);
    const next = move === undefined ? bare(at) : move.to;
    if (next === null || next === from) return null;
    if (typeof next === "number") return site.where(next)?.place ?? null;
    if (isThere(next, site)) return next;
    at = next;
  }
  return null;
}

/** A smaller listing may have no feed any more: then there is no redirect to it. */
function isThere(path: string, site: Site): boolean {
  return site.isPage(path);
}

/** Page 7 of a listing that has fewer now was a place in the listing. */
function bare(path: string): string | null {
  if (FEED.test(path)) return null;
  const listing = /^(\/[^/]+\/[^/]+\/)\d+\/$/u.exec(path)?.[1];
  return listing ?? null;
}
