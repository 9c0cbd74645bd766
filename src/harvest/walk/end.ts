/**
 * Walks a list to its end, and confirms the end (docs/walk.md, section 5): a request past the end must return nothing, and
 * the last page must end as before. A contradiction reopens the walk.
 */
import { StoppedEarly } from "../../contract/errors.ts";
import type { ServedPage } from "../../contract/window.ts";
import { countRecords, isEndOfList, keysOf } from "../context.ts";
import { Evidence } from "../evidence.ts";
import { orNull } from "../optional.ts";
import { isTooDeep, type Pages } from "../pages.ts";
import { isByKey, MOVED, RECENT, type ChainState } from "./chain.ts";
import { Walk } from "./walk.ts";

/** Most answers for the last page, all different, before the run stops. */
const MOST_ENDINGS = 6;

/**
 * Begins or resumes the walk of one list, and reads to its end.
 *
 * In an unreliable order no link is repaired: the rest of the list only shows the number of quotes and their lengths, from
 * which slices are planned.
 *
 * @param expected number of quotes; null when unknown
 * @param mustEnd whether to confirm the end even in an unreliable order, since there are no slices
 */
export async function walkToEnd(
  pages: Pages,
  expected: number | null,
  mustEnd = false,
): Promise<ChainState> {
  const walk = new Walk(pages, expected);
  try {
    while (!walk.state.confirmed && !walk.state.cut) {
      if (!walk.state.ended) await walk.readNext();
      else if (walk.state.unstable !== null && !mustEnd) break;
      else await confirmEnd(walk);
    }
    return walk.state;
  } finally {
    await walk.stop();
  }
}

/** Gathers evidence for the end that the walk has seen; then the state shows whether the end is confirmed. */
async function confirmEnd(walk: Walk): Promise<void> {
  const ends = new Evidence(walk.pages.context.store, "the list ends here", walk.name);
  if (ends.shown.length === 0) {
    ends.add(String(walk.lastKey));
    walk.update({ overcounted: claimsMore(walk.state, walk.state.count) });
  }
  if (!ends.hasControl) {
    const past = await readPast(walk);
    if (past !== null) {
      // The page that showed the end was false, and may have hidden rows too.
      const last = past.next === null ? past : await readLast(walk);
      return reopen(walk, ends, walk.isContradictedBy(last) ? last : past);
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
    const page = await readLast(walk).catch(postpone);
    if (!agrees(walk, page)) return reopen(walk, ends, page);
    await addAnswer(walk, ends, page);
  }
  walk.update({ ended: true, confirmed: true });
}

/** A refusal of the last pages, which were served, ends the run early: the next one goes on from here. */
function postpone(error: unknown): never {
  if (!isTooDeep(error)) throw error;
  throw new StoppedEarly(error.message, { cause: error });
}

/** Requests the page past the end, a second time where it contradicts what was read; null where it is empty or refused. */
async function readPast(walk: Walk, isSecond = false): Promise<ServedPage | null> {
  const { state, pages } = walk;
  const page = await orNull(pages.request(state.end), isTooDeep);
  if (page === null || isEnd(page)) return null;
  const settled = await orNull(pages.settle(page), isTooDeep);
  if (settled !== null && isEnd(settled)) return null;
  const isDoubtful = !isSecond && settled !== null && walk.isContradictedBy(settled);
  return isDoubtful ? readPast(walk, true) : settled;
}

const isEnd = (page: ServedPage): boolean => countRecords(page) === 0 && page.next === null;

/**
 * Offset of the request that confirms the end. The page that showed the end may have hidden any of its rows, so the request
 * covers nearly a whole page. Less than an overlap is left as room for new quotes.
 */
function lastPageOffset({ state: { windows, end, overlap }, recentSize }: Walk): number {
  // A single window begins with the first quote, which no other request shows.
  if (windows === 1) return 0;
  return Math.max(0, end - Math.max(1, recentSize - Math.max(1, overlap - 1)));
}

/**
 * Reads the end again, and the pages before it where quotes were removed meanwhile. A page that contradicts what was read
 * is requested a second time, and returned in place of the last one if it contradicts again.
 */
async function readLast(walk: Walk): Promise<ServedPage> {
  const { pages, recentSize, state } = walk;
  const end = lastPageOffset(walk);
  // A cache may repeat its answer to the first request, which had another limit.
  const limit = state.windows === 1 ? state.end + 1 : undefined;
  const last = await pages.read(end, limit);
  let [offset, page] = [end, last];
  while (offset > 0 && !walk.isContradictedBy(page) && !reachesBack(walk, page)) {
    offset = Math.max(0, offset - Math.max(1, recentSize - state.overlap));
    page = await pages.read(offset);
  }
  if (!walk.isContradictedBy(page)) return last;
  const again = await pages.read(offset);
  return offset === end || walk.isContradictedBy(again) ? again : last;
}

/**
 * Whether a page, in a list in key order, begins no later than the end of the last window that is surely whole. That is the
 * window before the first that showed an end: its size matches the offset of the next page. A window that showed an end may
 * have hidden rows, even if the list continued.
 */
function reachesBack({ name, pages, state }: Walk, page: ServedPage): boolean {
  const windows = pages.context.store.lastWindows(name, RECENT);
  const ending = windows.findIndex(({ isLast }) => isLast);
  const whole = ending === -1 ? windows.at(-1) : windows[ending - 1];
  const [first] = keysOf(page);
  const last = whole?.pks.at(-1);
  if (first === undefined || last === undefined || !isByKey(state.direction)) return true;
  return state.direction === "ascending" ? first <= last : first >= last;
}

/** Whether a page agrees with the page that showed the end. */
function agrees({ state }: Walk, page: ServedPage): boolean {
  const saysEnd = isEndOfList(page);
  const isEmpty = countRecords(page) === 0 && state.end > 1 && state.unstable === null;
  return saysEnd === state.saysEnd && !isEmpty;
}

async function addAnswer(walk: Walk, ends: Evidence, page: ServedPage): Promise<void> {
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

async function reopen(walk: Walk, ends: Evidence, page: ServedPage): Promise<void> {
  ends.discard();
  walk.update({ ended: false, idle: walk.state.idle + 1 });
  walk.endLoop();
  if (!walk.state.cut) await addPage(walk, page);
}

/** Adds a page. If it contradicts earlier windows, one of the answers was false, and slices show which. */
async function addPage(walk: Walk, page: ServedPage): Promise<void> {
  if (walk.isContradictedBy(page)) walk.distrust(MOVED);
  else if (countRecords(page) > 0) await walk.add(page);
}

function claimsMore({ end }: ChainState, count: number | null): boolean {
  return count !== null && count > end;
}
