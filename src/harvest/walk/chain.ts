/**
 * The chain of windows and its proof by interval cover (docs/walk.md, section 2), as pure functions.
 *
 * Invariant: every quote that is present throughout and is not after the last covered one is in some window of the chain.
 * A window may join when it holds a covered quote, since then it begins no later than the cover ends.
 */
import type { Window } from "../../contract/window.ts";

/** Why the keys of a walk are not a proof. */
export const MOVED = "quotes changed places while they were read";
export const UNORDERED = "the order of the list is not that of the keys";
export const TOO_FEW = "so few quotes do not show their order";

export const SINGLE = "the service sends one quote at a time";

/** Least number of keys whose order is no coincidence: its probability is 1 in 12!. */
export const ENOUGH_KEYS = 12;

/** Order of a list, from the keys of served pages (docs/walk.md, section 4). */
export type Direction = "unknown" | "ascending" | "descending" | "none";

/** Smallest overlap, and good links after which it is halved (docs/walk.md, section 4). */
export const LEAST_OVERLAP = 2;
const HALVE_AFTER = 50;

/** State of a chain before its first window. It is plain JSON, stored with each window. */
export const EMPTY_STATE = {
  windows: 0,
  /** Offset of the last window, and one past its last record. */
  offset: 0,
  end: 0,
  /** Records of a full page, as far as seen. */
  pageSize: 0,
  overlap: LEAST_OVERLAP,
  /** Good links since the overlap last changed. */
  good: 0,
  direction: "unknown" as Direction,
  /** Smallest and largest key. */
  lowest: 0,
  highest: 0,
  records: 0,
  bad: 0,
  /** Rows without a record, and those of them at the end of the last window. */
  vacant: 0,
  vacantAtEnd: 0,
  duplicates: 0,
  repaired: 0,
  /** Windows that were requested again since later rows had moved to larger offsets. */
  doubted: 0,
  /** Whether rows changed their offsets between two windows, in an order other than that of the keys. */
  shifted: false,
  /** Consecutive windows that were the same at different offsets. */
  repeats: 0,
  /** Largest `end` so far, and windows since it was reached that led no further than the one before them. */
  furthest: 0,
  idle: 0,
  /** Largest `end` of all windows, and consecutive windows that led beyond it without a new key. */
  reach: 0,
  barren: 0,
  /** Links that could only be repaired from the start of the list. */
  restarts: 0,
  /** Distance that the repair under way has gone back; 0 for none. */
  back: 0,
  /** Latest size of the list that the service claimed; null for none. */
  count: null as number | null,
  /** Whether the claim exceeded the records read, at the end and again at its confirmation. */
  overcounted: false,
  /** Whether a curated list begins like the list of all quotes: then its keys do not show whether the filter was heeded. */
  beginsAsPlain: false,
  /** Whether an end was seen. */
  ended: false,
  /** Whether the first request brought the whole list. */
  single: false,
  /** Whether a page said whether more follow. */
  saysNext: false,
  /** Whether the last window itself showed the end. */
  saysEnd: false,
  /** Whether other answers confirmed the end. */
  confirmed: false,
  /** Whether the service sends nothing from some offset on, although that is not an end. */
  cut: false,
  /** Whether the pages of the list go round in circles: then offsets show neither its length nor its end. */
  circular: false,
  /** Keys that a request by length returned and the walk had not seen; null before that request. */
  unexplained: null as readonly number[] | null,
  audited: false,
  /** Why the order cannot be relied on; null while no reason is known. */
  unstable: null as string | null,
};

export type ChainState = Readonly<typeof EMPTY_STATE>;

/** The state, and the last windows, oldest first. */
export interface Chain {
  readonly state: ChainState;
  readonly recent: readonly Window[];
}

/** Number of last windows in which a shared quote is searched. */
export const RECENT = 16;

export function directionOf(pks: readonly number[]): Direction {
  const [first, second] = pks;
  if (first === undefined || second === undefined) return "unknown";
  const sign = Math.sign(second - first);
  const isStrict = pks.every((pk, at) => at === 0 || Math.sign(pk - (pks[at - 1] ?? 0)) === sign);
  if (sign === 0 || !isStrict) return "none";
  return sign > 0 ? "ascending" : "descending";
}

export function isByKey(direction: Direction): boolean {
  return direction === "ascending" || direction === "descending";
}

export function combineDirections(a: Direction, b: Direction): Direction {
  if (a === "unknown") return b;
  return b === "unknown" || a === b ? a : "none";
}

/** Condition (c) of docs/walk.md, section 2, or (a) for a window at offset 0. */
export function isLinked({ state, recent }: Chain, window: Window): boolean {
  if (window.got === 0) return false;
  if (window.offset === 0) return true;
  const [first] = window.pks;
  if (first === undefined) return false;
  // No key is between n and n + 1.
  if (isByKey(state.direction)) {
    const up = state.direction === "ascending";
    const touches = up ? first <= state.highest + 1 : first >= state.lowest - 1;
    if (touches && directionOf(window.pks) === state.direction) return true;
  }
  const wanted = new Set(window.pks);
  return recent.some(({ pks }) => pks.some((pk) => wanted.has(pk)));
}

/** Whether, in a list in key order, a window at a larger offset holds keys that the last window should have held. */
export function contradictsLast({ state, recent }: Chain, { offset, pks }: Window): boolean {
  const before = recent.at(-1);
  const end = before?.pks.at(-1);
  if (before === undefined || end === undefined || offset <= before.offset) return false;
  if (!isByKey(state.direction)) return false;
  const known = new Set(before.pks);
  const up = state.direction === "ascending";
  return pks.some((pk) => (up ? pk <= end : pk >= end) && !known.has(pk));
}

/**
 * Whether, in a list that seems to be in key order, a window lacks more of the covered keys in its own range than it holds.
 * Then the rows are not in key order, and neither the order of its keys nor a shared key links it to the chain.
 */
export function skipsCovered({ state, recent }: Chain, { pks }: Window): boolean {
  if (!isByKey(combineDirections(state.direction, directionOf(pks)))) return false;
  const [least = 0, most = 0] = [pks[0] ?? 0, pks.at(-1) ?? 0].sort((a, b) => a - b);
  const isWithin = (pk: number): boolean => pk >= least && pk <= most;
  const covered = new Set(recent.flatMap((window) => window.pks.filter(isWithin)));
  return covered.size > 2 * covered.intersection(new Set(pks)).size;
}

/**
 * Whether rows have larger offsets in a window than in the last one, in a list in key order: then the last window lacked a
 * quote before these rows, or new quotes came in front of them.
 */
export function showsMissed({ state, recent }: Chain, window: Window): boolean {
  const before = recent.at(-1);
  if (before === undefined || !isByKey(state.direction)) return false;
  return shiftsBetween(before, window).some((shift) => shift > 0);
}

/** Whether the keys that two windows share are in the same order in both. */
function areInSameOrder(a: Window, b: Window): boolean {
  const places = new Map(a.pks.map((pk, place) => [pk, place]));
  const shared = [...new Set(b.pks)].flatMap((pk) => places.get(pk) ?? []);
  return shared.every((place, at) => at === 0 || place > (shared[at - 1] ?? 0));
}

/** How much larger the offset of each row that two windows share is in the second. */
function shiftsBetween(a: Window, b: Window): number[] {
  // Counted from its end, which they share: records without a key have a row, and are not among the keys.
  const first = a.offset + a.got - a.pks.length;
  const offsets = new Map(a.pks.map((pk, place) => [pk, first + place]));
  return b.pks.map((pk, place) => b.offset + place - (offsets.get(pk) ?? b.offset + place));
}

/**
 * Adds a linked window to the chain.
 *
 * @param added.bad unreadable records of the window that no earlier window covered
 * @param added.count size of the list that the service claimed; null for none
 * @param added.isBarren whether no key of the window is new
 */
export function extend(
  chain: Chain,
  window: Window,
  { bad, count, isBarren }: { bad: number; count: number | null; isBarren: boolean },
): Chain {
  const { state, recent } = chain;
  const last = recent.at(-1);
  const keys = new Set(window.pks);
  const good = window.kind === "repair" ? 0 : state.good + 1;
  const halve = good >= HALVE_AFTER && state.overlap > LEAST_OVERLAP;
  // The overlap is a share of the page: a cap may fall, and pages may be cut by bytes.
  const most = state.windows === 0 ? window.got / 10 : window.got / 3;
  const least = Math.min(LEAST_OVERLAP, Math.max(1, Math.floor(window.got / 3)));
  const overlap = Math.max(least, Math.min(state.overlap, Math.floor(most)));
  const direction = combineDirections(state.direction, directionOf([...keys]));
  // After a repair, the latest window that shares a key is an older one.
  const reread = recent
    .map(({ pks }) => pks.filter((pk) => keys.has(pk)).length)
    .findLast((shared) => shared > 0);
  // In an order other than that of the keys, keys read again must be in the same order as before.
  const hasMoved = (one: Window): boolean => shiftsBetween(one, window).some((by) => by !== 0);
  const moved = direction === "none" ? recent.filter(hasMoved) : [];
  const isMoved = !moved.every((one) => areInSameOrder(one, window)) || skipsCovered(chain, window);
  const isRepeat =
    last !== undefined &&
    last.offset !== window.offset &&
    last.got === window.got &&
    [0, -1].every((at) => last.pks.at(at) === window.pks.at(at));
  const end = window.offset + window.got;
  // A new start is sound, but costs a second walk. The first window read again is none.
  const isRestart = state.offset > 0 && window.offset === 0;
  const isFurther = end > state.furthest || isRestart;
  return {
    recent: [...recent, window].slice(-RECENT),
    state: {
      ...state,
      windows: state.windows + 1,
      offset: window.offset,
      end,
      furthest: isFurther ? end : state.furthest,
      // After a false end, or with smaller pages than before, windows that lead further each time read known records again.
      idle: isFurther ? 0 : state.idle + Number(end <= state.end),
      reach: Math.max(state.reach, end),
      // Windows of a repair, or after a restart, read known records again.
      barren: isBarren ? state.barren + Number(end > state.reach) : 0,
      restarts: state.restarts + Number(isRestart),
      back: 0,
      pageSize: Math.max(state.pageSize, window.got),
      overlap: halve ? Math.max(least, Math.floor(overlap / 2)) : overlap,
      good: halve ? 0 : good,
      direction,
      lowest: window.pks.reduce((least, pk) => Math.min(least, pk), state.lowest || Infinity),
      highest: window.pks.reduce((most, pk) => Math.max(most, pk), state.highest),
      records: state.records + window.got,
      bad: state.bad + bad,
      count: count ?? state.count,
      duplicates: state.duplicates + (reread ?? 0),
      repaired: state.repaired + Number(window.kind === "repair"),
      shifted: state.shifted || moved.length > 0,
      repeats: isRepeat ? state.repeats + 1 : 0,
      ended: window.isLast,
      single: state.windows === 0 ? window.isLast : state.single && !isFurther,
      saysEnd: window.isLast,
      unstable: state.unstable ?? (isMoved ? MOVED : null),
    },
  };
}
