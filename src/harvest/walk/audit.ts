/**
 * The order audit: whether a chain of windows proves anything (harvest.md §5.5).
 *
 * It asks for more than §5.5 does. In an order that is not that of the keys, a quote that moves back over what was read
 * while another vanishes leaves no trace in any overlap, and eight windows read again find it only by luck: such a list
 * is never called complete for its walk, only for its slices. Keys in strict order over all windows are proof enough,
 * once there are so many of them that it is no coincidence; where the order of likes would look the same, or anything
 * is odd, what a walk may cost (§2) is spent on looking again.
 */
import { filterName, type Filter, type Window } from "../../contract/window.ts";
import { keepPage, type HarvestContext } from "../context.ts";
import type { ChainState } from "./chain.ts";
import { MOVED } from "./evidence.ts";
import { directionOf, isByKey, type Direction } from "./order.ts";

const REREADS = 8;
const LEAST_REREADS = 3;
/** Fewer keys than this stand in order by chance often enough to matter: once in 12! it does not. */
const TELLING_KEYS = 12;
/** Neighbours with more likes and with fewer, of which there must be so many: a list by likes has one kind alone. */
const TELLING_LIKES = 3;
/** Requests that a walk of so many records may cost in all where the order is good (§2). */
const affordable = (records: number, pageSize: number): number =>
  Math.floor(1.05 * Math.ceil(records / Math.max(1, pageSize))) + 5;

/** Judges a chain that has ended; afterwards `unstable` says whether it may be relied on. */
export async function audit(
  filter: Filter,
  chain: ChainState,
  context: HarvestContext,
): Promise<ChainState> {
  if (chain["audited"] === true || chain.unstable !== null) return chain;
  const [last] = context.store.lastWindows(filterName(filter), 1);
  const reason = doubt(chain) ?? (await reread(filter, chain, last, context));
  const audited = { ...chain, unstable: reason, audited: true };
  context.store.saveState(filterName(filter), audited);
  return audited;
}

/** What no looking again would settle. */
function doubt({ direction, windows, records, duplicates }: ChainState): string | null {
  // One request is one moment.
  if (windows <= 1 || records === 0) return null;
  if (!isByKey(direction)) return "the order of the list is not that of the keys";
  return records - duplicates < TELLING_KEYS ? "so few quotes do not show their order" : null;
}

/** How many old windows to read again: none where nothing happened and the order is surely that of the keys. */
function rereadsFor(chain: ChainState, last: Window | undefined, concurrency: number): number {
  const { direction, pushed, shifted, windows, end, pageSize, rises, falls } = chain;
  if (windows <= 1) return 0;
  // Requests asked for ahead of the end were spent as well.
  const spare = affordable(end, pageSize) - windows - (concurrency - 1);
  const within = Math.min(REREADS, windows, Math.max(0, spare));
  const tail = last?.pks.at(-1);
  // A list that ends before a quote that was read has lost that one since, or it moved.
  const odd =
    direction === "ascending" ? pushed > 0 || tail !== chain.highest : tail !== chain.lowest;
  if (odd) return windows <= REREADS ? windows : Math.max(LEAST_REREADS, within);
  return shifted || Math.min(rises, falls) < TELLING_LIKES ? within : 0;
}

async function reread(
  filter: Filter,
  chain: ChainState,
  last: Window | undefined,
  context: HarvestContext,
): Promise<string | null> {
  const rereads = rereadsFor(chain, last, context.concurrency);
  if (rereads === 0) return null;
  context.report({ kind: "phase", phase: "audit" });
  const windows = [...context.store.windows(filterName(filter))];
  const choice = new Choice(windows, rereads, chain.pushed > 0, context.random);
  for (let window = choice.next(); window !== null; window = choice.next()) {
    const page = await context.get(filter, window.offset, context.pageSize);
    const again = keepPage(context, page, filter, "audit");
    if (contradicts(window, again, chain.direction)) return MOVED;
    choice.learn(window, again);
  }
  return null;
}

/** Out of order, or a quote among those of before that was not there then: keys are given out in their order. */
function contradicts(before: Window, again: Window, direction: Direction): boolean {
  if (!["unknown", direction].includes(directionOf(again.pks))) return true;
  const known = new Set(before.pks);
  const [first = 0, last = 0] = [before.pks[0], before.pks.at(-1)];
  const [least, most] = [Math.min(first, last), Math.max(first, last)];
  return again.pks.some((pk) => pk > least && pk < most && !known.has(pk));
}

/**
 * Which windows to read again. Where something came in before what was read, halving finds the place; the rest are
 * drawn at random, but for the first.
 */
class Choice {
  readonly #windows: readonly Window[];
  readonly #random: () => number;
  readonly #done = new Set<number>();
  #left: number;
  #low = 0;
  #high: number;

  /** @param halving whether something came in before what was read */
  constructor(windows: readonly Window[], rereads: number, halving: boolean, random: () => number) {
    this.#windows = windows;
    this.#random = random;
    this.#left = rereads;
    this.#high = halving ? windows.length - 1 : -1;
  }

  next(): Window | null {
    if (this.#left-- <= 0) return null;
    let at = (this.#low + this.#high) >> 1;
    // What is voted up among equals goes to the very front.
    if (this.#high < 0 && this.#done.size === 0) at = 0;
    else if (this.#low > this.#high || this.#done.has(at)) at = this.#drawn();
    this.#done.add(at);
    return this.#windows[at] ?? null;
  }

  /** What was pushed on, was pushed by something at or before this window. */
  learn(before: Window, again: Window): void {
    if (this.#low > this.#high) return;
    const at = this.#windows.indexOf(before);
    const place = new Map(again.pks.map((pk, index) => [pk, again.offset + index]));
    const pushed = before.pks.some((pk, index) => (place.get(pk) ?? -1) > before.offset + index);
    if (pushed) this.#high = at - 1;
    else this.#low = at + 1;
  }

  #drawn(): number {
    const left = this.#windows.map((_, index) => index).filter((index) => !this.#done.has(index));
    return left[Math.floor(this.#random() * left.length)] ?? 0;
  }
}
