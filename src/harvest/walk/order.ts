/** What the keys of served pages say about the order of the collection (docs/walk.md, section 4), as pure functions. */
import type { Window } from "../../contract/window.ts";

export const MOVED = "quotes changed places while they were read";

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

/** Whether keys are in their own order, or the reverse of it. */
export function isByKey(direction: Direction): boolean {
  return direction === "ascending" || direction === "descending";
}

export function combine(a: Direction, b: Direction): Direction {
  if (a === "unknown") return b;
  return b === "unknown" || a === b ? a : "none";
}

/** Whether the keys that both lists hold are in the same order in both. */
export function sameOrder(a: readonly number[], b: readonly number[]): boolean {
  const places = new Map(a.map((pk, place) => [pk, place]));
  const shared = [...new Set(b)].flatMap((pk) => places.get(pk) ?? []);
  return shared.every((place, at) => at === 0 || place > (shared[at - 1] ?? 0));
}

export interface Reread {
  readonly quotes: number;
  /** Whether the last of them was at another place then. */
  readonly isShifted: boolean;
}

/** What became of the quotes that the last windows held too: those before the last one matter where a link was mended. */
export function rereadBy(recent: readonly Window[], window: Window): Reread {
  const placeNow = new Map(window.pks.map((pk, at) => [pk, window.offset + at]));
  for (const { offset, pks } of recent.toReversed()) {
    const shared = [...pks.entries()].filter(([, pk]) => placeNow.has(pk));
    const last = shared.at(-1);
    if (last === undefined) continue;
    return { quotes: shared.length, isShifted: placeNow.get(last[1]) !== offset + last[0] };
  }
  return { quotes: 0, isShifted: false };
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
