/**
 * The order audit (docs/walk.md, section 4): decides whether a chain of windows is a proof. A chain in another order than
 * that of the keys is not: a quote that moves back while another vanishes leaves no trace. Keys in strict order over all
 * windows are a proof, if there are too many for a coincidence. The audit reads the first window again: in some lists votes
 * and changes move quotes to the front, and until then they may look as if ordered by key. One request by length detects a
 * service that ends every list at some offset.
 */
import { counted } from "../../util/text.ts";
import { filterName, isSlice, type Filter } from "../../contract/window.ts";
import { countRecords, keysOf, savePage, type HarvestContext } from "../context.ts";
import { haveReturned } from "../evidence.ts";
import { orNull } from "../optional.ts";
import { countMissing, isWhole } from "../answers.ts";
import { isTooDeep, type Pages } from "../pages.ts";
import { heedsLength } from "../slices/lengths.ts";
import {
  directionOf,
  ENOUGH_KEYS,
  isByKey,
  MOVED,
  TOO_FEW,
  UNORDERED,
  type ChainState,
  type Direction,
} from "./chain.ts";

/** Audits a chain whose end is confirmed; then `unstable` is the reason why it is not a proof, or null. */
export async function audit(pages: Pages, chain: ChainState): Promise<ChainState> {
  if (chain.audited || chain.unstable !== null) return chain;
  const { filter, context } = pages;
  const isKnown = context.byKey === true && isByKey(chain.direction);
  const ascends = chain.direction === "ascending";
  const hidden = ascends ? findHidden(pages, chain.end, chain.vacant) : null;
  // Where one request brought the whole list, two answers agree.
  const unstable = hidden ?? (isKnown || chain.single ? null : await findDoubt(pages, chain));
  const audited = { ...chain, unstable, audited: true };
  context.store.saveState(filterName(filter), audited);
  return audited;
}

/**
 * Compares the length of a list in key order with the keys that its pages showed: in a longer list, some page lacked a quote.
 *
 * @param end length of the list
 * @param more rows without a key, and quotes that came in at the front during the walk; in ascending order new quotes are last
 */
function findHidden({ filter, context }: Pages, end: number, more: number): string | null {
  const seen = context.store.countSeen(filterName(filter)) + more;
  return seen < end ? `the list has ${end} rows, and its pages showed ${seen} quotes` : null;
}

/** The present length of a list, by one request for rows after those that were seen. */
async function readLength(pages: Pages, more: number): Promise<number> {
  const seen = pages.context.store.countSeen(filterName(pages.filter)) + more;
  const past = await orNull(pages.request(seen), isTooDeep);
  return seen + (past === null ? 0 : countRecords(past));
}

/** Returns why the keys are not a proof, after reading some windows again; null when they are one. */
async function findDoubt(pages: Pages, chain: ChainState): Promise<string | null> {
  const { filter, context, hasRead } = pages;
  const { store, report } = context;
  const { direction, windows, lowest, highest } = chain;
  if (!isByKey(direction)) return UNORDERED;
  if (chain.records - chain.duplicates < ENOUGH_KEYS) return TOO_FEW;
  const ascends = direction === "ascending";
  const name = filterName(filter);
  report({ kind: "phase", phase: "audit" });
  let unexplained = chain.unexplained ?? (await probeByLength(filter, chain, context));
  store.saveState(name, { ...chain, unexplained });
  // The request by length may have returned new quotes, which are in the last window.
  const atEnd = ascends && unexplained.length > 0;
  for (const place of atEnd ? [0, windows - 1] : [0]) {
    const before = store.windowAt(name, place);
    if (before === undefined) continue;
    const offset = before.offset + (place === 0 ? 0 : before.got >> 1);
    const page = await pages.read(offset);
    const pks = keysOf(page);
    if (countRecords(page) === 0 || contradicts(before.pks, pks, direction)) return MOVED;
    // A first window that holds the last key of the list may have been the answer to another request.
    const last = ascends ? highest : lowest;
    if (place === 0 && before.pks.includes(last) && !pks.includes(last)) return MOVED;
    const added = ascends ? 0 : store.findUnseen(name, pks).length;
    // A page of new quotes alone does not show how many came in.
    if (!ascends && added < pks.length) {
      // Quotes may have come in since an earlier run read the end.
      const isOld = added > 0 && !hasRead;
      const more = added + chain.vacant;
      const end = isOld ? await readLength(pages, more) : chain.end;
      const hidden = findHidden(pages, end, more);
      if (hidden !== null) return hidden;
    }
    savePage(context, page, filter, "audit");
    unexplained = unexplained.filter((pk) => !pks.includes(pk));
  }
  const { length } = unexplained;
  return length === 0
    ? null
    : `${counted(length, "quote")} came back by length that the list does not show`;
}

/** Requests the longest quotes of a list by length, and returns the keys that the walk did not see. */
async function probeByLength(
  filter: Filter,
  chain: ChainState,
  { store, get, pageSize }: HarvestContext,
): Promise<readonly number[]> {
  if (isSlice(filter)) return [];
  // The rest of the page is room for those that the list hides.
  const most = Math.max(1, Math.ceil((chain.pageSize * 2) / 3));
  const minLength = store.lengthAt(filter, most - 1);
  if (minLength === undefined) return [];
  const bounds = { ...filter, minLength };
  const known = store.findKnown(bounds);
  for (let asked = 0; asked < 2; asked++) {
    // By likes, hidden quotes are among the known ones: an answer that was cut lacks some of both.
    const page = await orNull(get({ ...bounds, mostLiked: asked === 0 }, 0, pageSize, "once"));
    if (page === null) continue;
    const unseen = store.findUnseen(filterName(filter), keysOf(page));
    if (unseen.length > 0) return unseen;
    const missing = countMissing(page, known);
    // Quotes may vanish; but an answer that lacks one may have been cut.
    const control = missing === 0 || (asked > 0 && haveReturned(known.length, missing));
    if (isWhole(page) && control && heedsLength(page, bounds)) return unseen;
  }
  // The service does not filter by length: no such check is possible.
  return [];
}

/** Whether keys read again are out of order, or include an unknown key between known ones: new keys are never smaller. */
export function contradicts(
  before: readonly number[],
  again: readonly number[],
  direction: Direction,
): boolean {
  if (!["unknown", direction].includes(directionOf(again))) return true;
  const known = new Set(before);
  const ends = [before[0] ?? 0, before.at(-1) ?? 0];
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  return again.some((pk) => pk > least && pk < most && !known.has(pk));
}
