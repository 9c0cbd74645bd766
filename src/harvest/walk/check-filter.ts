/**
 * Checks that a service heeds the filter of a list (docs/walk.md, sections 5 and 6). Records show their language and tags,
 * but not whether they are curated: for a curated list, the control is the first page of the list of all quotes.
 */
import { ConfigurationError, WalkFailed } from "../../contract/errors.ts";
import { filterName, isSlice, type ServedPage } from "../../contract/window.ts";
import { countRecords, keysOf, type HarvestContext } from "../context.ts";
import { concludes } from "../evidence.ts";
import { orNull } from "../optional.ts";
import { isTooDeep, type Pages } from "../pages.ts";
import { passes } from "../selection.ts";

/** Largest share of the quotes that a curated list may hold: a longer list is no selection. */
export const MOST_CURATED = 0.9;

/**
 * Checks the first page of a list, and requests it again when it does not heed the filter.
 *
 * @returns the page to use, and whether a curated list begins like the list of all quotes
 * @throws {ConfigurationError} when two answers show that the service ignores the filter
 * @throws {WalkFailed} when it does, and what is published was selected by it: the setting is not wrong
 */
export async function checkFilter(
  first: ServedPage,
  pages: Pages,
): Promise<{ readonly page: ServedPage; readonly beginsAsPlain: boolean }> {
  const { filter } = pages;
  const { language, tag, curated } = filter;
  const plain = curated ? await readPlainKeys(pages) : new Set<number>();
  const countSame = (page: ServedPage): number => keysOf(page).filter((pk) => plain.has(pk)).length;
  const beginsAsPlain = 2 * countSame(first) >= plain.size;
  const ignores = (page: ServedPage): boolean => {
    const same = countSame(page);
    if (same > 0 && same >= MOST_CURATED * Math.max(keysOf(page).length, plain.size)) return true;
    return 2 * page.quotes.filter(passes(filter)).length < page.quotes.length;
  };
  if (!ignores(first)) return { page: first, beginsAsPlain };
  const second = await pages.read(0);
  const shown = [first, second].map((page) => (ignores(page) ? "no filter" : "the filter"));
  const isIgnored = concludes("a filter is ignored", shown);
  // A curated list may begin like the list of all quotes, but it must be shorter.
  if (!isIgnored || (curated && !(await isAsLong(pages)))) return { page: second, beginsAsPlain };
  if (curated) throw new ConfigurationError("the service ignores the filter for them");
  const asked = tag === null ? `the language "${language ?? ""}"` : `the tag "${tag}"`;
  const what = `Cannot select ${asked}: the service ignores the filter`;
  if (hasWorked(pages.context)) throw new WalkFailed(`${what}, which it has heeded before`);
  const advice = "set QUOTES_LANGUAGES and QUOTES_TAGS to what it knows, or leave them out";
  throw new ConfigurationError(`${what}; ${advice}`);
}

/** Whether quotes of this selection are published: then the service has heeded its filters. */
export const hasWorked = ({ published }: HarvestContext): boolean =>
  published !== null && published !== undefined;

/** First keys of the list of all quotes, from this run's first window of it, or from a request. */
async function readPlainKeys({ filter, context }: Pages): Promise<ReadonlySet<number>> {
  const { store, get, pageSize } = context;
  if (isSlice(filter)) return new Set();
  const plain = { ...filter, curated: false };
  const known = store.windowAt(filterName(plain), 0);
  if (known !== undefined) return new Set(known.pks);
  const page = await orNull(get(plain, 0, pageSize, "once"));
  return new Set(page === null ? [] : keysOf(page));
}

/** Whether a list is nearly as long as the list of all quotes; false if the latter was not read or has one page. */
async function isAsLong({ filter, context }: Pages): Promise<boolean> {
  const { store, get, pageSize } = context;
  const [last] = store.lastWindows(filterName({ ...filter, curated: false }), 1);
  if (last === undefined || last.offset === 0) return false;
  const far = Math.floor((last.offset + last.got) * MOST_CURATED);
  const page = await orNull(get(filter, far, pageSize), isTooDeep);
  return page !== null && countRecords(page) > 0;
}
