/**
 * Where to cut a collection by text length, so that each slice fits into one page (docs/walk.md, section 3).
 *
 * Neither the unit of length nor its inclusiveness is documented, so slices share one length at each cut until the
 * service has shown that both its bounds include themselves.
 */
import type { Lengths } from "../../snapshot/work/walk-store.ts";
import type { Filter } from "../../contract/window.ts";

/** How full a slice is planned to be: those that are new need room as well. */
const FILL = 0.85;

/** Two slices that together hold all of one: cut so that length `at` is on the left, `at + 1` on the right. */
function cutAt(slice: Filter, at: number, inclusive: boolean): [Filter, Filter] {
  return [
    { ...slice, maxLength: inclusive ? at : at + 1 },
    { ...slice, minLength: inclusive ? at + 1 : at },
  ];
}

/**
 * Cuts a filter into slices by the lengths seen so far.
 *
 * @param perPage quotes of those lengths that a page will hold, beside those that were not seen
 */
export function planned(
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
      // The shared lengths come again.
      held = inclusive ? 0 : before.quotes;
    }
    held += quotes;
  }
  return [...slices, rest];
}

/**
 * Where to cut a slice that did not fit: at the median length of what was served, or in the middle where that does not
 * help.
 *
 * @returns null when the slice cannot be cut by length any more
 */
export function bisection(
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
