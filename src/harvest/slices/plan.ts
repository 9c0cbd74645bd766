/** Plans slices by the lengths that are known, and cuts a slice that does not fit into a page. */
import type { Filter } from "../../contract/window.ts";

/** Quotes of one length in code points. */
export interface LengthCount {
  readonly length: number;
  readonly quotes: number;
}

/** Quotes of the published snapshot that this run has not seen, by length. */
export interface PublishedLengths {
  /** By length in code points, from `low` to `high`. */
  lengths(language: string | null, low: number, high: number): readonly LengthCount[];
  /** Keys of quotes whose length is strictly between two bounds in every unit. */
  keysBetween(language: string | null, low: number, high: number): readonly number[];
  /** Languages of the quotes whose length in code points is from `low` to `high`. */
  languagesBetween(low: number, high: number): readonly string[];
  /** How many of the given keys are not published either. */
  countNew(ids: readonly number[]): number;
  /** Number of all published quotes that this run has not seen. */
  countUnseen(): number;
}

/** Share of a page that known quotes may fill; the rest is room for new quotes. */
export const FILL = 0.85;
/** The same where nearly all quotes of the list are known. */
export const FILL_KNOWN = 0.95;

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
 * @param most seen quotes in a slice
 */
export function planSlices(
  filter: Filter,
  lengths: readonly LengthCount[],
  most: number,
  inclusive: boolean,
): Filter[] {
  const slices: Filter[] = [];
  let rest = filter;
  let held = 0;
  for (const [index, { quotes }] of lengths.entries()) {
    const before = lengths[index - 1];
    if (held > 0 && held + quotes > most && before !== undefined) {
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

/** Whether a slice holds one length, so that it cannot be cut by length. */
export function isOneLength({ minLength, maxLength }: Filter, inclusive: boolean): boolean {
  if (minLength === null || maxLength === null) return false;
  return inclusive ? maxLength <= minLength : maxLength <= minLength + 2;
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
): Filter[] | null {
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
