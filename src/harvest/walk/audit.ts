/**
 * The order audit of harvest.md §5.5: old windows read again, to see whether the order they were read in still holds.
 *
 * Keys in strict order on every window prove the order, as long as it is that of the keys. Whether it is cannot be
 * seen when a row moves and another vanishes between the same two requests; so where anything changed, what a walk may
 * cost (§2) is spent on looking again.
 */
import { filterName, type Filter, type Window } from "../../contract/window.ts";
import { keepPage, type HarvestContext } from "../context.ts";
import type { ChainState } from "./chain.ts";
import { MOVED } from "./evidence.ts";
import { directionOf, sameOrder, type Places } from "./order.ts";
import { placesOf } from "./walk.ts";

const REREADS = 8;
const LEAST_REREADS = 3;
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
  const rereads = rereadsFor(chain, last, context.concurrency);
  const reason =
    doubt(chain) ?? (rereads > 0 ? await reread(filter, chain, context, rereads) : null);
  const audited = { ...chain, unstable: reason, audited: true };
  context.store.saveState(filterName(filter), audited);
  return audited;
}

/** How many old windows to read again: none where nothing happened and every window is in the order of its keys. */
function rereadsFor(chain: ChainState, last: Window | undefined, concurrency: number): number {
  const { direction, pushed, shifted, windows, end, pageSize } = chain;
  if (windows <= 1 || direction === "unknown") return 0;
  // Requests asked for ahead of the end were spent as well.
  const spare = affordable(end, pageSize) - windows - (concurrency - 1);
  const within = Math.min(REREADS, windows, Math.max(0, spare));
  const tail = last?.pks.at(-1);
  // A list that ends before a quote that was read has lost that one since, or it moved.
  const suspicious =
    direction === "none" ||
    (direction === "ascending" && (pushed > 0 || tail !== chain.highest)) ||
    (direction === "descending" && tail !== chain.lowest);
  if (!suspicious) return shifted ? within : 0;
  return windows <= REREADS ? windows : Math.max(LEAST_REREADS, within);
}

/**
 * In an order that is not that of the keys, a quote that is new and one that moved look alike: where anything came or
 * went, only slices are proof.
 */
function doubt({ direction, shifted }: ChainState): string | null {
  return direction === "none" && shifted
    ? "quotes came, went or moved, in an order that is not that of their keys"
    : null;
}

async function reread(
  filter: Filter,
  chain: ChainState,
  context: HarvestContext,
  rereads: number,
): Promise<string | null> {
  context.report({ kind: "phase", phase: "audit" });
  const places = chain.direction === "none" ? placesOf(filter, context) : null;
  const windows = [...context.store.windows(filterName(filter))];
  const choice = new Choice(windows, rereads, chain.pushed > 0, context.random);
  for (let window = choice.next(); window !== null; window = choice.next()) {
    const page = await context.get(filter, window.offset, context.pageSize);
    const again = keepPage(context, page, filter, "audit");
    if (contradicts(window, again, chain, places)) return MOVED;
    choice.learn(window, again);
  }
  return null;
}

function contradicts(
  before: Window,
  again: Window,
  { direction }: ChainState,
  places: Places | null,
): boolean {
  if (places === null) return !["unknown", direction].includes(directionOf(again.pks));
  const newcomer = again.pks.some((pk) => !places.has(pk));
  return newcomer || !sameOrder(before.pks, again.pks) || !places.agrees(again.pks);
}

/**
 * Which windows to read again. Where something came in before what was read, halving finds the place; the rest are
 * drawn at random.
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
    if (this.#low > this.#high || this.#done.has(at)) at = this.#drawn();
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
