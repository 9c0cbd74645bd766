/**
 * Walks one list from its first quote to its last (docs/walk.md, section 4): overlapping windows, each linked to what
 * is covered before it counts, up to an end that other answers confirm.
 */
import type { PermanentAnswer } from "../../contract/refused-answer.ts";
import { StoppedEarly } from "../../contract/errors.ts";
import { filterName, type Filter, type ServedPage, type Window } from "../../contract/window.ts";
import { windowOf, type HarvestContext } from "../context.ts";
import { Evidence } from "../evidence.ts";
import { inBoth, isTooDeep, Pages, sizeOf } from "../pages.ts";
import { keeps } from "../selection.ts";
import { Ahead } from "./ahead.ts";
import {
  EMPTY_STATE,
  extend,
  isLinked,
  isSetBack,
  LEAST_OVERLAP,
  RECENT,
  type Chain,
  type ChainState,
} from "./chain.ts";
import { confirmEnd, type OpenWalk } from "./end.ts";
import { heeding } from "./heeding.ts";
import { guardAgainstBadRecords, guardAgainstLoops, guardAgainstSize } from "./guards.ts";
import { combine, directionOf, isByKey } from "./order.ts";

/** Windows of which one is surely a full page. */
const RECENT_PAGES = 4;

/**
 * Resumes or begins the walk of one filter, and goes on to its end.
 *
 * Once the order has proved unreliable no link is repaired any more: the rest is read for the number of quotes and their lengths, which
 * the slices are planned by.
 *
 * @param expected quotes that are probably there; null when nothing is known
 * @param mustEnd whether the end is confirmed even where the order is unreliable, since there are no slices
 */
export async function walk(
  filter: Filter,
  context: HarvestContext,
  expected: number | null,
  mustEnd = false,
): Promise<ChainState> {
  const walker = new Walker(filter, context, expected);
  return walker.run(mustEnd).finally(() => walker.stop());
}

class Walker implements OpenWalk {
  readonly filter: Filter;
  readonly context: HarvestContext;
  readonly pages: Pages;
  readonly #ahead: Ahead;
  #chain: Chain;
  #expected: number | null;

  constructor(filter: Filter, context: HarvestContext, expected: number | null) {
    this.filter = filter;
    this.context = context;
    this.pages = new Pages(filter, context);
    this.#expected = expected;
    const name = filterName(filter);
    const state = context.store.state(name) as ChainState | null;
    this.#chain = {
      state: { ...EMPTY_STATE, overlap: context.overlap, ...state },
      recent: state === null ? [] : context.store.lastWindows(name, RECENT),
    };
    this.#ahead = new Ahead((offset) => this.pages.once(offset), context.concurrency);
  }

  get state(): ChainState {
    return this.#chain.state;
  }

  get lastKey(): number | undefined {
    return this.#chain.recent.at(-1)?.pks.at(-1);
  }

  /** Records of a full page, as pages are now: a cap may have fallen. */
  get recentSize(): number {
    return Math.max(1, ...this.#chain.recent.slice(-RECENT_PAGES).map(({ got }) => got));
  }

  async run(mustEnd: boolean): Promise<ChainState> {
    while (!this.state.confirmed && !this.state.cut) {
      if (!this.state.ended) await this.#readOn();
      else if (this.state.unstable !== null && !mustEnd) break;
      else await confirmEnd(this);
    }
    return this.state;
  }

  stop(): Promise<void> {
    return this.#ahead.drop();
  }

  /** Changes the state and puts it on the disk. */
  update(change: Partial<ChainState>): void {
    this.#chain = { ...this.#chain, state: { ...this.state, ...change } };
    this.context.store.saveState(filterName(this.filter), this.state);
  }

  /** Adds what a page brought, which may not be linked. */
  async take(page: ServedPage): Promise<void> {
    if (page.count !== null) this.#expected = page.count;
    if (this.state.windows === 0) page = await heeding(page, this.filter, this.pages, this.context);
    let window = windowOf(page, this.filter, "walk", this.context.now());
    if (isSetBack(this.#chain, window)) {
      // The offset or the filter was ignored for once, or the list has grown by a page: a second answer shows which.
      page = await this.pages.at(window.offset);
      window = windowOf(page, this.filter, "walk", this.context.now());
    }
    const order = combine(this.state.direction, directionOf(window.pks));
    if (this.filter.curated && !isByKey(order)) {
      // Nothing in a quote says that it is curated, and no order that this page belongs here: only what two answers show.
      page = inBoth(page, await this.pages.at(window.offset));
      window = windowOf(page, this.filter, "walk", this.context.now());
    }
    const hopeless = this.state.unstable !== null;
    if (hopeless && window.got === 0 && this.state.windows > 0) {
      this.update({ ended: true, saysEnd: true });
    } else if (
      this.state.windows === 0 ||
      hopeless ||
      (window.got > 0 && isLinked(this.#chain, window))
    ) {
      this.#accept(window, page);
    } else await this.#repair(window, page);
    const { pageSize, ended } = this.state;
    if (pageSize === 1 && !ended) this.#distrust("the service sends one quote at a time");
  }

  /** The first request goes alone: it shows the real page size, and whether the service answers at all. */
  async #readOn(): Promise<void> {
    const { state } = this;
    const step = state.windows === 0 ? 0 : Math.max(1, state.end - state.offset - state.overlap);
    const course = { offset: state.offset + step, end: state.end, step, expected: this.#expected };
    let page: ServedPage;
    try {
      page = await this.pages.settled(await this.#ahead.take(course));
    } catch (error) {
      if (state.windows === 0 || !isTooDeep(error)) throw error;
      const again = await this.#againAt(course.offset, error);
      if (again === null) return;
      page = again;
    }
    await this.take(page);
  }

  /** A refusal counts when the start of the list is served and the refusal comes again; null where it does. */
  async #againAt(offset: number, refusal: PermanentAnswer): Promise<ServedPage | null> {
    const name = filterName(this.filter);
    const refused = new Evidence(
      this.context.store,
      "the service refuses to go on from here",
      `${name} ${offset}`,
    );
    refused.add(String(refusal.status));
    if (sizeOf(await this.pages.at(0)) > 0) refused.addControl();
    try {
      return await this.pages.at(offset);
    } catch (error) {
      if (!isTooDeep(error)) throw error;
      refused.add(String(error.status));
    }
    if (!refused.isEnough) throw new StoppedEarly(refusal.message);
    this.#giveUp(`the service refuses offsets from about ${this.state.end}`);
    return null;
  }

  /** Reads again further and further back until the link holds, at worst from the start. */
  async #repair(broken: Window, brokenPage: ServedPage): Promise<void> {
    // Twice the overlap, as long as a page is more than that.
    const widest = Math.max(LEAST_OVERLAP, Math.floor(this.state.pageSize / 2));
    this.update({ overlap: Math.min(widest, this.state.overlap * 2), good: 0 });
    const before = this.state;
    const from = Math.min(broken.offset, before.end);
    let window: Window;
    let page: ServedPage;
    for (let back = before.back || before.overlap; ; back *= 2) {
      // A small budget goes on tomorrow where it stopped.
      this.update({ back });
      const offset = Math.max(0, from - back);
      page = await this.pages.agreed(await this.#ahead.beside(offset));
      window = windowOf(page, this.filter, "repair", this.context.now());
      if (window.got > 0 && isLinked(this.#chain, window)) break;
      if (offset > 0) continue;
      this.update({ back: 0 });
      throw new StoppedEarly(
        `Cannot go on: the service sends an empty list where it had ${before.records} quotes before; run it again later`,
      );
    }
    this.#accept(window, page);
    // Keys in order prove a new start as well as the first one; in any other order it is as dear as slices.
    const isOdd = !isByKey(this.state.direction) || this.state.restarts > 1;
    if (window.offset === 0 && before.end > 4 * before.pageSize && isOdd) {
      this.#distrust("a link could only be mended from the start");
    }
    // Windows may be read in any sequence: what was out of reach may now be linked.
    if (this.state.ended) return;
    if (broken.got > 0 && isLinked(this.#chain, broken)) this.#accept(broken, brokenPage);
    else if (this.state.end <= before.end && window.offset > 0)
      this.#closeGap(broken, brokenPage, page);
  }

  /** Reading again brought nothing more: the list is empty from here, or hides what lies between. */
  #closeGap(broken: Window, brokenPage: ServedPage, page: ServedPage): void {
    if (broken.got > 0) {
      this.#distrust(`the service hides quotes after offset ${this.state.end}`);
      this.#accept(broken, brokenPage);
      return;
    }
    const names = [page, brokenPage].every(({ shape }) => shape === "envelope");
    const hasRoom = sizeOf(page) < this.state.pageSize;
    // A `next` on a last page that has room for more, and nothing behind it: such services exist.
    if (names && hasRoom) this.update({ ended: true, saysEnd: false });
    else this.#giveUp(`the service sends nothing from about offset ${this.state.end} on`);
  }

  #accept(window: Window, page: ServedPage): void {
    const { store, selection, report } = this.context;
    const { furthest } = this.state;
    const isNew = ({ index }: { index: number }): boolean => window.offset + index >= furthest;
    this.#chain = extend(this.#chain, window, page.quarantined.filter(isNew).length, page.count);
    const { state } = this;
    const { windows } = state;
    const quotes = page.quotes.filter(keeps(selection));
    store.save({ window, quotes, quarantined: page.quarantined, state });
    report({ kind: "window", windows, quotes: store.quotesSeen, expected: this.#expected });
    guardAgainstLoops(state);
    guardAgainstBadRecords(state.furthest, state.bad, false, this.context);
    guardAgainstSize(this.context);
  }

  /** The first reason why the order cannot be relied on stays. */
  #distrust(reason: string): void {
    this.update({ unstable: this.state.unstable ?? reason });
  }

  #giveUp(reason: string): void {
    this.#distrust(reason);
    this.update({ ended: true, cut: true });
  }
}
