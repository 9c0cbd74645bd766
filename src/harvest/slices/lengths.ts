/**
 * Filters by the length of a text: the contract does not say in which unit a service counts, or whether bounds are
 * inclusive (docs/walk.md, section 3).
 */
import { filterName, type Filter, type ServedPage } from "../../contract/window.ts";
import { countRecords, isEndOfList, savePage, type HarvestContext } from "../context.ts";
import { concludes } from "../evidence.ts";
import { orNull } from "../optional.ts";
import { isWithin } from "../units.ts";
import { knownLengths } from "./known.ts";

/** Whether an answer shows that the service filters by length: an empty one shows nothing. */
export function heedsLength(page: ServedPage | null, bounds: Filter): page is ServedPage {
  const control = page !== null && page.quotes.length > 0 && isWithin(page.quotes, bounds);
  return concludes("a filter is heeded", ["quotes"], control);
}

export interface LengthFilter {
  /** Whether the service applies `minlength` and `maxlength`. */
  readonly heeded: boolean;
  readonly inclusive: boolean;
}

/** What is known of the filter of a list; null before it was tested. */
export const knownFilter = (list: Filter, { store }: HarvestContext): LengthFilter | null =>
  store.state<LengthFilter>(`lengths ${filterName(list)}`);

/** Lengths to try, the most common first: all quotes of a page may have nearly the same length. */
const MOST_TRIED = 3;
/** A length that no quote has: longer texts are not decoded. */
const LONGEST = 1_000_000;

const isEmpty = (page: ServedPage | null): boolean =>
  page !== null && isEndOfList(page) && countRecords(page) === 0;

/**
 * Tests whether the service filters by length. A request for one length, `minlength=m&maxlength=m`, returns quotes only if
 * both bounds are inclusive. The first window of the list is the other control: without the filter the same quotes would
 * come back, and some of them have other lengths. Where all have the same length, a filter that no quote passes must return
 * nothing.
 */
export async function testLengths(filter: Filter, context: HarvestContext): Promise<LengthFilter> {
  const { get, store, pageSize } = context;
  const tested = knownFilter(filter, context);
  if (tested !== null) return tested;
  const first = store.windowAt(filterName(filter), 0)?.pks ?? [];
  // Published quotes may be gone, all those of a length too: what this run has seen comes first.
  const seen = store.lengths(filter, 0, Infinity);
  const known = seen.length > 0 ? seen : knownLengths(context, filter);
  const lengths = known.toSorted((a, b) => b.quotes - a.quotes);
  const shows = ({ minLength, maxLength }: Filter): boolean =>
    first.length === 0 || store.countOutside(first, minLength ?? 0, maxLength ?? 0) > 0;
  // Without retries: they could end the run, and only requests for the plain list may do so.
  const ask = (asked: Filter) => orNull(get(asked, 0, pageSize, "once"));
  for (const [tried, { length }] of lengths.slice(0, MOST_TRIED).entries()) {
    for (const margin of [0, 1]) {
      const bounds = { ...filter, minLength: length - margin, maxLength: length + margin };
      // One failure would make all slices overlap, or end them; a service that has no such filter fails with each.
      const page = (await ask(bounds)) ?? (tried === 0 ? await ask(bounds) : null);
      if (!heedsLength(page, bounds)) continue;
      const none = { ...filter, minLength: LONGEST, maxLength: null };
      if (!shows(bounds) && !isEmpty(await ask(none))) continue;
      savePage(context, page, bounds, "probe");
      const result = { heeded: true, inclusive: margin === 0 };
      store.saveState(`lengths ${filterName(filter)}`, result);
      return result;
    }
  }
  // Not stored: the filter may work in the next run.
  return { heeded: false, inclusive: false };
}
