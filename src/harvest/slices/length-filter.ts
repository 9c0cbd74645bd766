/**
 * Learns by asking whether the service filters by length, and whether its bounds include themselves.
 *
 * The filter counts as heeded only where quotes came back through it that are known to pass it: an index that is empty
 * for a night heeds nothing. Asking for one length alone, `minlength=m&maxlength=m`, brings something only where both
 * bounds are inclusive.
 */
import type { Filter, ServedPage } from "../../contract/window.ts";
import { keepPage, windowOf, type HarvestContext } from "../context.ts";
import { concludes } from "../evidence.ts";
import { isRefused } from "../optional.ts";
import { isWithin } from "./lengths.ts";

export interface LengthFilter {
  /** Whether `minlength` and `maxlength` do anything. */
  readonly heeded: boolean;
  readonly inclusive: boolean;
}

export async function learnFilters(filter: Filter, context: HarvestContext): Promise<LengthFilter> {
  const name = `lengths ${JSON.stringify(filter)}`;
  const known = context.store.state(name);
  if (known !== null) return known as unknown as LengthFilter;
  const learned = (await ask(filter, 0, context)) ?? (await ask(filter, 1, context));
  // What is not heeded tonight may be tomorrow.
  if (learned === null) return { heeded: false, inclusive: false };
  context.store.saveState(name, { ...learned });
  return learned;
}

/** @returns null where nothing came back that is known to be of this length */
async function ask(
  filter: Filter,
  margin: 0 | 1,
  context: HarvestContext,
): Promise<LengthFilter | null> {
  const { get, store, pageSize } = context;
  const lengths = store.lengths(filter);
  const common = lengths.reduce((best, one) => (one.quotes > best.quotes ? one : best), {
    length: 50,
    quotes: 0,
  }).length;
  const bounds = { ...filter, minLength: common - margin, maxLength: common + margin };
  let page: ServedPage;
  try {
    page = await get(bounds, 0, pageSize);
  } catch (error) {
    if (isRefused(error)) return null;
    throw error;
  }
  const { pks } = windowOf(page, bounds, "probe", 0);
  const control = pks.length > 0 && isWithin(page.quotes, bounds);
  if (!concludes("a filter is heeded", { shown: ["quotes"], control })) return null;
  keepPage(context, page, bounds, "probe");
  return { heeded: true, inclusive: margin === 0 };
}
