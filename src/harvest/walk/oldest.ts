/**
 * Reads the oldest window of a walk of several runs again (docs/walk.md, section 4): meanwhile the keys may have been given to
 * other quotes, as after a restore of the service's database. Then the windows so far belong to another collection.
 */
import type { ServedPage, Window } from "../../contract/window.ts";
import { areTooManyChanged } from "../changes.ts";
import { keysOf, type HarvestContext } from "../context.ts";
import type { Pages } from "../pages.ts";
import { contradicts } from "./audit.ts";
import { isByKey, type ChainState } from "./chain.ts";

/** Requests that a run must have left: of three, none is spared. */
const LEAST_LEFT = 5;

/** The oldest window contradicts what the service sends now: all lists are read anew. */
export class WindowsOutdated extends Error {}

/**
 * @param mustCheck whether another page showed that quotes have changed
 * @throws {WindowsOutdated} when two answers contradict the window
 */
export async function checkOldest(
  pages: Pages,
  { direction, unstable }: ChainState,
  name: string,
  mustCheck: boolean,
): Promise<void> {
  const { context } = pages;
  const { store, requestsLeft } = context;
  const before = store.windowAt(name, 0);
  const isAffordable = mustCheck || (requestsLeft?.() ?? 0) >= LEAST_LEFT;
  if (before === undefined || before.got < 2 || !isAffordable || !store.isResumed(name)) return;
  const isOutdated = (page: ServedPage | null): boolean => {
    const keys = page === null ? [] : keysOf(page);
    if (page === null || keys.length === 0) return false;
    const areMoved =
      isByKey(direction) &&
      unstable === null &&
      (contradicts(before.pks, keys, direction) || areGone(before, keys, direction));
    return areMoved || haveOtherTexts(page, context);
  };
  if (!isOutdated(await pages.readUnchecked(before.offset, 0))) return;
  if (isOutdated(await pages.readUnchecked(before.offset, 1))) throw new WindowsOutdated(name);
}

/** Whether less than half of the first keys are left of a list in ascending order, in which new quotes are last. */
function areGone(before: Window, keys: readonly number[], direction: string): boolean {
  const now = new Set(keys);
  const left = before.pks.filter((pk) => now.has(pk)).length;
  return direction === "ascending" && left * 2 < Math.min(before.pks.length, keys.length);
}

function haveOtherTexts({ quotes }: ServedPage, { store }: HarvestContext): boolean {
  const now = new Map(quotes.map(({ id, text }) => [id, text]));
  const stored = store.quotesOf([...now.keys()]);
  const changed = stored.filter(({ id, text }) => now.get(id) !== text).length;
  return areTooManyChanged(changed, stored.length);
}
