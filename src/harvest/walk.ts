/**
 * Walks one list from its first quote to its last (harvest.md §5.1 to 5.4): overlapping windows, each linked to what
 * is covered before it counts.
 *
 * The end is a null `next` on a linked window and nothing else: a short page is not an end.
 */
import { WalkFailed } from "../contract/refused-answer.ts";
import type { ReportHarvest } from "../contract/harvest-result.ts";
import type { Quote } from "../contract/quote.ts";
import type { WalkStore } from "../contract/walk-store.ts";
import {
  filterName,
  type Filter,
  type GetQuotes,
  type ServedPage,
  type Window,
  type WindowKind,
} from "../contract/window.ts";
import { Ahead } from "./ahead.ts";
import {
  EMPTY_CHAIN,
  extend,
  isLinked,
  nextOffset,
  RECENT,
  widened,
  type Chain,
  type ChainState,
} from "./chain.ts";
import { guardAgainstBadRecords, guardAgainstLoops } from "./guards.ts";

export interface WalkContext {
  readonly get: GetQuotes;
  readonly store: WalkStore;
  /** Quotes to ask for in one request. */
  readonly pageSize: number;
  /** Requests in flight. */
  readonly concurrency: number;
  /** Quotes that are probably there; null when nothing is known. */
  readonly expected: number | null;
  /** Whether a quote belongs to the selection: a service may ignore a filter. */
  readonly keeps: (quote: Quote) => boolean;
  readonly report: ReportHarvest;
  readonly now: () => number;
}

/** Pages in a row that are empty though something is said to follow (harvest.md §5.4). */
const MOST_EMPTY_PAGES = 3;

/** Resumes or begins the walk of one filter, and goes on to the end. */
export async function walk(filter: Filter, context: WalkContext): Promise<ChainState> {
  const walker = new Walker(filter, context);
  try {
    return await walker.run();
  } finally {
    await walker.stop();
  }
}

class Walker {
  readonly #filter: Filter;
  readonly #context: WalkContext;
  readonly #ahead: Ahead;
  #chain: Chain;
  #expected: number | null;

  constructor(filter: Filter, context: WalkContext) {
    this.#filter = filter;
    this.#context = context;
    this.#expected = context.expected;
    this.#chain = restored(filterName(filter), context.store);
    this.#ahead = new Ahead((offset) => this.#fetch(offset), context.concurrency);
  }

  async run(): Promise<ChainState> {
    // The first request goes alone: it tells the real page size (§5.1), and whether anyone is there at all.
    let step = 0;
    while (!this.#chain.state.ended) {
      const { state } = this.#chain;
      const course = { offset: nextOffset(state), end: state.end, step, expected: this.#expected };
      const page = await this.#ahead.take(course);
      if (page.count !== null) this.#expected = page.count;
      const window = this.#windowOf(page, "walk");
      if (isLinked(this.#chain, window)) this.#accept(window, page);
      else await this.#repair(window, page);
      step = Math.max(1, this.#chain.state.pageSize - this.#chain.state.overlap);
    }
    return this.#chain.state;
  }

  async stop(): Promise<void> {
    await this.#ahead.drop();
  }

  /** Reads again further and further back until the link holds, at worst from the start (§3). */
  async #repair(broken: Window, brokenPage: ServedPage): Promise<void> {
    this.#chain = widened(this.#chain);
    const { state } = this.#chain;
    const from = Math.min(broken.offset, state.end);
    for (let back = state.overlap; ; back *= 2) {
      const page = await this.#fetch(Math.max(0, from - back));
      const window = this.#windowOf(page, "repair");
      if (!isLinked(this.#chain, window)) continue;
      const endsHere = broken.got === 0 && this.#addsNothing(window);
      this.#accept(endsHere ? { ...window, isLast: true } : window, page);
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
    if (!isEmptyWithNext(page)) return page;
    throw new WalkFailed(
      `Cannot walk the collection: after offset ${offset} come only empty pages that name a next one`,
    );
  }

  #windowOf(page: ServedPage, kind: WindowKind): Window {
    return {
      filter: filterName(this.#filter),
      kind,
      offset: page.offset,
      got: page.quotes.length + page.quarantined.length,
      pks: page.quotes.map(({ id }) => id),
      isLast: page.next === null,
      fetchedAt: this.#context.now(),
    };
  }

  #accept(window: Window, page: ServedPage): void {
    const { store, keeps, report } = this.#context;
    this.#chain = extend(this.#chain, window, page.quarantined.length);
    const { state } = this.#chain;
    const quotes = page.quotes.filter(keeps);
    store.save({ window, quotes, quarantined: page.quarantined, state });
    report({
      kind: "window",
      windows: state.windows,
      quotes: store.quotesSeen,
      expected: this.#expected,
    });
    guardAgainstLoops(state);
    guardAgainstBadRecords(state.records, state.bad, false);
  }
}

function isEmptyWithNext(page: ServedPage): boolean {
  return page.quotes.length + page.quarantined.length === 0 && page.next !== null;
}

function restored(filter: string, store: WalkStore): Chain {
  const state = store.chainState(filter);
  if (state === null) return EMPTY_CHAIN;
  return { state: state as ChainState, recent: store.lastWindows(filter, RECENT) };
}
