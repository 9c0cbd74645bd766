/**
 * The chain of windows and the proof it carries: interval cover (docs/walk.md, section 2), as pure functions.
 *
 * Invariant: every quote present throughout that is not after the last one covered is in some window of the chain.
 * A window may join when it holds a covered quote, since then it begins no later than the cover ends.
 */
import type { StoredState } from "../../snapshot/work/walk-store.ts";
import type { Window } from "../../contract/window.ts";
import {
  combine,
  directionOf,
  isByKey,
  isRepeat,
  MOVED,
  rereadBy,
  sameOrder,
  type Direction,
} from "./order.ts";

/** What a chain must remember; plain JSON, so that it can be stored with each window. */
export interface ChainState extends StoredState {
  readonly windows: number;
  /** Where the last window began, and one past its last record. */
  readonly offset: number;
  readonly end: number;
  /** Records that a full page holds, as far as seen. */
  readonly pageSize: number;
  readonly overlap: number;
  /** Good links since the overlap last changed. */
  readonly good: number;
  readonly direction: Direction;
  readonly lowest: number;
  readonly highest: number;
  readonly records: number;
  readonly bad: number;
  readonly duplicates: number;
  readonly repaired: number;
  /** Windows in a row that were the same though their offsets were not. */
  readonly repeats: number;
  /** How far the chain has ever reached, and windows in a row that brought it no further. */
  readonly furthest: number;
  readonly idle: number;
  /** How often a link could only be mended from the start. */
  readonly restarts: number;
  /** How far back the repair under way has looked; 0 when none is. */
  readonly back: number;
  /** Size that the service claimed last; null when it claimed none. */
  readonly count: number | null;
  /** Whether the claim was larger than what was read, at the end and again when the end was confirmed. */
  readonly overcounted: boolean;
  /** Whether an end was met, whether the last window said so itself, and whether other answers confirmed it. */
  readonly ended: boolean;
  /** Whether the first request brought all of the list. */
  readonly single: boolean;
  readonly saysEnd: boolean;
  readonly confirmed: boolean;
  /** Whether the service sends nothing from some offset on, though that is no end. */
  readonly cut: boolean;
  /** Keys that a question by length brought back and the walk had not met; null before it was asked. */
  readonly unexplained: readonly number[] | null;
  readonly audited: boolean;
  /** Why the order cannot be relied on; null as long as it can. */
  readonly unstable: string | null;
}

/** The state, and the last windows, oldest first. */
export interface Chain {
  readonly state: ChainState;
  readonly recent: readonly Window[];
}

/** Windows in which a shared quote is looked for. */
export const RECENT = 16;

/** Overlap, and after how many good links it is halved (docs/walk.md, section 4). */
export const LEAST_OVERLAP = 2;
const HALVE_AFTER = 50;

export const EMPTY_STATE: ChainState = {
  windows: 0,
  offset: 0,
  end: 0,
  pageSize: 0,
  overlap: LEAST_OVERLAP,
  good: 0,
  direction: "unknown",
  lowest: 0,
  highest: 0,
  records: 0,
  bad: 0,
  duplicates: 0,
  repaired: 0,
  repeats: 0,
  furthest: 0,
  idle: 0,
  restarts: 0,
  back: 0,
  count: null,
  overcounted: false,
  ended: false,
  single: false,
  saysEnd: false,
  confirmed: false,
  cut: false,
  unexplained: null,
  audited: false,
  unstable: null,
};

/** Condition (c) of docs/walk.md, section 2, and (a) for a window at the very start. */
export function isLinked({ state, recent }: Chain, window: Window): boolean {
  if (window.offset === 0) return true;
  const [first] = window.pks;
  if (first === undefined) return false;
  // Keys are whole numbers: nothing fits between n and n + 1.
  if (isByKey(state.direction)) {
    const up = state.direction === "ascending";
    const near = up ? first <= state.highest + 1 : first >= state.lowest - 1;
    if (near && directionOf(window.pks) === state.direction) return true;
  }
  const wanted = new Set(window.pks);
  return recent.some(({ pks }) => pks.some((pk) => wanted.has(pk)));
}

/** Whether a window further on, in a list by keys, holds keys up to the end of the last one which that lacks. */
export function isSetBack({ state, recent }: Chain, { offset, pks }: Window): boolean {
  const before = recent.at(-1);
  const end = before?.pks.at(-1);
  if (before === undefined || end === undefined || offset <= before.offset) return false;
  if (!isByKey(state.direction)) return false;
  const known = new Set(before.pks);
  const up = state.direction === "ascending";
  return pks.some((pk) => (up ? pk <= end : pk >= end) && !known.has(pk));
}

/**
 * The chain with a linked window added.
 *
 * @param bad records of it that could not be read
 * @param count size of the list that the service claimed; null when it claimed none
 */
export function extend(
  { state, recent }: Chain,
  window: Window,
  bad: number,
  count: number | null,
): Chain {
  const pks = [...new Set(window.pks)];
  const good = window.kind === "repair" ? 0 : state.good + 1;
  const halve = good >= HALVE_AFTER && state.overlap > LEAST_OVERLAP;
  // Small pages cannot spare as much: a cap may fall, and pages may be cut by bytes.
  const most = state.windows === 0 ? window.got / 10 : window.got / 3;
  const least = Math.min(LEAST_OVERLAP, Math.max(1, Math.floor(window.got / 3)));
  const overlap = Math.max(least, Math.min(state.overlap, Math.floor(most)));
  const direction = combine(state.direction, directionOf(pks));
  const reread = rereadBy(recent, window);
  // Keys in their own order contradict nothing; else each re-read pair must be as before.
  const contradicts =
    direction === "none" && !recent.every((one) => sameOrder(one.pks, window.pks));
  const end = window.offset + window.got;
  // From the start again: sound, but as dear as a second walk.
  const restarts = state.restarts + (state.windows > 0 && window.offset === 0 ? 1 : 0);
  const isFurther = end > state.furthest || restarts > state.restarts;
  return {
    recent: [...recent, window].slice(-RECENT),
    state: {
      ...state,
      windows: state.windows + 1,
      offset: window.offset,
      end,
      furthest: isFurther ? end : state.furthest,
      idle: isFurther ? 0 : state.idle + 1,
      restarts,
      back: 0,
      pageSize: Math.max(state.pageSize, window.got),
      overlap: halve ? Math.max(least, Math.floor(overlap / 2)) : overlap,
      good: halve ? 0 : good,
      direction,
      lowest: pks.reduce((least, pk) => Math.min(least, pk), state.lowest || Infinity),
      highest: pks.reduce((most, pk) => Math.max(most, pk), state.highest),
      records: state.records + window.got,
      bad: state.bad + bad,
      count: count ?? state.count,
      duplicates: state.duplicates + reread,
      repaired: state.repaired + (window.kind === "repair" ? 1 : 0),
      repeats: isRepeat(recent.at(-1), window) ? state.repeats + 1 : 0,
      ended: window.isLast,
      single: state.windows === 0 ? window.isLast : state.single && !isFurther,
      saysEnd: window.isLast,
      unstable: state.unstable ?? (contradicts ? MOVED : null),
    },
  };
}
