/**
 * The chain of windows and the proof it carries: interval cover (harvest.md §3), as pure functions.
 *
 * Invariant: every quote present throughout that is not after the last one covered is in some window of the chain.
 * A window may join when it holds a covered quote, since then it begins no later than the cover ends.
 */
import type { Window } from "../contract/window.ts";
import type { StoredState } from "../contract/walk-store.ts";

export type Direction = "unknown" | "ascending" | "descending" | "none";

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
  /** Pairs of quotes seen in one order and then in the other. */
  readonly inversions: number;
  /** Windows in a row that were the same though their offsets were not. */
  readonly repeats: number;
  readonly ended: boolean;
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
    inversions: 0,
    repeats: 0,
    ended: false,
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
  const wanted = new Set(window.pks);
  if (recent.some(({ pks }) => pks.some((pk) => wanted.has(pk)))) return true;
  const direction = directionOf(window.pks);
  // Keys are whole numbers: nothing fits between n and n + 1.
  if (state.direction === "ascending" && direction === "ascending")
    return first <= state.highest + 1;
  if (state.direction === "descending" && direction === "descending")
    return first >= state.lowest - 1;
  return false;
}

/** The chain with a linked window added. */
export function extend({ state, recent }: Chain, window: Window, bad: number): Chain {
  const known = new Set(recent.flatMap(({ pks }) => pks));
  const unique = [...new Set(window.pks)];
  const shared = unique.filter((pk) => known.has(pk)).length;
  const good = window.kind === "repair" ? 0 : state.good + 1;
  const halve = good >= HALVE_AFTER && state.overlap > LEAST_OVERLAP;
  return {
    recent: [...recent, window].slice(-RECENT),
    state: {
      windows: state.windows + 1,
      offset: window.offset,
      end: window.offset + window.got,
      pageSize: Math.max(state.pageSize, window.got),
      overlap: halve ? Math.max(LEAST_OVERLAP, Math.floor(state.overlap / 2)) : state.overlap,
      good: halve ? 0 : good,
      direction: combine(state.direction, directionOf(unique)),
      lowest: unique.reduce((least, pk) => Math.min(least, pk), state.lowest || Infinity),
      highest: unique.reduce((most, pk) => Math.max(most, pk), state.highest),
      records: state.records + window.got,
      bad: state.bad + bad,
      duplicates: state.duplicates + shared,
      repaired: state.repaired + (window.kind === "repair" ? 1 : 0),
      inversions: state.inversions + recent.filter(({ pks }) => !sameOrder(pks, window.pks)).length,
      repeats: isRepeat(recent.at(-1), window) ? state.repeats + 1 : 0,
      ended: window.isLast,
    },
  };
}

/** After a broken link: twice the overlap, as long as a page is more than that (harvest.md §5.2). */
export function widened(chain: Chain): Chain {
  const most = Math.max(LEAST_OVERLAP, Math.floor(chain.state.pageSize / 2));
  const overlap = Math.min(most, chain.state.overlap * 2);
  return { ...chain, state: { ...chain.state, overlap, good: 0 } };
}

export function directionOf(pks: readonly number[]): Direction {
  if (pks.length < 2) return "unknown";
  const rises = (pks[1] ?? 0) > (pks[0] ?? 0);
  for (let at = 1; at < pks.length; at++) {
    const [before = 0, after = 0] = [pks[at - 1], pks[at]];
    if (rises ? after <= before : after >= before) return "none";
  }
  return rises ? "ascending" : "descending";
}

function combine(a: Direction, b: Direction): Direction {
  if (a === "unknown") return b;
  return b === "unknown" || a === b ? a : "none";
}

/** Whether the keys that both lists hold stand in the same order in both. */
export function sameOrder(a: readonly number[], b: readonly number[]): boolean {
  const places = new Map(a.map((pk, place) => [pk, place]));
  let last = -1;
  for (const pk of new Set(b)) {
    const place = places.get(pk);
    if (place === undefined) continue;
    if (place < last) return false;
    last = place;
  }
  return true;
}

function isRepeat(before: Window | undefined, window: Window): boolean {
  return (
    before !== undefined &&
    before.offset !== window.offset &&
    before.got === window.got &&
    before.pks[0] === window.pks[0] &&
    before.pks.at(-1) === window.pks.at(-1)
  );
}
