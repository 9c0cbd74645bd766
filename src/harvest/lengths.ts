/**
 * Lengths of texts as a service counts them: the contract names no unit, and not whether bounds are inclusive
 * (docs/walk.md, section 3).
 */
import type { Quote } from "../contract/quote.ts";
import { filterName, type Filter, type ServedPage } from "../contract/window.ts";
import { savePage, type HarvestContext } from "./context.ts";
import { concludes } from "./evidence.ts";
import { orNull } from "./optional.ts";

/** Units in which a service may count: code points, UTF-16 code units, UTF-8 bytes. */
export const UNITS: readonly ((text: string) => number)[] = [
  (text) => [...text].length,
  (text) => text.length,
  (text) => Buffer.byteLength(text),
];

export type Unit = (typeof UNITS)[number];

/** The text as it was served: the service counts its length. */
export function wordsOf(quote: Quote): string {
  return quote.served?.quote ?? quote.text;
}

/** Whether all quotes are within a filter's bounds in at least one unit. */
export function isWithin(quotes: readonly Quote[], { minLength, maxLength }: Filter): boolean {
  const [low, high] = [minLength ?? 0, maxLength ?? Infinity];
  return UNITS.some((unit) =>
    quotes.map(wordsOf).every((words) => unit(words) >= low && unit(words) <= high),
  );
}

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

/**
 * Tests whether the service filters by length. A request for one length, `minlength=m&maxlength=m`, returns quotes only if
 * both bounds are inclusive.
 */
export async function testLengths(filter: Filter, context: HarvestContext): Promise<LengthFilter> {
  const { get, store, pageSize } = context;
  const name = `lengths ${filterName(filter)}`;
  const known = store.state<LengthFilter>(name);
  if (known !== null) return known;
  const most = store
    .lengths(filter)
    .reduce((best, one) => (one.quotes > best.quotes ? one : best), { length: 50, quotes: 0 });
  for (const margin of [0, 1]) {
    const bounds = { ...filter, minLength: most.length - margin, maxLength: most.length + margin };
    // Only the plain list may end a run: retries would, where the service never answers such a request.
    const page = await orNull(get(bounds, 0, pageSize, "once"));
    if (!heedsLength(page, bounds)) continue;
    savePage(context, page, bounds, "probe");
    const result = { heeded: true, inclusive: margin === 0 };
    store.saveState(name, result);
    return result;
  }
  // Not stored: the filter may work in the next run.
  return { heeded: false, inclusive: false };
}
