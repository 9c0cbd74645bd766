/**
 * Whether a service heeds the filter of a list (docs/walk.md, sections 5 and 6). Records say so of a language and a tag.
 * A curated quote says nothing of itself: there the control is the first page of the list of all quotes.
 */
import { ConfigurationError } from "../../contract/errors.ts";
import { filterName, type Filter, type ServedPage } from "../../contract/window.ts";
import { windowOf, type HarvestContext } from "../context.ts";
import { concludes } from "../evidence.ts";
import { orNull } from "../optional.ts";
import { isTooDeep, sizeOf, type Pages } from "../pages.ts";
import { passes } from "../selection.ts";

/** Share of all quotes that may be curated: a list of more of them distinguishes nothing. */
export const MOST_CURATED = 0.9;

/**
 * The first page of a list, from an answer that heeds its filter.
 *
 * @throws {ConfigurationError} when two answers show that the service ignores it
 */
export async function heeding(
  first: ServedPage,
  filter: Filter,
  pages: Pages,
  context: HarvestContext,
): Promise<ServedPage> {
  const plain = filter.curated ? await plainKeys(filter, context) : new Set<number>();
  const ignores = (page: ServedPage): boolean => {
    const { pks } = windowOf(page, filter, "walk", 0);
    const same = pks.filter((pk) => plain.has(pk)).length;
    if (same > 0 && same >= MOST_CURATED * Math.max(pks.length, plain.size)) return true;
    return 2 * page.quotes.filter(passes(filter)).length < page.quotes.length;
  };
  if (!ignores(first)) return first;
  const second = await pages.at(0);
  const shown = [first, second].map((page) => (ignores(page) ? "no filter" : "the filter"));
  if (!concludes("a filter is ignored", { shown, control: false })) return second;
  const { language, tag, curated } = filter;
  // A list of curated quotes may begin as that of all quotes does: its end says more.
  if (curated && !(await isAsLong(filter, context))) return second;
  if (curated) throw new ConfigurationError("the service does not tell them from the rest");
  const asked = tag === null ? `the language "${language ?? ""}"` : `the tag "${tag}"`;
  throw new ConfigurationError(
    `Cannot select ${asked}: the service ignores the filter; set QUOTES_LANGUAGES and QUOTES_TAGS to what it knows, or leave them out`,
  );
}

/** The first keys of the list of all quotes, as this run has read it; else they are asked for. */
async function plainKeys(filter: Filter, context: HarvestContext): Promise<ReadonlySet<number>> {
  const { store, get, pageSize } = context;
  if (filter.minLength !== null || filter.maxLength !== null) return new Set();
  const plain = { ...filter, curated: false };
  const known = store.windowAt(filterName(plain), 0);
  if (known !== undefined) return new Set(known.pks);
  const page = await orNull(get(plain, 0, pageSize, "once"));
  return new Set(page === null ? [] : windowOf(page, plain, "probe", 0).pks);
}

/** Whether the list is nearly as long as that of all quotes, where that was read and holds more than a page. */
async function isAsLong(
  filter: Filter,
  { store, get, pageSize }: HarvestContext,
): Promise<boolean> {
  const [last] = store.lastWindows(filterName({ ...filter, curated: false }), 1);
  if (last === undefined || last.offset === 0) return false;
  const far = Math.floor((last.offset + last.got) * MOST_CURATED);
  const page = await orNull(get(filter, far, pageSize), isTooDeep);
  return page !== null && sizeOf(page) > 0;
}
