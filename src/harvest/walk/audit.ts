/**
 * The order audit (docs/walk.md, section 4): whether a chain of windows proves anything. In an order that is not that of
 * the keys it does not: a quote that moves back while another vanishes leaves no trace. Keys in strict order over
 * all windows are proof enough, once there are so many of them that it is no coincidence. The first window is read again:
 * what is voted on or changed goes to the front of a list in that order, which until then may look like one by keys. One
 * question by length finds what no offset shows: a service that ends every list at some offset.
 */
import { filterName, type Filter } from "../../contract/window.ts";
import { keepPage, windowOf, type HarvestContext } from "../context.ts";
import { orNull } from "../optional.ts";
import { Pages, sizeOf } from "../pages.ts";
import type { ChainState } from "./chain.ts";
import { directionOf, isByKey, MOVED, type Direction } from "./order.ts";

/** Fewer keys than this are in order by chance often enough to matter: once in 12! it does not. */
const TELLING_KEYS = 12;

/** Judges a chain whose end is confirmed; afterwards `unstable` says whether it may be relied on. */
export async function audit(
  filter: Filter,
  chain: ChainState,
  context: HarvestContext,
): Promise<ChainState> {
  if (chain.audited || chain.unstable !== null) return chain;
  const isKnown = context.byKey === true && isByKey(chain.direction);
  const doubt = isKnown ? null : (doubtOf(chain) ?? (await lookAgain(filter, chain, context)));
  const audited = { ...chain, unstable: doubt, audited: true };
  context.store.saveState(filterName(filter), audited);
  return audited;
}

/** What no looking again would settle. */
function doubtOf({ direction, single, records, duplicates }: ChainState): string | null {
  // One request was one moment, and two answers agree on it.
  if (single) return null;
  if (!isByKey(direction)) return "the order of the list is not that of the keys";
  return records - duplicates < TELLING_KEYS ? "so few quotes do not show their order" : null;
}

/** Why the chain proves nothing; null where it does. */
async function lookAgain(
  filter: Filter,
  chain: ChainState,
  context: HarvestContext,
): Promise<string | null> {
  if (chain.single) return null;
  const { store, report } = context;
  const { direction, windows } = chain;
  const name = filterName(filter);
  report({ kind: "phase", phase: "audit" });
  let unexplained = chain.unexplained ?? (await unmetByLength(filter, chain, context));
  store.saveState(name, { ...chain, unexplained });
  // Where the newest quotes are: a question by length may have brought some that came in meanwhile.
  const atEnd = direction === "ascending" && unexplained.length > 0;
  for (const place of atEnd ? [0, windows - 1] : [0]) {
    const before = store.windowAt(name, place);
    if (before === undefined) continue;
    const offset = before.offset + (place === 0 ? 0 : before.got >> 1);
    const page = await new Pages(filter, context).at(offset);
    const { pks } = windowOf(page, filter, "audit", 0);
    if (sizeOf(page) === 0 || contradicts(before.pks, pks, direction)) return MOVED;
    keepPage(context, page, filter, "audit");
    unexplained = unexplained.filter((pk) => !pks.includes(pk));
  }
  const { length } = unexplained;
  return length === 0 ? null : `${length} quotes came back by length that the list does not show`;
}

/** Asks for the longest quotes by a filter: all of them must be known, or be new. */
async function unmetByLength(
  filter: Filter,
  chain: ChainState,
  { store, get, pageSize }: HarvestContext,
): Promise<readonly number[]> {
  if (filter.minLength !== null || filter.maxLength !== null) return [];
  let held = 0;
  const longest = store
    .lengths(filter)
    .findLast(({ quotes }) => (held += quotes) >= chain.pageSize / 2);
  if (longest === undefined) return [];
  const bounds = { ...filter, minLength: longest.length };
  const page = await orNull(get(bounds, 0, pageSize, "once"));
  // The service does not filter by length: there is no other way to ask.
  return page === null
    ? []
    : store.findUnseen(filterName(filter), windowOf(page, bounds, "probe", 0).pks);
}

/** Out of order, or a quote among those of before that was not there then: keys are given out in their order. */
function contradicts(
  before: readonly number[],
  again: readonly number[],
  direction: Direction,
): boolean {
  if (!["unknown", direction].includes(directionOf(again))) return true;
  const known = new Set(before);
  const ends = [before[0] ?? 0, before.at(-1) ?? 0];
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  return again.some((pk) => pk > least && pk < most && !known.has(pk));
}
