/**
 * Learns by asking whether the service filters by length at all, and whether its bounds include themselves.
 *
 * Asking for one length alone, `minlength=m&maxlength=m`, brings something only where both bounds are inclusive,
 * whatever unit the service counts in.
 */
import type { Filter } from "../../contract/window.ts";
import { keepPage, type HarvestContext } from "../context.ts";
import { servedLength } from "./cuts.ts";

export interface LengthFilter {
  /** Whether `minlength` and `maxlength` do anything. */
  readonly heeded: boolean;
  readonly inclusive: boolean;
}

/** No quote is as long: a service that heeds lengths has nothing to send. */
const BEYOND_ANY = 100_000_000;

export async function learnFilters(filter: Filter, context: HarvestContext): Promise<LengthFilter> {
  const name = `lengths ${JSON.stringify(filter)}`;
  const known = context.store.state(name);
  if (known !== null) return known as unknown as LengthFilter;
  const learned = await ask(filter, context);
  context.store.saveState(name, { ...learned });
  return learned;
}

async function ask(filter: Filter, context: HarvestContext): Promise<LengthFilter> {
  const { get, store, pageSize } = context;
  const lengths = store.lengths(filter);
  const common = lengths.reduce((best, one) => (one.quotes > best.quotes ? one : best), {
    length: 50,
    quotes: 0,
  }).length;
  const one: Filter = { ...filter, minLength: common, maxLength: common };
  const page = await get(one, 0, pageSize);
  keepPage(context, page, one, "probe");
  const inclusive = page.quotes.length > 0;
  const alike = page.quotes.every((quote) => servedLength(quote) === common);
  const few = page.next === null && page.quotes.length < store.quotesSeen;
  if (inclusive && alike && few) return { heeded: true, inclusive };
  // The service counts otherwise than we do, or does not count at all.
  const none = await get({ ...filter, minLength: BEYOND_ANY }, 0, pageSize);
  if (none.quotes.length > 0) return { heeded: false, inclusive };
  const least = await get({ ...filter, maxLength: 1 }, 0, pageSize);
  return { heeded: least.next === null && least.quotes.length < store.quotesSeen, inclusive };
}
