/**
 * Asks a list in key order for the place of a quote (docs/walk.md, section 5): where no filter shows whether it still exists, a page
 * that holds the keys before and after its own does.
 */
import { StoppedEarly } from "../contract/errors.ts";
import { filterName, type Filter, type ServedPage } from "../contract/window.ts";
import { isEndOfList, keysOf, savePage, type HarvestContext } from "./context.ts";
import { concludes, haveReturned } from "./evidence.ts";
import { isRefused, orNull } from "./optional.ts";
import { directionOf, ENOUGH_KEYS, isByKey, type ChainState } from "./walk/chain.ts";

/** Least number of quotes on a page that can hold a place and what is beside it. */
const LEAST_PAGE = 4;

/** What a page shows of a stretch of the list. */
export interface Stretch {
  readonly page: ServedPage;
  /** Whether the page would hold a key, and nine in ten of the quotes that are known around it came back. */
  shows(id: number): boolean;
}

/**
 * Reads the place of a key by another address than the walk did.
 *
 * @param pageSize records that the service sends in one page
 * @returns null where the list is not in key order, and where the request fails or its answer is in another order
 */
export async function readPlace(
  list: Filter,
  id: number,
  pageSize: number,
  context: HarvestContext,
): Promise<Stretch | null> {
  const { store, get } = context;
  const chain = store.state<ChainState>(filterName(list));
  // A record does not show whether it is curated.
  if (chain === null || list.curated || pageSize < LEAST_PAGE || !isOrdered(chain)) return null;
  const isAscending = chain.direction === "ascending";
  const window = store.windowBeside(filterName(list), id, isAscending);
  if (window === undefined) return null;
  const at = window.pks.findIndex((pk) => (isAscending ? pk > id : pk < id));
  const place = window.offset + (at < 0 ? window.got : at);
  const limit = pageSize - 1;
  let stretch: Stretch | null = null;
  // Where pages begin at certain rows only, that before the place may end there.
  for (const offset of [place - Math.floor(limit / 2), place - 1]) {
    const page = await orNull(get(list, Math.max(0, offset), limit, "once"), isRefusedOrStopped);
    if (page === null) return null;
    stretch = stretchOf(page, list, chain, context);
    const hasCome = page.quotes.some((quote) => quote.id === id);
    if (hasCome || stretch?.shows(id) === true) break;
  }
  return stretch;
}

/** Null where the page is in another order, or may hold any key. */
function stretchOf(
  page: ServedPage,
  list: Filter,
  chain: ChainState,
  context: HarvestContext,
): Stretch | null {
  if (page.shape === "record" || page.quarantined.some(({ pk }) => pk === null)) return null;
  const keys = keysOf(page);
  const [first, last] = [keys[0], keys.at(-1)];
  if (first === undefined || last === undefined || directionOf(keys) !== chain.direction)
    return null;
  savePage(context, page, list, "probe");
  const came = new Set(keys);
  const known = context.store.keysBetween(Math.min(first, last), Math.max(first, last));
  const lacking = known.filter((key) => !came.has(key)).length;
  const isControlled = known.length > 1 && haveReturned(known.length, lacking);
  const sign = chain.direction === "ascending" ? 1 : -1;
  const begins = page.offset === 0;
  // Where no page has a `next`, the end that the walk confirmed is one.
  const edge = sign > 0 ? chain.highest : chain.lowest;
  const ends = isEndOfList(page) || (page.next === null && last === edge);
  return {
    page,
    shows: (key) => {
      const isAfterFirst = begins || sign * (key - first) > 0;
      const isBeforeLast = ends || sign * (last - key) > 0;
      return isAfterFirst && isBeforeLast && concludes("a quote is gone", ["absent"], isControlled);
    },
  };
}

const isRefusedOrStopped = (error: unknown): boolean =>
  isRefused(error) || error instanceof StoppedEarly;

/** Whether a list was read to its end in the order of its keys. */
const isOrdered = ({ direction, unstable, ended, cut, records }: ChainState): boolean =>
  ended && !cut && unstable === null && isByKey(direction) && records >= ENOUGH_KEYS;
