/** Finds the order of a list from the keys of served pages (docs/walk.md, section 4), as pure functions. */
import type { Window } from "../../contract/window.ts";

/** Why the keys of a walk are not a proof. */
export const MOVED = "quotes changed places while they were read";
export const UNORDERED = "the order of the list is not that of the keys";
export const TOO_FEW = "so few quotes do not show their order";

export type Direction = "unknown" | "ascending" | "descending" | "none";

export function directionOf(pks: readonly number[]): Direction {
  const [first, second] = pks;
  if (first === undefined || second === undefined) return "unknown";
  const up = second > first;
  const isOdd = pks.some(
    (pk, at) => at > 0 && (up ? pk <= (pks[at - 1] ?? 0) : pk >= (pks[at - 1] ?? 0)),
  );
  if (isOdd) return "none";
  return up ? "ascending" : "descending";
}

export function isByKey(direction: Direction): boolean {
  return direction === "ascending" || direction === "descending";
}

export function combineDirections(a: Direction, b: Direction): Direction {
  if (a === "unknown") return b;
  return b === "unknown" || a === b ? a : "none";
}

/** Whether the keys that two lists share are in the same order in both. */
export function sameOrder(a: readonly number[], b: readonly number[]): boolean {
  const places = new Map(a.map((pk, place) => [pk, place]));
  const shared = [...new Set(b)].flatMap((pk) => places.get(pk) ?? []);
  return shared.every((place, at) => at === 0 || place > (shared[at - 1] ?? 0));
}

/** Whether the rows that two windows share are at other offsets in one than in the other. */
export function haveShifted(a: Window, b: Window): boolean {
  const offsets = new Map(a.pks.map((pk, place) => [pk, a.offset + place]));
  return b.pks.some((pk, place) => {
    const offset = b.offset + place;
    return (offsets.get(pk) ?? offset) !== offset;
  });
}

/** Counts the keys that a window shares with the latest window that shares any: after a repair, that is an older one. */
export function countReread(recent: readonly Window[], window: Window): number {
  const now = new Set(window.pks);
  const shared = recent.toReversed().map(({ pks }) => pks.filter((pk) => now.has(pk)).length);
  return shared.find((quotes) => quotes > 0) ?? 0;
}

export function isRepeat(before: Window | undefined, window: Window): boolean {
  return (
    before !== undefined &&
    before.offset !== window.offset &&
    before.got === window.got &&
    before.pks[0] === window.pks[0] &&
    before.pks.at(-1) === window.pks.at(-1)
  );
}
