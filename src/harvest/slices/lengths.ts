/**
 * The length of a text as a service counts it: the contract names no unit, and does not say whether bounds include
 * themselves (docs/walk.md, section 3).
 */
import type { Quote } from "../../contract/quote.ts";
import { filterName, type Filter } from "../../contract/window.ts";
import { keepPage, type HarvestContext } from "../context.ts";
import { concludes } from "../evidence.ts";
import { orNull } from "../optional.ts";

/** Units that a service may count a text in. */
export const UNITS: readonly ((text: string) => number)[] = [
  (text) => [...text].length,
  (text) => text.length,
  (text) => Buffer.byteLength(text),
];

export type Unit = (typeof UNITS)[number];

/** The words as they were served: these are what the service counts. */
export function wordsOf(quote: Quote): string {
  return quote.served?.quote ?? quote.text;
}

/** Whether all quotes lie within a filter's bounds, in one unit or another. */
export function isWithin(quotes: readonly Quote[], { minLength, maxLength }: Filter): boolean {
  const [low, high] = [minLength ?? 0, maxLength ?? Infinity];
  return UNITS.some((unit) =>
    quotes.map(wordsOf).every((words) => unit(words) >= low && unit(words) <= high),
  );
}

export interface LengthFilter {
  /** Whether `minlength` and `maxlength` do anything. */
  readonly heeded: boolean;
  readonly inclusive: boolean;
}

/**
 * Learns by asking whether the service filters by length. The filter counts as heeded only where quotes came back through
 * it that are known to pass it: an index that is empty for a night heeds nothing. Asking for one length alone,
 * `minlength=m&maxlength=m`, brings something only where both bounds are inclusive.
 */
export async function learnFilters(filter: Filter, context: HarvestContext): Promise<LengthFilter> {
  const { get, store, pageSize } = context;
  const name = `lengths ${filterName(filter)}`;
  const known = store.state(name);
  if (known !== null) return known as unknown as LengthFilter;
  const most = store
    .lengths(filter)
    .reduce((best, one) => (one.quotes > best.quotes ? one : best), { length: 50, quotes: 0 });
  for (const margin of [0, 1]) {
    const bounds = { ...filter, minLength: most.length - margin, maxLength: most.length + margin };
    const page = await orNull(get(bounds, 0, pageSize));
    const control = page !== null && page.quotes.length > 0 && isWithin(page.quotes, bounds);
    if (!concludes("a filter is heeded", { shown: ["quotes"], control }) || page === null) continue;
    keepPage(context, page, bounds, "probe");
    const learned = { heeded: true, inclusive: margin === 0 };
    store.saveState(name, learned);
    return learned;
  }
  // What is not heeded tonight may be tomorrow.
  return { heeded: false, inclusive: false };
}
