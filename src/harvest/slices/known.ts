/** What is known of a list before and while it is read in slices: from this run, and from the published snapshot. */
import type { Filter } from "../../contract/window.ts";
import type { HarvestContext } from "../context.ts";
import type { LengthCount, PublishedLengths } from "./plan.ts";

type Known = Pick<HarvestContext, "store" | "published">;

/** The published snapshot knows the quotes of a language, and not which list of a tag or of curated quotes holds them. */
function publishedOf({ published }: Known, { tag, curated }: Filter): PublishedLengths | null {
  return tag === null && !curated ? (published ?? null) : null;
}

/** Known quotes of a list by length in code points from `low` to `high`, shortest first. */
export function knownLengths(
  context: Known,
  filter: Filter,
  low = 0,
  high = Infinity,
): LengthCount[] {
  const counts = new Map<number, number>();
  const add = ({ length, quotes }: LengthCount): void =>
    void counts.set(length, (counts.get(length) ?? 0) + quotes);
  const published = publishedOf(context, filter);
  for (const one of context.store.lengths(filter, low, high)) add(one);
  for (const one of published?.lengths(filter.language, low, high) ?? []) add(one);
  return [...counts]
    .map(([length, quotes]) => ({ length, quotes }))
    .sort((a, b) => a.length - b.length);
}

/**
 * Keys of known quotes that are surely in a slice.
 *
 * @param inclusive whether both bounds are inclusive
 */
export function knownIn(context: Known, slice: Filter, inclusive: boolean): number[] {
  const margin = inclusive ? 1 : 0;
  const minLength = slice.minLength && slice.minLength - margin;
  const maxLength = slice.maxLength && slice.maxLength + margin;
  const published = publishedOf(context, slice);
  return [
    ...context.store.findKnown({ ...slice, minLength, maxLength }),
    ...(published?.keysBetween(slice.language, minLength ?? 0, maxLength ?? Infinity) ?? []),
  ];
}

/** Languages of known quotes whose length in code points, the most likely unit, is in a slice. */
export function knownLanguages(context: Known, slice: Filter): string[] {
  const [low, high] = [slice.minLength ?? 0, slice.maxLength ?? Infinity];
  const published = publishedOf(context, slice);
  const languages = new Set([
    ...context.store.languagesBetween(low, high),
    ...(published?.languagesBetween(low, high) ?? []),
  ]);
  return [...languages].sort();
}

/** Number of keys that neither this run nor the published snapshot knew. */
export function countUnknown(context: Known, filter: Filter, ids: readonly number[]): number {
  const published = publishedOf(context, filter);
  const isNew = ids.filter((id) => context.store.countNew([id]) === 1);
  return published === null ? isNew.length : published.countNew(isNew);
}
