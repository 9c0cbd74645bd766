/**
 * The order audit (docs/walk.md, section 4): whether a chain of windows proves anything.
 *
 * In an order that is not that of the keys, a quote that moves back over what was read while another vanishes leaves no
 * trace in any overlap: such a list is never called complete for its walk, only for its slices. Keys in strict order over
 * all windows are proof enough, once there are so many of them that it is no coincidence; where quotes have changed places
 * meanwhile, a few more windows are read again. One question by length finds what no offset shows: a service that ends
 * every list at some offset.
 */
import { filterName, type Filter } from "../../contract/window.ts";
import { keepPage, windowOf, type HarvestContext } from "../context.ts";
import { orNull } from "../optional.ts";
import { Pages, sizeOf } from "../pages.ts";
import type { ChainState } from "./chain.ts";
import { directionOf, isByKey, MOVED, type Direction } from "./order.ts";

/** Windows to read again: where nothing changed, and where something did. */
const REREADS = { calm: 1, odd: 4 };
/** Fewer keys than this are in order by chance often enough to matter: once in 12! it does not. */
const TELLING_KEYS = 12;

/** Judges a chain whose end is confirmed; afterwards `unstable` says whether it may be relied on. */
export async function audit(
  filter: Filter,
  chain: ChainState,
  context: HarvestContext,
): Promise<ChainState> {
  if (chain.audited || chain.unstable !== null) return chain;
  const isKnown = context.byKey === true && isByKey(chain.direction);
  const audited = new Audit(filter, chain, context);
  const unstable = isKnown ? null : (doubt(chain) ?? (await audited.run()));
  return audited.update({ unstable, audited: true });
}

/** What no looking again would settle. */
function doubt({ direction, single, records, duplicates }: ChainState): string | null {
  // One request was one moment, and two answers agree on it.
  if (single) return null;
  if (!isByKey(direction)) return "the order of the list is not that of the keys";
  return records - duplicates < TELLING_KEYS ? "so few quotes do not show their order" : null;
}

class Audit {
  readonly #filter: Filter;
  readonly #name: string;
  readonly #context: HarvestContext;
  readonly #pages: Pages;
  #chain: ChainState;

  constructor(filter: Filter, chain: ChainState, context: HarvestContext) {
    this.#filter = filter;
    this.#name = filterName(filter);
    this.#context = context;
    this.#pages = new Pages(filter, context);
    this.#chain = chain;
  }

  /** Changes the state and puts it on the disk. */
  update(change: Partial<ChainState>): ChainState {
    this.#chain = { ...this.#chain, ...change };
    this.#context.store.saveState(this.#name, this.#chain);
    return this.#chain;
  }

  /** Why the chain proves nothing; null where it does. */
  async run(): Promise<string | null> {
    this.#context.report({ kind: "phase", phase: "audit" });
    if (this.#chain.single) return null;
    if (this.#chain.looks === 0) await this.#askByLength();
    const [last] = this.#context.store.lastWindows(this.#name, 1);
    const { direction, highest, lowest, shifted, windows } = this.#chain;
    // A list that ends before a quote that was read has lost that one since, or it moved.
    const ends = last?.pks.at(-1) === (direction === "ascending" ? highest : lowest);
    const rereads = Math.min(windows, shifted || !ends ? REREADS.odd : REREADS.calm);
    for (let look = this.#chain.looks; look < rereads; look++) {
      if (await this.#hasMoved(look)) return MOVED;
      this.update({ looks: look + 1 });
    }
    const { length } = this.#chain.unexplained;
    return length === 0 ? null : `${length} quotes came back by length that the list does not show`;
  }

  /** Reads the longest quotes by a filter: all of them must be known, or be new. */
  async #askByLength(): Promise<void> {
    const { store, get, pageSize } = this.#context;
    if (this.#filter.minLength !== null || this.#filter.maxLength !== null) return;
    let held = 0;
    const longest = store
      .lengths(this.#filter)
      .findLast(({ quotes }) => (held += quotes) >= this.#chain.pageSize / 2);
    if (longest === undefined) return;
    const filter = { ...this.#filter, minLength: longest.length };
    const page = await orNull(get(filter, 0, pageSize, "once"));
    // The service does not filter by length: there is no other way to ask.
    if (page === null) return;
    const { pks } = windowOf(page, filter, "probe", 0);
    this.update({ unexplained: store.unmet(this.#name, pks) });
  }

  /** Whether a window that is read again contradicts itself: the beginning of the list first, then any. */
  async #hasMoved(look: number): Promise<boolean> {
    const { store, random } = this.#context;
    const { direction, unexplained, windows } = this.#chain;
    // Where the newest quotes are: a question by length may have brought some that came in meanwhile.
    const atEnd = look === 0 && direction === "ascending" && unexplained.length > 0;
    const first = atEnd ? windows - 1 : 0;
    const before = store.windowAt(this.#name, look === 0 ? first : Math.floor(random() * windows));
    if (before === undefined) return false;
    const page = await this.#pages.at(before.offset + (atEnd ? before.got >> 1 : 0));
    const again = windowOf(page, this.#filter, "audit", 0).pks;
    if (sizeOf(page) === 0 || contradicts(before.pks, again, direction)) return true;
    keepPage(this.#context, page, this.#filter, "audit");
    this.update({ unexplained: unexplained.filter((pk) => !again.includes(pk)) });
    return false;
  }
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
