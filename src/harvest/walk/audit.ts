/**
 * The order audit (docs/walk.md, section 4): whether a chain of windows proves anything.
 *
 * In an order that is not that of the keys, a quote that moves back over what was read while another vanishes leaves no
 * trace in any overlap, and a few windows read again find it only by luck: such a list is never called complete for its
 * walk, only for its slices. Keys in strict order over all windows are proof enough, once there are so many of them that
 * it is no coincidence; where the order of likes would look the same, or anything is odd, a few more windows are read
 * again. One question by length finds what no offset shows: a service that ends every list at some offset.
 */
import { filterName, type Filter, type Window } from "../../contract/window.ts";
import { keepPage, windowOf, type HarvestContext } from "../context.ts";
import { isRefused } from "../optional.ts";
import { Pages, sizeOf } from "../pages.ts";
import type { ChainState } from "./chain.ts";
import { directionOf, isByKey, type Direction } from "./order.ts";
import { MOVED } from "./reread.ts";

const MOST_REREADS = 8;
const REREADS = { calm: 1, odd: 2 };
/** Fewer keys than this stand in order by chance often enough to matter: once in 12! it does not. */
const TELLING_KEYS = 12;
/** Neighbours with more likes and with fewer, of which there must be so many: a list by likes has one kind alone. */
const TELLING_LIKES = 3;
/** Requests that a walk of so many records may cost in all where the order is good. */
const affordable = (records: number, pageSize: number): number =>
  Math.floor(1.05 * Math.ceil(records / Math.max(1, pageSize))) + 5;

/** Judges a chain whose end is confirmed; afterwards `unstable` says whether it may be relied on. */
export async function audit(
  filter: Filter,
  chain: ChainState,
  context: HarvestContext,
): Promise<ChainState> {
  if (chain.audited || chain.unstable !== null) return chain;
  const known = context.byKey === true && isByKey(chain.direction);
  const rereading = new Audit(filter, chain, context);
  const unstable = known ? null : (doubt(chain) ?? (await rereading.run()));
  const audited = { ...rereading.chain, unstable, audited: true };
  context.store.saveState(filterName(filter), audited);
  return audited;
}

/** What no looking again would settle. */
function doubt({ direction, single, records, duplicates }: ChainState): string | null {
  // One request was one moment, and two answers agree on it.
  if (single) return null;
  if (!isByKey(direction)) return "the order of the list is not that of the keys";
  return records - duplicates < TELLING_KEYS ? "so few quotes do not show their order" : null;
}

/**
 * How many windows to read again besides the last page: one where that may be spent. What is voted on or changed goes
 * to the front of a list in that order, what is written anew to the end of a table without one; until then either looks
 * like the order of keys.
 */
function rereadsFor(chain: ChainState, last: Window | undefined, concurrency: number): number {
  const { direction, pushed, shifted, windows, end, pageSize, rises, falls } = chain;
  if (chain.single || !isByKey(direction)) return 0;
  // Requests asked for ahead of the end were spent as well.
  const spare = affordable(end, pageSize) - windows - (concurrency - 1);
  const within = Math.min(MOST_REREADS, windows, spare);
  const tail = last?.pks.at(-1);
  // A list that ends before a quote that was read has lost that one since, or it moved.
  const odd =
    direction === "ascending" ? pushed > 0 || tail !== chain.highest : tail !== chain.lowest;
  if (odd) return Math.max(REREADS.odd, within - 1);
  const surely = !shifted && Math.min(rises, falls) >= TELLING_LIKES;
  return surely ? Math.min(REREADS.calm, Math.max(0, within)) : Math.max(0, within - 1);
}

class Audit {
  readonly #filter: Filter;
  readonly #context: HarvestContext;
  readonly #pages: Pages;
  readonly #done = new Set<number>();
  #chain: ChainState;

  constructor(filter: Filter, chain: ChainState, context: HarvestContext) {
    this.#filter = filter;
    this.#context = context;
    this.#pages = new Pages(filter, context);
    this.#chain = { ...chain, high: chain.high ?? (chain.pushed > 0 ? chain.windows - 1 : -1) };
  }

  get chain(): ChainState {
    return this.#chain;
  }

  /** Why the chain proves nothing; null where it does. */
  async run(): Promise<string | null> {
    const { store, concurrency, report } = this.#context;
    const [last] = store.lastWindows(filterName(this.#filter), 1);
    report({ kind: "phase", phase: "audit" });
    if (this.#chain.looks === 0) await this.#askByLength();
    const least = this.#chain.unexplained.length > 0 ? 1 : 0;
    const rereads = Math.max(least, rereadsFor(this.#chain, last, concurrency));
    for (let look = this.#chain.looks; look < rereads; look++) {
      const reason = await this.#reread(look);
      if (reason !== null) return reason;
      this.#update({ looks: look + 1 });
    }
    return this.#chain.unexplained.length === 0
      ? null
      : `${this.#chain.unexplained.length} quotes came back by length that the list does not show`;
  }

  /** Reads the longest quotes by a filter: all of them must be known, or be new. */
  async #askByLength(): Promise<void> {
    const { store, get, pageSize, now } = this.#context;
    const { minLength, maxLength } = this.#filter;
    if (minLength !== null || maxLength !== null || this.#chain.single) return;
    let held = 0;
    const longest = store
      .lengths(this.#filter)
      .findLast(({ quotes }) => (held += quotes) >= this.#chain.pageSize / 2);
    if (longest === undefined) return;
    const filter = { ...this.#filter, minLength: longest.length };
    try {
      const page = await get(filter, 0, pageSize, "once");
      const { pks } = windowOf(page, filter, "probe", now());
      this.#update({ unexplained: store.unmet(filterName(this.#filter), pks) });
    } catch (error) {
      // The service does not filter by length: there is no other way to ask.
      if (!isRefused(error)) throw error;
    }
  }

  /** The beginning of the list; then where something came in before what was read, which halving finds; then anywhere. */
  async #reread(look: number): Promise<string | null> {
    const { store, random } = this.#context;
    const name = filterName(this.#filter);
    const { low, windows } = this.#chain;
    const high = this.#chain.high ?? -1;
    const halving = look > 0 && low <= high;
    const drawn = (): number => {
      const from = Math.floor(random() * windows);
      const places = Array.from({ length: windows }, (_, step) => (from + step) % windows);
      return places.find((place) => !this.#done.has(place)) ?? from;
    };
    // Where the newest quotes stand: a question by length may have brought some that came in meanwhile.
    const atEnd = this.#chain.direction === "ascending" && this.#chain.unexplained.length > 0;
    const first = atEnd ? windows - 1 : 0;
    const place = look === 0 ? first : halving ? (low + high) >> 1 : drawn();
    this.#done.add(place);
    const before = store.windowAt(name, place);
    if (before === undefined) return null;
    const onward = look === 0 && atEnd ? before.got >> 1 : 0;
    const page = await this.#pages.at(before.offset + onward);
    if (sizeOf(page) === 0) return MOVED;
    const again = keepPage(this.#context, page, this.#filter, "audit");
    if (contradicts(before.pks, again.pks, this.#chain.direction)) return MOVED;
    const seen = new Set(again.pks);
    this.#update({ unexplained: this.#chain.unexplained.filter((pk) => !seen.has(pk)) });
    if (halving) this.#update(isPushed(before, again) ? { high: place - 1 } : { low: place + 1 });
    return null;
  }

  #update(change: Partial<ChainState>): void {
    this.#chain = { ...this.#chain, ...change };
    this.#context.store.saveState(filterName(this.#filter), this.#chain);
  }
}

/** Whether a quote of a window stands further on than it did: something came in at or before it. */
function isPushed(before: Window, again: Window): boolean {
  const placeNow = new Map(again.pks.map((pk, index) => [pk, again.offset + index]));
  return before.pks.some((pk, index) => (placeNow.get(pk) ?? -1) > before.offset + index);
}

/** Out of order, or a quote among those of before that was not there then: keys are given out in their order. */
function contradicts(
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
