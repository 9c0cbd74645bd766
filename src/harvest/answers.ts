/** What one answer shows of itself, and two answers to one request show of each other. */
import type { ServedPage } from "../contract/window.ts";
import { countRecords, keysOf } from "./context.ts";

/** Counts the known keys that a page lacks. */
export function countMissing(page: ServedPage, known: readonly number[]): number {
  const back = new Set(keysOf(page));
  return known.filter((pk) => !back.has(pk)).length;
}

/** Whether a page is an envelope with records, none of them twice, as many as the distance to the next page. */
export function isWhole(page: ServedPage): boolean {
  const distance = (page.next?.offset ?? 0) - page.offset;
  return page.shape === "envelope" && countRecords(page) > 0 && hasDistinct(page, distance);
}

/** Whether a page has so many records, and none of them twice. */
export function hasDistinct(page: ServedPage, rows: number): boolean {
  const keys = keysOf(page);
  const areDistinct = new Set(keys).size === keys.length;
  return countRecords(page) + (page.furniture ?? 0) >= rows && areDistinct;
}

/** The keys of a page, sorted, which of them are unreadable, and whether more follow: equal where two answers agree. */
export function summarise(page: ServedPage): string {
  const keys = keysOf(page).toSorted((a, b) => a - b);
  const unreadable = page.quarantined.map(({ pk }) => pk).toSorted();
  return JSON.stringify([page.shape, page.next === null, countRecords(page), keys, unreadable]);
}

/** Keeps only the quotes of a page that another answer to the same request holds too. */
export function intersect(page: ServedPage, other: ServedPage): ServedPage {
  const ids = new Set(other.quotes.map(({ id }) => id));
  return { ...page, quotes: page.quotes.filter(({ id }) => ids.has(id)), quarantined: [] };
}
