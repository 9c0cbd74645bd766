/**
 * Confirms the end of a list (docs/walk.md, section 5): a request past it must bring nothing, and its last page must
 * end as it did before. What contradicts this opens the walk again.
 */
import { StoppedEarly } from "../../contract/errors.ts";
import { filterName, type Filter, type ServedPage } from "../../contract/window.ts";
import { windowOf, type HarvestContext } from "../context.ts";
import { Evidence } from "../evidence.ts";
import { orNull } from "../optional.ts";
import { isTooDeep, sizeOf, type Pages } from "../pages.ts";
import type { ChainState } from "./chain.ts";
import { guardAgainstLoops } from "./guards.ts";
import { isByKey, MOVED } from "./order.ts";

/** A walk that has met an end. */
export interface OpenWalk {
  readonly filter: Filter;
  readonly context: HarvestContext;
  readonly pages: Pages;
  readonly state: ChainState;
  readonly lastKey: number | undefined;
  /** Records of a full page, as pages are now. */
  readonly recentSize: number;
  /** Changes the state and puts it on the disk. */
  update(change: Partial<ChainState>): void;
  /** Adds what a page brought. */
  take(page: ServedPage): Promise<void>;
}

/** Last pages in a row that end differently: then tonight's answers show no end. */
const MOST_LOOKS = 6;

/** Goes on gathering evidence for the end that the walk has met; the state says whether it is confirmed. */
export async function confirmEnd(walk: OpenWalk): Promise<void> {
  const { store } = walk.context;
  const ends = new Evidence(store, "the list ends here", filterName(walk.filter));
  if (ends.shown.length === 0) {
    ends.add(String(walk.lastKey));
    walk.update({ overcounted: claimsMore(walk.state, walk.state.count) });
  }
  if (!ends.hasControl) {
    const page = await pagePast(walk);
    if (page !== null) return reopen(walk, ends, page);
    ends.addControl();
  }
  while (!ends.isEnough) {
    if (ends.shown.length >= MOST_LOOKS) {
      ends.discard();
      throw new StoppedEarly(
        `Cannot tell where the list ends: its last page ended in ${MOST_LOOKS} ways; run it again later`,
      );
    }
    const page = await walk.pages.at(lastPage(walk));
    if (!agrees(walk, page)) return reopen(walk, ends, page);
    await look(walk, ends, page);
  }
  walk.update({ ended: true, confirmed: true });
}

/** The page past the end; null where it is empty or refused. */
async function pagePast({ state, pages }: OpenWalk): Promise<ServedPage | null> {
  const page = await orNull(pages.once(state.end), isTooDeep);
  if (page === null || (sizeOf(page) === 0 && page.next === null)) return null;
  return orNull(pages.settled(page), isTooDeep);
}

/**
 * Offset from which the end is read again. The page that met the end may have hidden rows anywhere in it, so nearly a
 * whole page is read; what it leaves out of an overlap is room for new records.
 */
function lastPage({ state: { windows, end, overlap }, recentSize }: OpenWalk): number {
  // After a single window, another offset than 0.
  if (windows === 1) return Math.min(1, Math.max(0, end - 1));
  return Math.max(0, end - Math.max(1, recentSize - Math.max(1, overlap - 1)));
}

/** Whether a page says as much about the end as the page did that met it. */
function agrees({ state }: OpenWalk, page: ServedPage): boolean {
  const saysEnd = page.shape === "envelope" && page.next === null;
  const isEmpty = sizeOf(page) === 0 && state.end > 1 && state.unstable === null;
  return saysEnd === state.saysEnd && !isEmpty;
}

async function look(walk: OpenWalk, ends: Evidence, page: ServedPage): Promise<void> {
  const { state, context, lastKey } = walk;
  const { pks } = windowOf(page, walk.filter, "walk", 0);
  const isSame = lastKey === undefined || state.end <= 1 || pks.includes(lastKey);
  ends.add(String((isSame || state.unstable !== null ? ends.shown : pks).at(-1) ?? ""));
  const inside = (pk: number): boolean => pk > state.lowest && pk < state.highest;
  const unseen = context.store.findUnseen(filterName(walk.filter), pks).filter(inside);
  const isMoved = unseen.length > 0 && isByKey(state.direction);
  // Of two answers that contradict each other, one is false: slices show which.
  if (sizeOf(page) > 0 && !isMoved) await walk.take(page);
  walk.update({
    ended: true,
    saysEnd: state.saysEnd,
    overcounted: state.overcounted && claimsMore(walk.state, page.count),
    unstable: walk.state.unstable ?? (isMoved ? MOVED : null),
  });
}

async function reopen(walk: OpenWalk, ends: Evidence, page: ServedPage): Promise<void> {
  ends.discard();
  walk.update({ ended: false, idle: walk.state.idle + 1 });
  guardAgainstLoops(walk.state);
  if (sizeOf(page) > 0) await walk.take(page);
}

function claimsMore({ end }: ChainState, count: number | null): boolean {
  return count !== null && count > end;
}
