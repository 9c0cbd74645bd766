/**
 * The order audit: whether a chain of windows proves anything (harvest.md §5.5).
 *
 * It asks for more than §5.5 does. In an order that is not that of the keys, a quote that moves back over what was read
 * while another vanishes leaves no trace in any overlap, and eight windows read again find it only by luck: such a list
 * is never called complete for its walk, only for its slices. Keys in strict order over all windows are proof enough,
 * once there are so many of them that it is no coincidence; where the order of likes would look the same, or anything
 * is odd, what a walk may cost (§2) is spent on looking again.
 */
import { filterName, type Filter, type Window } from "../../contract/window.ts";
import { keepPage, type HarvestContext } from "../context.ts";
import type { ChainState } from "./chain.ts";
import { Choice } from "./choice.ts";
import { MOVED } from "./evidence.ts";
import { directionOf, isByKey, type Direction } from "./order.ts";

const MOST_REREADS = 8;
const REREADS = { calm: 2, odd: 3 };
/** Fewer keys than this stand in order by chance often enough to matter: once in 12! it does not. */
const TELLING_KEYS = 12;
/** Neighbours with more likes and with fewer, of which there must be so many: a list by likes has one kind alone. */
const TELLING_LIKES = 3;
/** Requests that a walk of so many records may cost in all where the order is good (§2). */
const affordable = (records: number, pageSize: number): number =>
  Math.floor(1.05 * Math.ceil(records / Math.max(1, pageSize))) + 5;

/** Judges a chain that has ended; afterwards `unstable` says whether it may be relied on. */
export async function audit(
  filter: Filter,
  chain: ChainState,
  context: HarvestContext,
): Promise<ChainState> {
  if (chain["audited"] === true || chain.unstable !== null) return chain;
  const [last] = context.store.lastWindows(filterName(filter), 1);
  const known = context.byKey === true && isByKey(chain.direction);
  const reason = known ? null : (doubt(chain) ?? (await reread(filter, chain, last, context)));
  const audited = { ...chain, unstable: reason, audited: true };
  context.store.saveState(filterName(filter), audited);
  return audited;
}

/** What no looking again would settle. */
function doubt({ direction, windows, records, duplicates }: ChainState): string | null {
  // One request is one moment.
  if (windows <= 1 || records === 0) return null;
  if (!isByKey(direction)) return "the order of the list is not that of the keys";
  return records - duplicates < TELLING_KEYS ? "so few quotes do not show their order" : null;
}

/**
 * How many places to look at again: two where that may be spent, and one at least. What is voted on or changed goes to
 * the front of a list in that order, what is written anew to the end of a table without one; until then either looks
 * like the order of keys.
 */
function rereadsFor(chain: ChainState, last: Window | undefined, concurrency: number): number {
  const { direction, pushed, shifted, windows, end, pageSize, rises, falls } = chain;
  if (windows <= 1 || !isByKey(direction)) return 0;
  // Requests asked for ahead of the end were spent as well.
  const spare = affordable(end, pageSize) - windows - (concurrency - 1);
  const within = Math.min(MOST_REREADS, windows, spare);
  const tail = last?.pks.at(-1);
  // A list that ends before a quote that was read has lost that one since, or it moved.
  const odd =
    direction === "ascending" ? pushed > 0 || tail !== chain.highest : tail !== chain.lowest;
  if (odd) return Math.max(REREADS.odd, within);
  const surely = !shifted && Math.min(rises, falls) >= TELLING_LIKES;
  return Math.max(1, surely ? Math.min(REREADS.calm, within) : within);
}

async function reread(
  filter: Filter,
  chain: ChainState,
  last: Window | undefined,
  context: HarvestContext,
): Promise<string | null> {
  const rereads = rereadsFor(chain, last, context.concurrency);
  if (rereads === 0) return null;
  context.report({ kind: "phase", phase: "audit" });
  const choice = new Choice(context.store, filterName(filter), chain, context.random);
  for (let look = 0; look < rereads; look++) {
    const { offset, pks } = choice.next();
    const page = await context.get(filter, offset, context.pageSize);
    const again = keepPage(context, page, filter, "audit");
    if (contradicts(pks, again.pks, chain.direction)) return MOVED;
    choice.learn(again);
  }
  return null;
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
