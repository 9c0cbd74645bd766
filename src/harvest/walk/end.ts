/**
 * Confirms the end of a list (docs/walk.md, section 5): a request past it must return nothing, and its last page must
 * end as before. A contradiction reopens the walk.
 */
import { StoppedEarly } from "../../contract/errors.ts";
import { filterName, type Filter, type ServedPage } from "../../contract/window.ts";
import { keysOf, type HarvestContext } from "../context.ts";
import { Evidence } from "../evidence.ts";
import { orNull } from "../optional.ts";
import { countRecords, isTooDeep, type Pages } from "../pages.ts";
import { RECENT, type ChainState } from "./chain.ts";
import { guardAgainstLoops } from "./guards.ts";
import { isByKey, MOVED } from "./order.ts";

/** A walk, as far as its checks need it. */
export interface OpenWalk {
  readonly filter: Filter;
  readonly context: HarvestContext;
  readonly pages: Pages;
  readonly state: ChainState;
  readonly lastKey: number | undefined;
  /** Records of a full page, by the latest pages. */
  readonly recentSize: number;
  /** Changes the state and stores it. */
  update(change: Partial<ChainState>): void;
  /** Adds a page to the chain. */
  add(page: ServedPage): Promise<void>;
}

/** Answers for the last page that may differ before the run stops. */
const MOST_ENDINGS = 6;

/** Gathers evidence for the end that the walk has met; afterwards the state shows whether it is confirmed. */
export async function confirmEnd(walk: OpenWalk): Promise<void> {
  const { store } = walk.context;
  const ends = new Evidence(store, "the list ends here", filterName(walk.filter));
  if (ends.shown.length === 0) {
    ends.add(String(walk.lastKey));
    walk.update({ overcounted: claimsMore(walk.state, walk.state.count) });
  }
  if (!ends.hasControl) {
    const past = await readPast(walk);
    if (past !== null) {
      // The page that met the end was false: it may have hidden rows too.
      const last = past.next === null ? past : await readLast(walk);
      return reopen(walk, ends, contradicts(walk, last) ? last : past);
    }
    ends.addControl();
  }
  while (!ends.isEnough) {
    if (ends.shown.length >= MOST_ENDINGS) {
      ends.discard();
      throw new StoppedEarly(
        `Cannot tell where the list ends: its last page ended in ${MOST_ENDINGS} ways; run it again later`,
      );
    }
    const page = await readLast(walk);
    if (!agrees(walk, page)) return reopen(walk, ends, page);
    await addAnswer(walk, ends, page);
  }
  walk.update({ ended: true, confirmed: true });
}

/** Requests the page past the end, a second time where it contradicts what was read; null where it is empty or refused. */
async function readPast(walk: OpenWalk, isSecond = false): Promise<ServedPage | null> {
  const { state, pages } = walk;
  const page = await orNull(pages.request(state.end), isTooDeep);
  if (page === null || (countRecords(page) === 0 && page.next === null)) return null;
  const settled = await orNull(pages.settle(page), isTooDeep);
  const isDoubtful = !isSecond && settled !== null && contradicts(walk, settled);
  return isDoubtful ? readPast(walk, true) : settled;
}

/**
 * Offset of the request that confirms the end. The page that met the end may have hidden any of its rows, so the request
 * covers nearly a whole page. Less than an overlap is left as room for new quotes.
 */
function lastPageOffset({ state: { windows, end, overlap }, recentSize }: OpenWalk): number {
  // Of a single window, offset 1: another request than the first.
  if (windows === 1) return Math.min(1, Math.max(0, end - 1));
  return Math.max(0, end - Math.max(1, recentSize - Math.max(1, overlap - 1)));
}

/**
 * Reads the end again, and the pages before it where quotes were removed meanwhile. A page that contradicts what was read
 * is requested a second time, and returned in place of the last one if it contradicts again.
 */
async function readLast(walk: OpenWalk): Promise<ServedPage> {
  const { pages, recentSize, state } = walk;
  const end = lastPageOffset(walk);
  const last = await pages.read(end);
  let [offset, page] = [end, last];
  while (offset > 0 && !contradicts(walk, page) && !reachesBack(walk, page)) {
    offset = Math.max(0, offset - Math.max(1, recentSize - state.overlap));
    page = await pages.read(offset);
  }
  if (!contradicts(walk, page)) return last;
  const again = await pages.read(offset);
  return offset === end || contradicts(walk, again) ? again : last;
}

/**
 * Whether a page begins no later than the last window before an end was met ends, in a list in the order of its keys. That
 * window is whole: its size matches the offset of the next page. A window that met an end may have hidden rows, also where
 * the list went on.
 */
function reachesBack({ filter, context, state }: OpenWalk, page: ServedPage): boolean {
  const windows = context.store.lastWindows(filterName(filter), RECENT);
  const met = windows.findIndex(({ isLast }) => isLast);
  const whole = met === -1 ? windows.at(-1) : windows[met - 1];
  const [first] = keysOf(page);
  const last = whole?.pks.at(-1);
  if (first === undefined || last === undefined || !isByKey(state.direction)) return true;
  return state.direction === "ascending" ? first <= last : first >= last;
}

/** Whether a page shows the same of the end as the page that met it. */
function agrees({ state }: OpenWalk, page: ServedPage): boolean {
  const saysEnd = page.shape === "envelope" && page.next === null;
  const isEmpty = countRecords(page) === 0 && state.end > 1 && state.unstable === null;
  return saysEnd === state.saysEnd && !isEmpty;
}

async function addAnswer(walk: OpenWalk, ends: Evidence, page: ServedPage): Promise<void> {
  const { state, lastKey } = walk;
  const pks = keysOf(page);
  const isSame = lastKey === undefined || state.end <= 1 || pks.includes(lastKey);
  ends.add(String((isSame || state.unstable !== null ? ends.shown : pks).at(-1) ?? ""));
  await addPage(walk, page);
  walk.update({
    ended: true,
    saysEnd: state.saysEnd,
    overcounted: state.overcounted && claimsMore(walk.state, page.count),
  });
}

async function reopen(walk: OpenWalk, ends: Evidence, page: ServedPage): Promise<void> {
  ends.discard();
  walk.update({ ended: false, idle: walk.state.idle + 1 });
  guardAgainstLoops(walk.state);
  await addPage(walk, page);
}

/** Adds a page, unless it contradicts the windows before it: one of the answers was false, and slices show which. */
async function addPage(walk: OpenWalk, page: ServedPage): Promise<void> {
  if (contradicts(walk, page)) walk.update({ unstable: walk.state.unstable ?? MOVED });
  else if (countRecords(page) > 0) await walk.add(page);
}

/**
 * Whether a page shows quotes among those already read, which the walk did not meet, in a list in the order of its keys:
 * new keys are the highest.
 */
export function contradicts({ filter, context, state }: OpenWalk, page: ServedPage): boolean {
  const { direction, lowest, highest } = state;
  const least = direction === "ascending" ? 0 : lowest;
  const unseen = context.store.findUnseen(filterName(filter), keysOf(page));
  return isByKey(direction) && unseen.some((pk) => pk > least && pk < highest);
}

function claimsMore({ end }: ChainState, count: number | null): boolean {
  return count !== null && count > end;
}
