/**
 * Reads windows with unreadable records again, before too many of them fail a walk of many runs (docs/walk.md, section 7): the
 * service may have had a bad night.
 */
import { filterName } from "../../contract/window.ts";
import { keysOf, windowOf } from "../context.ts";
import type { Pages } from "../pages.ts";
import { keeps } from "../selection.ts";
import type { ChainState } from "./chain.ts";
import { areTooManyBad } from "./guards.ts";

export async function rereadUnreadable(pages: Pages, chain: ChainState): Promise<ChainState> {
  const { context, filter } = pages;
  const { store, selection, limits } = context;
  const name = filterName(filter);
  let state = chain;
  const areTooMany = areTooManyBad(state.furthest, state.bad, limits.maxUnreadable);
  if (!areTooMany || !store.isResumed(name)) return state;
  for (const window of store.unreadableWindows(name)) {
    const page = await pages.readUnchecked(window.offset, 0);
    // Rows may have moved: the page must hold the keys that the window had.
    const known = new Set(page === null ? [] : keysOf(page));
    const isSame = window.pks.filter((pk) => known.has(pk)).length * 2 > window.pks.length;
    if (page === null || !isSame) continue;
    const end = window.offset + window.got;
    const bad = store.forgetUnreadable(name, window.offset, end);
    const left = page.quarantined.filter(({ index }) => window.offset + index < end).length;
    state = { ...state, bad: Math.max(0, state.bad - bad + left) };
    const quotes = page.quotes.filter(keeps(selection));
    const { quarantined } = page;
    store.save({ window: windowOf(page, filter, "audit"), quotes, quarantined });
    store.saveState(name, state);
  }
  return state;
}
