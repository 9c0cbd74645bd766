/** What a window tells about those read before it: quotes that moved, were pushed on, or came again as they were. */
import type { Window } from "../../contract/window.ts";
import { sameOrder, type Direction } from "./order.ts";

export const MOVED = "quotes changed places while they were read";

/** Keys in their own order contradict nothing; else each re-read pair must stand as before (docs/walk.md, section 4). */
export function contradiction(
  direction: Direction,
  recent: readonly Window[],
  window: Window,
): string | null {
  if (direction !== "none") return null;
  return recent.every(({ pks }) => sameOrder(pks, window.pks)) ? null : MOVED;
}

export interface Reread {
  readonly quotes: number;
  /** Places by which the last of them moved on since; negative when it moved towards the start. */
  readonly shift: number;
}

/** What became of the quotes that the last windows held too. */
export function rereadBy(recent: readonly Window[], window: Window): Reread {
  const placeNow = new Map(window.pks.map((pk, at) => [pk, window.offset + at]));
  for (const before of recent.toReversed()) {
    let quotes = 0;
    let shift = 0;
    for (const [at, pk] of before.pks.entries()) {
      const now = placeNow.get(pk);
      if (now === undefined) continue;
      quotes++;
      shift = now - (before.offset + at);
    }
    // Windows before the last one matter only where a link had to be mended.
    if (quotes > 0) return { quotes, shift };
  }
  return { quotes: 0, shift: 0 };
}

/** Windows served in the wrong order look pushed at one link and drawn back by as much at the next. */
export function pushedBy(before: number, shift: number, inOrder: boolean): number {
  if (inOrder) return before + Math.max(0, shift);
  return Math.max(0, before + shift);
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

/** How often a quote has more likes than the one before it, and how often fewer: never both in a list by likes. */
export function trendOf(likes: readonly number[]): {
  readonly rises: number;
  readonly falls: number;
} {
  let rises = 0;
  let falls = 0;
  for (let at = 1; at < likes.length; at++) {
    const step = (likes[at] ?? 0) - (likes[at - 1] ?? 0);
    if (step > 0) rises++;
    if (step < 0) falls++;
  }
  return { rises, falls };
}
