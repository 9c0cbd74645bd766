/**
 * Reads one list from its first quote on (docs/walk.md, section 4): overlapping windows, each linked to the chain before
 * it is accepted.
 */
import { type PermanentAnswer, StoppedEarly, WalkFailed } from "../../contract/errors.ts";
import { filterName, type ServedPage, type Window } from "../../contract/window.ts";
import { countRecords, keysOf, rowKeysOf, VACANT, windowOf } from "../context.ts";
import { Evidence } from "../evidence.ts";
import { intersect, summarise } from "../answers.ts";
import { isTooDeep, type Pages } from "../pages.ts";
import { keeps } from "../selection.ts";
import {
  combineDirections,
  contradictsLast,
  directionOf,
  EMPTY_STATE,
  extend,
  isByKey,
  isLinked,
  LEAST_OVERLAP,
  RECENT,
  showsMissed,
  SINGLE,
  skipsCovered,
  type Chain,
  type ChainState,
} from "./chain.ts";
import { checkFilter } from "./check-filter.ts";
import { findLoop, guardAgainstBadRecords, guardAgainstSize } from "./guards.ts";
import { checkOldest } from "./oldest.ts";
import { Prefetch } from "./prefetch.ts";

/** Number of last windows of which one is surely a full page. */
const RECENT_PAGES = 4;

/** Windows that may be requested again for their offsets: a few, and a share of all. */
const LEAST_DOUBTED = 2;
const DOUBTED_SHARE = 0.03;

/** The walk of one list, begun or resumed. */
export class Walk {
  readonly pages: Pages;
  /** Name of the list's filter. */
  readonly name: string;
  readonly #prefetch: Prefetch;
  #chain: Chain;
  #expected: number | null;
  #isFirst = true;

  /** @param expected number of quotes; null when unknown */
  constructor(pages: Pages, expected: number | null) {
    const { store, overlap, concurrency } = pages.context;
    this.pages = pages;
    this.name = filterName(pages.filter);
    this.#expected = expected;
    const state = store.state<ChainState>(this.name);
    this.#chain = {
      state: { ...EMPTY_STATE, overlap, ...state },
      recent: state === null ? [] : store.lastWindows(this.name, RECENT),
    };
    this.#prefetch = new Prefetch((offset) => pages.request(offset), concurrency);
  }

  get state(): ChainState {
    return this.#chain.state;
  }

  get lastKey(): number | undefined {
    return this.#chain.recent.at(-1)?.pks.at(-1);
  }

  /** Records of a full page, by the latest pages. */
  get recentSize(): number {
    return Math.max(1, ...this.#chain.recent.slice(-RECENT_PAGES).map(({ got }) => got));
  }

  /** Waits for the pages in flight. */
  stop(): Promise<void> {
    return this.#prefetch.drop();
  }

  /** Changes the state and stores it. */
  update(change: Partial<ChainState>): void {
    this.#chain = { ...this.#chain, state: { ...this.state, ...change } };
    this.pages.context.store.saveState(this.name, this.state);
  }

  /** Stores why the order is not a proof; the first reason is kept. */
  distrust(reason: string): void {
    this.update({ unstable: this.state.unstable ?? reason });
  }

  /**
   * Whether a page, in a list in key order, holds keys between those already read that no window holds: the keys of new
   * quotes are the highest.
   */
  isContradictedBy(page: ServedPage): boolean {
    const { direction, lowest, highest } = this.state;
    if (!isByKey(direction)) return false;
    const least = direction === "ascending" ? 0 : lowest;
    const unseen = this.pages.context.store.findUnseen(this.name, keysOf(page));
    return unseen.some((pk) => pk > least && pk < highest);
  }

  /** Adds a page to the chain, after repairing the link if it is broken. */
  async add(page: ServedPage): Promise<void> {
    if (page.count !== null) this.#expected = page.count;
    const { filter } = this.pages;
    if (this.state.windows === 0) {
      if (page.shape === "record") {
        throw new WalkFailed(
          "Cannot walk the collection: the service sends a single record in place of a list",
        );
      }
      const checked = await checkFilter(page, this.pages);
      page = checked.page;
      if (filter.curated) this.update({ beginsAsPlain: checked.beginsAsPlain });
    }
    let window = windowOf(page, filter, "walk");
    if (contradictsLast(this.#chain, window) || skipsCovered(this.#chain, window)) {
      // The service ignored the offset or filter once, or the list has grown by a page: a second answer shows which.
      const first = page;
      page = await this.pages.read(window.offset);
      if (summarise(page) !== summarise(first)) this.pages.context.contents?.narrow();
      window = windowOf(page, filter, "walk");
      // The list is not in key order, or a false key is far ahead, so that every window before it would seem to be linked.
      if (this.isContradictedBy(page)) this.update({ direction: "none" });
    }
    const order = combineDirections(this.state.direction, directionOf(window.pks));
    if (filter.curated && (!isByKey(order) || this.state.beginsAsPlain)) {
      page = await this.#confirmCurated(page);
      window = windowOf(page, filter, "walk");
    }
    const hopeless = this.state.unstable !== null;
    if (hopeless && window.got === 0 && this.state.windows > 0) {
      this.update({ ended: true, saysEnd: true });
    } else if (this.state.windows === 0 || hopeless || isLinked(this.#chain, window)) {
      await this.#append(window, page);
    } else await this.#repair(window, page);
    const { pageSize, ended } = this.state;
    if (pageSize === 1 && !ended) this.distrust(SINGLE);
  }

  /** Accepts a linked window, after reading the last one again if rows have moved to larger offsets since. */
  async #append(window: Window, page: ServedPage): Promise<void> {
    if (this.state.unstable === null && showsMissed(this.#chain, window)) await this.#rereadLast();
    this.#accept(window, page);
  }

  /** Reads the last window again, and adds quotes that it lacked. */
  async #rereadLast(): Promise<void> {
    const { doubted, windows, offset } = this.state;
    // Where many quotes come in at the front, most windows would be doubtful.
    if (doubted >= LEAST_DOUBTED + windows * DOUBTED_SHARE) return;
    this.update({ doubted: doubted + 1 });
    const page = await this.pages.read(offset);
    const window = windowOf(page, this.pages.filter, "repair");
    const isNew = this.pages.context.store.findUnseen(this.name, window.pks).length > 0;
    if (isNew && isLinked(this.#chain, window)) this.#accept(window, page);
  }

  /** Keeps the quotes that two answers share: neither the records nor their order show that the page is of this list. */
  async #confirmCurated(page: ServedPage): Promise<ServedPage> {
    const other = await this.pages.read(page.offset);
    // A quote between the shared ones may be missing.
    if (summarise(other) !== summarise(page)) this.update({ direction: "none" });
    return intersect(page, other);
  }

  /**
   * Reads the next page. The first request of a run, also of a resumed one, is sent alone: it shows the page size, whether
   * the service answers, and whether the list continues from there.
   */
  async readNext(): Promise<void> {
    if (this.#isFirst && this.state.windows > 0) {
      await checkOldest(this.pages, this.state, this.name, false);
    }
    const { state } = this;
    const step = state.windows === 0 ? 0 : Math.max(1, state.end - state.offset - state.overlap);
    const offset = state.offset + step;
    const ahead = this.#isFirst ? 0 : step;
    this.#isFirst = false;
    const position = { offset, end: state.end, step: ahead, expected: this.#expected };
    let page: ServedPage | null;
    try {
      page = await this.pages.settle(await this.#prefetch.take(position));
    } catch (error) {
      if (state.windows === 0 || !isTooDeep(error)) throw error;
      page = await this.#retryRefused(offset, error);
    }
    if (page !== null && (await this.pages.findsFurniture(page))) return this.#restart();
    if (this.pages.context.contents?.takeNews() === true && state.windows > 0) {
      await checkOldest(this.pages, state, this.name, true);
    }
    if (page !== null) await this.add(page);
  }

  /** Begins anew: the windows so far have rows that do not belong to the list. */
  async #restart(): Promise<void> {
    const { store, overlap } = this.pages.context;
    await this.#prefetch.drop();
    const state = { ...EMPTY_STATE, overlap };
    store.forgetChain(this.name, state);
    this.#chain = { state, recent: [] };
    this.#isFirst = true;
  }

  /** Requests a refused page again, after the start of the list as a control; null where the refusal is confirmed. */
  async #retryRefused(offset: number, refusal: PermanentAnswer): Promise<ServedPage | null> {
    const { store } = this.pages.context;
    const about = `${this.name} ${offset}`;
    const refused = new Evidence(store, "the service refuses to go on from here", about);
    refused.add(String(refusal.status));
    if (refusal.servesStart) refused.addControl();
    // With few requests a run, the control may be of an earlier run.
    if (!refused.isEnough) {
      if (!refused.hasControl && countRecords(await this.pages.read(0)) > 0) refused.addControl();
      try {
        const page = await this.pages.read(offset);
        refused.discard();
        return page;
      } catch (error) {
        if (!isTooDeep(error)) throw error;
        refused.add(String(error.status));
      }
    }
    if (!refused.isEnough) throw new StoppedEarly(refusal.message);
    const last = this.#chain.recent.at(-1);
    // Some services send a `next` on a last page that is not full, and refuse offsets past the end.
    const isPast = offset >= this.state.end && last !== undefined && last.got < this.state.pageSize;
    if (isPast && (!this.pages.isClosed(offset) || (await this.pages.endAt(this.state.end)))) {
      this.update({ ended: true, saysEnd: false });
      return null;
    }
    const said = refusal.reason === "" ? "" : ` (${refusal.reason})`;
    this.#giveUp(`the service refuses offsets from about ${this.state.end}${said}`);
    return null;
  }

  /** Repairs a link: reads from further and further back until a window is linked, at worst from the start. */
  async #repair(broken: Window, brokenPage: ServedPage): Promise<void> {
    const widest = Math.max(LEAST_OVERLAP, Math.floor(this.state.pageSize / 2));
    this.update({ overlap: Math.min(widest, this.state.overlap * 2), good: 0 });
    const before = this.state;
    const from = Math.min(broken.offset, before.end);
    let window: Window;
    let page: ServedPage;
    for (let back = before.back || before.overlap; ; back *= 2) {
      // Stored, so that the next run resumes the repair.
      this.update({ back });
      const offset = Math.max(0, from - back);
      page = await this.pages.confirm(await this.#prefetch.fetch(offset));
      if (this.pages.filter.curated) page = await this.#confirmCurated(page);
      window = windowOf(page, this.pages.filter, "repair");
      if (isLinked(this.#chain, window)) break;
      if (offset > 0) continue;
      this.update({ back: 0 });
      throw new StoppedEarly(
        `Cannot continue: the service sends an empty list, or another one, where it had quotes before; run it again later`,
      );
    }
    if (areStrangers(window, broken)) this.pages.context.contents?.narrow();
    this.#accept(window, page);
    // One restart in key order is still a proof; otherwise slices cost no more.
    const isUnproved = !isByKey(this.state.direction) || this.state.restarts > 1;
    if (window.offset === 0 && before.end > 4 * before.pageSize && isUnproved) {
      this.distrust("a link could only be repaired from the start");
    }
    // Windows may be read in any sequence: the broken one may be linked now.
    if (this.state.ended) return;
    if (isLinked(this.#chain, broken)) await this.#append(broken, brokenPage);
    else if (this.state.end <= before.end && window.offset > 0)
      await this.#closeGap(broken, brokenPage, page);
  }

  /** Handles a repair that read nothing new: the list is empty from here on, or hides quotes in between. */
  async #closeGap(broken: Window, brokenPage: ServedPage, page: ServedPage): Promise<void> {
    if (broken.got > 0) {
      this.distrust(`the service hides quotes after offset ${this.state.end}`);
      this.#accept(broken, brokenPage);
      return;
    }
    const hasRoom = countRecords(page) < this.state.pageSize;
    const areEnvelopes = [page, brokenPage].every(({ shape }) => shape === "envelope");
    // Some services send a `next` on a last page that is not full. Others send none at all: then rows may be hidden from here on.
    const isEnd = areEnvelopes || (await this.pages.isEmptyFrom(this.state.end));
    const mayLackNext = hasRoom && !this.pages.shapes.has("envelope");
    const isSure = this.#hasOneShape || (mayLackNext && (await this.pages.endAt(this.state.end)));
    if (hasRoom && isEnd && isSure) {
      this.update({ ended: true, saysEnd: false });
    } else this.#giveUp(`the service sends nothing from about offset ${this.state.end} on`);
  }

  /** A service has one shape of pages, and a fault another; some leave out the `next` of their last page alone. */
  get #hasOneShape(): boolean {
    const { shapes, nextlessFrom } = this.pages;
    const isOmitted = !shapes.has("array") && !shapes.has("record");
    return shapes.size === 1 || (isOmitted && nextlessFrom >= this.state.end - this.recentSize);
  }

  #accept(window: Window, page: ServedPage): void {
    const { store, selection, report } = this.pages.context;
    const { furthest } = this.state;
    const isNew = ({ index }: { index: number }): boolean => window.offset + index >= furthest;
    const bad = page.quarantined.filter(isNew).length;
    const isBarren = this.#isBarren(window);
    const vacant = countVacant(this.#chain, page);
    const saysNext = this.state.saysNext || page.shape === "envelope";
    this.#chain = extend(this.#chain, window, { bad, count: page.count, isBarren });
    this.#chain = { ...this.#chain, state: { ...this.#chain.state, ...vacant, saysNext } };
    const { state } = this;
    const quotes = page.quotes.filter(keeps(selection));
    store.save({ window, quotes, quarantined: page.quarantined, state });
    const { windows } = state;
    report({ kind: "window", windows, quotes: store.quotesSeen, expected: this.#expected });
    this.endLoop();
    guardAgainstBadRecords(state.furthest, state.bad, false, this.pages.context);
    guardAgainstSize(this.pages.context);
  }

  /** Whether no key of a window is new to the chain. */
  #isBarren({ pks }: Window): boolean {
    const { store } = this.pages.context;
    return store.countNew(pks) === 0 && store.findUnseen(this.name, pks).length === 0;
  }

  /** Gives up a walk that leads no further. */
  endLoop(): void {
    const loop = findLoop(this.state);
    if (loop === null) return;
    this.#giveUp(loop);
    this.update({ circular: true });
  }

  #giveUp(reason: string): void {
    this.distrust(reason);
    this.update({ ended: true, cut: true });
  }
}

/** Rows without a record that no earlier window had, and how many end the page. */
function countVacant({ state, recent }: Chain, page: ServedPage) {
  const rows = rowKeysOf(page);
  const covered = new Set<unknown>(recent.flatMap(({ pks }) => pks));
  const fresh = rows.slice(rows.findLastIndex((key) => covered.has(key)) + 1);
  const count = (keys: typeof rows): number => {
    const end = keys.findIndex((key) => key !== VACANT);
    return end < 0 ? keys.length : end;
  };
  const shared = Math.min(state.vacantAtEnd, count(fresh));
  const vacant = state.vacant + fresh.filter((key) => key === VACANT).length - shared;
  return { vacant, vacantAtEnd: count(rows.toReversed()) };
}

/** Whether two windows share no key although their offsets overlap by half: one is the answer to another request. */
function areStrangers(one: Window, other: Window): boolean {
  const overlap = one.offset + one.got - other.offset;
  const keys = new Set(one.pks);
  return overlap * 2 > other.got && other.got > 0 && other.pks.every((pk) => !keys.has(pk));
}
