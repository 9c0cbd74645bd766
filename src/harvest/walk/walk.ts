/**
 * Walks one list from its first quote to its last (harvest.md §5.1 to 5.4): overlapping windows, each linked to what
 * is covered before it counts.
 *
 * The end is a null `next` on a linked window and nothing else: a short page is not an end.
 */
import { PermanentAnswer } from "../../contract/refused-answer.ts";
import { filterName, type Filter, type ServedPage, type Window } from "../../contract/window.ts";
import { windowOf, type HarvestContext } from "../context.ts";
import { Ahead } from "./ahead.ts";
import {
  distrusted,
  EMPTY_CHAIN,
  extend,
  isLinked,
  nextOffset,
  RECENT,
  widened,
  type Chain,
  type ChainState,
} from "./chain.ts";
import { MOVED } from "./evidence.ts";
import { guardAgainstBadRecords, guardAgainstLoops } from "./guards.ts";
import { Places } from "./order.ts";

/** Pages in a row that are empty though something is said to follow (harvest.md §5.4). */
const MOST_EMPTY_PAGES = 3;

/** What services answer that refuse to go deep; at offset 0 the same answer means something else. */
const TOO_DEEP: ReadonlySet<number> = new Set([400, 404, 416, 422]);

/**
 * Resumes or begins the walk of one filter, and goes on to its end.
 *
 * Once the order has proved unreliable no link is mended any more: what is still read tells how many quotes there are
 * and how long, which is what slices are cut by.
 *
 * @param expected quotes that are probably there; null when nothing is known
 */
export async function walk(
  filter: Filter,
  context: HarvestContext,
  expected: number | null,
): Promise<ChainState> {
  const walker = new Walker(filter, context, expected);
  try {
    return await walker.run();
  } finally {
    await walker.stop();
  }
}

class Walker {
  readonly #filter: Filter;
  readonly #context: HarvestContext;
  readonly #ahead: Ahead;
  #chain: Chain;
  #places: Places | null = null;
  #expected: number | null;

  constructor(filter: Filter, context: HarvestContext, expected: number | null) {
    this.#filter = filter;
    this.#context = context;
    this.#expected = expected;
    this.#chain = restoredChain(filter, context);
    this.#ahead = new Ahead((offset) => this.#fetch(offset), context.concurrency);
  }

  async run(): Promise<ChainState> {
    // The first request goes alone: it tells the real page size (§5.1), and whether anyone is there at all.
    let step = 0;
    while (!this.#chain.state.ended) {
      const { state } = this.#chain;
      const course = { offset: nextOffset(state), end: state.end, step, expected: this.#expected };
      try {
        await this.#take(await this.#ahead.take(course));
      } catch (error) {
        if (!this.#isTooDeep(error)) throw error;
        this.#giveUpOnDepth();
      }
      step = Math.max(1, this.#chain.state.pageSize - this.#chain.state.overlap);
    }
    return this.#chain.state;
  }

  async stop(): Promise<void> {
    await this.#ahead.drop();
  }

  async #take(page: ServedPage): Promise<void> {
    if (page.count !== null) this.#expected = page.count;
    const window = windowOf(page, this.#filter, "walk", this.#context.now());
    const hopeless = this.#chain.state.unstable !== null;
    if (hopeless || isLinked(this.#chain, window)) this.#accept(window, page);
    else await this.#repair(window, page);
    const { state } = this.#chain;
    if (state.pageSize === 1 && !state.ended) {
      this.#chain = distrusted(this.#chain, "the service sends one quote at a time");
    }
  }

  /** Reads again further and further back until the link holds, at worst from the start (§3). */
  async #repair(broken: Window, brokenPage: ServedPage): Promise<void> {
    this.#chain = widened(this.#chain);
    const { state } = this.#chain;
    const from = Math.min(broken.offset, state.end);
    for (let back = state.overlap; ; back *= 2) {
      const page = await this.#ahead.beside(Math.max(0, from - back));
      const window = windowOf(page, this.#filter, "repair", this.#context.now());
      if (!isLinked(this.#chain, window)) continue;
      const endsHere = broken.got === 0 && this.#addsNothing(window);
      this.#accept(endsHere ? { ...window, isLast: true } : window, page);
      // From the start again: sound, but as dear as a second walk.
      if (window.offset === 0 && state.end > 4 * state.pageSize) {
        this.#chain = distrusted(this.#chain, "a link could only be mended from the start");
      }
      break;
    }
    // Windows may be read in any sequence: what was out of reach may now be linked.
    if (!this.#chain.state.ended && broken.got > 0 && isLinked(this.#chain, broken)) {
      this.#accept(broken, brokenPage);
    }
  }

  /** Before an empty page stand only quotes we have, on a page that had room for more: that was the end. */
  #addsNothing(window: Window): boolean {
    const known = new Set(this.#chain.recent.flatMap(({ pks }) => pks));
    return window.got < this.#chain.state.pageSize && window.pks.every((pk) => known.has(pk));
  }

  async #fetch(offset: number): Promise<ServedPage> {
    const limit = this.#context.pageSize;
    let page = await this.#context.get(this.#filter, offset, limit);
    for (let empty = 1; isEmptyWithNext(page) && empty <= MOST_EMPTY_PAGES; empty++) {
      const onward = page.next?.offset ?? 0;
      if (onward <= page.offset) break;
      page = await this.#context.get(this.#filter, onward, limit);
    }
    // More empty pages than that: nothing follows, whatever is said.
    return isEmptyWithNext(page) ? { ...page, next: null } : page;
  }

  #accept(window: Window, page: ServedPage): void {
    const { store, keeps, report } = this.#context;
    const inOrder = this.#context.concurrency === 1 || window.kind === "repair";
    this.#chain = extend(this.#chain, window, {
      bad: page.quarantined.length,
      likes: page.quotes.map(({ likes }) => likes),
      inOrder,
    });
    if (!this.#placesAgree(window)) this.#chain = distrusted(this.#chain, MOVED);
    const { state } = this.#chain;
    store.save({
      window,
      quotes: page.quotes.filter(keeps),
      quarantined: page.quarantined,
      state,
    });
    report({
      kind: "window",
      windows: state.windows,
      quotes: store.quotesSeen,
      expected: this.#expected,
    });
    guardAgainstLoops(state);
    guardAgainstBadRecords(state.records, state.bad, false);
  }

  /** Keys in their own order need no memory of where each was read; any other order does (§5.5). */
  #placesAgree(window: Window): boolean {
    const { state } = this.#chain;
    if (state.direction !== "none") return true;
    this.#places ??= placesOf(this.#filter, this.#context);
    return this.#places.add(state.windows, window.pks);
  }

  #isTooDeep(error: unknown): boolean {
    const begun = this.#chain.state.windows > 0;
    return begun && error instanceof PermanentAnswer && TOO_DEEP.has(error.status);
  }

  #giveUpOnDepth(): void {
    const { end } = this.#chain.state;
    this.#chain = distrusted(this.#chain, `the service refuses offsets from about ${end}`);
    const state = { ...this.#chain.state, ended: true };
    this.#chain = { ...this.#chain, state };
    this.#context.store.saveState(filterName(this.#filter), state);
  }
}

function isEmptyWithNext(page: ServedPage): boolean {
  return page.quotes.length + page.quarantined.length === 0 && page.next !== null;
}

function restoredChain(filter: Filter, { store, overlap }: HarvestContext): Chain {
  const name = filterName(filter);
  const state = store.state(name);
  if (state === null) return { ...EMPTY_CHAIN, state: { ...EMPTY_CHAIN.state, overlap } };
  return {
    state: { ...EMPTY_CHAIN.state, ...(state as ChainState) },
    recent: store.lastWindows(name, RECENT),
  };
}

/** Where each key of a chain was first read, from the windows that are stored. */
function placesOf(filter: Filter, { store }: HarvestContext): Places {
  const places = new Places();
  let number = 0;
  for (const window of store.windows(filterName(filter))) places.add(++number, window.pks);
  return places;
}
