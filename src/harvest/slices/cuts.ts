/**
 * Cuts a collection by text length, so that each slice fits into one page (docs/walk.md, section 3).
 *
 * The contract names neither the unit of length nor whether bounds are inclusive, so neighbouring slices share one length
 * until the service has shown that both bounds are inclusive.
 */
import type { Lengths } from "../../snapshot/work/walk-store.ts";
import type { Filter } from "../../contract/window.ts";

/** Share of a page that known quotes may fill: new quotes need room. */
export const FILL = 0.85;

/** Cuts a slice in two: length `at` goes to the left, `at + 1` to the right. */
function cutAt(slice: Filter, at: number, inclusive: boolean): [Filter, Filter] {
  return [
    { ...slice, maxLength: inclusive ? at : at + 1 },
    { ...slice, minLength: inclusive ? at + 1 : at },
  ];
}

/**
 * Cuts a filter into slices by the lengths seen so far.
 *
 * @param perPage number of seen quotes that fit into a page, with room for unseen ones
 */
export function planSlices(
  filter: Filter,
  lengths: Lengths,
  perPage: number,
  inclusive: boolean,
): Filter[] {
  const slices: Filter[] = [];
  let rest = filter;
  let held = 0;
  for (const [index, { quotes }] of lengths.entries()) {
    const before = lengths[index - 1];
    if (held > 0 && held + quotes > perPage * FILL && before !== undefined) {
      const [left, right] = cutAt(rest, before.length, inclusive);
      slices.push(left);
      rest = right;
      // The next slice holds the shared length too.
      held = inclusive ? 0 : before.quotes;
    }
    held += quotes;
  }
  return [...slices, rest];
}

/**
 * Cuts a slice that did not fit into a page, at the median of the served lengths, or in the middle of its bounds.
 *
 * @returns null when the slice cannot be cut by length any more
 */
export function bisect(
  slice: Filter,
  served: readonly number[],
  inclusive: boolean,
): [Filter, Filter] | null {
  const sorted = served.toSorted((a, b) => a - b);
  const low = slice.minLength ?? 0;
  const high = slice.maxLength ?? Math.max(2 * low, 2 * (sorted.at(-1) ?? 0), low + 4);
  // Both halves must be smaller than the whole, though they share the length of the cut.
  const first = inclusive ? low : low + 1;
  const last = inclusive ? high - 1 : high - 2;
  if (first > last) return null;
  const median = sorted[(sorted.length - 1) >> 1] ?? low;
  const useful = median >= first && median <= last;
  return cutAt(slice, useful ? median : Math.floor((first + last) / 2), inclusive);
}
