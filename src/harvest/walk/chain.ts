/**
 * The chain of windows and the proof it carries: interval cover (harvest.md §3), as pure functions.
 *
 * Invariant: every quote present throughout that is not after the last one covered is in some window of the chain.
 * A window may join when it holds a covered quote, since then it begins no later than the cover ends.
 */
import type { StoredState } from "../../contract/walk-store.ts";
import type { Window } from "../../contract/window.ts";
import { contradiction, isRepeat, pushedBy, rereadBy, trendOf } from "./evidence.ts";
import { combine, directionOf, isByKey, type Direction } from "./order.ts";

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
  /**
   * By how many places re-read quotes had moved away from the start: something came in before them. Windows in flight
   * together may be served in the wrong order, which looks the same; that is taken into account.
   */
  readonly pushed: number;
  /** Whether any re-read quote stood at another place: the collection changed meanwhile. */
  readonly shifted: boolean;
  /** Neighbours of which the latter has more likes, and fewer. */
  readonly rises: number;
  readonly falls: number;
  /** Windows in a row that were the same though their offsets were not. */
  readonly repeats: number;
  readonly ended: boolean;
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

/** harvest.md §5.2: overlap, and after how many good links it is halved. */
export const LEAST_OVERLAP = 2;
const HALVE_AFTER = 50;

export const EMPTY_CHAIN: Chain = {
  recent: [],
  state: {
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
    pushed: 0,
    shifted: false,
    rises: 0,
    falls: 0,
    repeats: 0,
    ended: false,
    unstable: null,
  },
};

/** Where to read next: as far on as the overlap allows, but always further on. */
export function nextOffset({ windows, offset, end, overlap }: ChainState): number {
  return windows === 0 ? 0 : Math.max(offset + 1, end - overlap);
}

/** Condition (c) of harvest.md §3, and (a) for a window at the very start. */
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

/** What is known of a window beside its keys. */
export interface WindowFacts {
  /** Records that could not be read. */
  readonly bad: number;
  /** Of the quotes in the order served. */
  readonly likes: readonly number[];
  /** Whether it was certainly served after the one before it. */
  readonly inOrder: boolean;
}

/** The chain with a linked window added. */
export function extend(
  { state, recent }: Chain,
  window: Window,
  { bad, likes, inOrder }: WindowFacts,
): Chain {
  const pks = [...new Set(window.pks)];
  const good = window.kind === "repair" ? 0 : state.good + 1;
  const halve = good >= HALVE_AFTER && state.overlap > LEAST_OVERLAP;
  // Small pages cannot spare as much to begin with.
  const most = state.windows > 0 ? Infinity : Math.max(LEAST_OVERLAP, window.got / 10);
  const overlap = Math.min(state.overlap, Math.floor(most));
  const direction = combine(state.direction, directionOf(pks));
  const again = rereadBy(recent, window);
  const { rises, falls } = trendOf(likes);
  return {
    recent: [...recent, window].slice(-RECENT),
    state: {
      windows: state.windows + 1,
      offset: window.offset,
      end: window.offset + window.got,
      pageSize: Math.max(state.pageSize, window.got),
      overlap: halve ? Math.max(LEAST_OVERLAP, Math.floor(overlap / 2)) : overlap,
      good: halve ? 0 : good,
      direction,
      lowest: pks.reduce((least, pk) => Math.min(least, pk), state.lowest || Infinity),
      highest: pks.reduce((most, pk) => Math.max(most, pk), state.highest),
      records: state.records + window.got,
      bad: state.bad + bad,
      duplicates: state.duplicates + again.quotes,
      repaired: state.repaired + (window.kind === "repair" ? 1 : 0),
      pushed: pushedBy(state.pushed, again.shift, inOrder),
      shifted: state.shifted || again.shift !== 0,
      rises: state.rises + rises,
      falls: state.falls + falls,
      repeats: isRepeat(recent.at(-1), window) ? state.repeats + 1 : 0,
      ended: window.isLast,
      unstable: state.unstable ?? contradiction(direction, recent, window),
    },
  };
}

/** After a broken link: twice the overlap, as long as a page is more than that (harvest.md §5.2). */
export function widened(chain: Chain): Chain {
  const most = Math.max(LEAST_OVERLAP, Math.floor(chain.state.pageSize / 2));
  const overlap = Math.min(most, chain.state.overlap * 2);
  return { ...chain, state: { ...chain.state, overlap, good: 0 } };
}

/** Why the order cannot be relied on; the first reason stays. */
export function distrusted(chain: Chain, reason: string): Chain {
  return { ...chain, state: { ...chain.state, unstable: chain.state.unstable ?? reason } };
}
