/**
 * Reads a list whose pages hold one quote (docs/walk.md, section 4): such windows cannot overlap, so the list is read a
 * second time. In key order two equal readings are a proof: where a quote was passed over, one before it was deleted, and
 * the second reading lacks that one.
 */
import { filterName } from "../../contract/window.ts";
import { countRecords, keysOf, savePage } from "../context.ts";
import { isTooDeep, type Pages } from "../pages.ts";
import { orNull } from "../optional.ts";
import { directionOf, ENOUGH_KEYS, isByKey, SINGLE, type ChainState } from "./chain.ts";
import { walkToEnd } from "./end.ts";

/** Progress of the second reading; stored with the run. */
interface Second {
  readonly read: number;
  readonly differs: boolean;
}

/** @param walked the chain of the first reading */
export async function readSingly(pages: Pages, walked: ChainState) {
  const { context, filter } = pages;
  const { store } = context;
  const chain = await walkToEnd(pages, null, true);
  const name = `second ${filterName(filter)}`;
  let second: Second = store.state<Second>(name) ?? { read: 0, differs: false };
  const keys = [...new Set(store.keysOfChain(filterName(filter)))];
  const isOrdered = keys.length >= ENOUGH_KEYS && isByKey(directionOf(keys));
  const canProve = isOrdered && !chain.cut && walked.unstable === SINGLE;
  while (canProve && !second.differs && second.read < chain.windows) {
    const before = store.windowAt(filterName(filter), second.read);
    const page = await orNull(pages.request(before?.offset ?? 0), isTooDeep);
    const isSame =
      page !== null && countRecords(page) === before?.got && keysOf(page)[0] === before.pks[0];
    if (page !== null) savePage(context, page, filter, "audit");
    second = { read: second.read + 1, differs: !isSame };
    store.saveState(name, second);
  }
  const isProved = canProve && !second.differs;
  const proved = { ...chain, unstable: null, direction: directionOf(keys) };
  return { chain: isProved ? proved : chain, sliced: null };
}
