/**
 * Reads the pages of one list: requests a page again that is not whole, and a smaller page where one is refused or empty.
 */
import { GarbledAnswer, PermanentAnswer, ServerFault, StoppedEarly } from "../contract/errors.ts";
import { BudgetSpent } from "../contract/ledger.ts";
import { filterName, isSlice, type Filter, type ServedPage } from "../contract/window.ts";
import { concludes } from "./evidence.ts";
import { hasDistinct, isWhole, summarise } from "./answers.ts";
import { countRecords, isEndOfList, keysOf, type HarvestContext } from "./context.ts";
import { FailingPages, type Failed } from "./failing-pages.ts";
import { isRefused, orNull } from "./optional.ts";
import { combineDirections, directionOf, isByKey, type Direction } from "./walk/chain.ts";
import { findLargest, pageSizeOf, USUAL_PAGE, type PageSize } from "./page-size.ts";

/** Most consecutive empty pages with a `next` (docs/walk.md, section 4). */
const MOST_EMPTY_PAGES = 3;
/** How many pages further on a list must be empty too, where its pages do not say where it ends; the farthest first. */
const FURTHER = [256, 64, 16, 8, 7, 6, 5, 4, 3, 2, 1];
/** Pages with vacant rows that two answers agree on, after which such rows need no second answer. */
const ENOUGH_VACANT = 3;
const VACANT_TRAIT = "vacant rows";
/** Most answers to one request, if none is whole and no two agree. */
export const MOST_ANSWERS = 4;

/**
 * Whether a service refused a request, and not the run: a large offset, a `limit` or a place, by whatever status. At the first
 * request of a run a refusal has another meaning.
 */
export function isTooDeep(error: unknown): error is PermanentAnswer {
  return error instanceof PermanentAnswer;
}

/** A refusal of a page, as a failure of what it holds. */
const faultOf = ({ message, reason, status }: PermanentAnswer): ServerFault =>
  new ServerFault(message, { reason, status, verdict: "broken", hadAnswers: true });

interface PagesOptions {
  /** Whether a page that fails is cut into other lists: then it is sent once, and nothing is read in its place. */
  readonly canBeCut?: boolean;
  /** Whether a page may be refused because of a record in it. */
  readonly mayHoldRefused?: boolean;
}

/** The pages of one list. All readers of the list share it: it counts the records that make the service fail. */
export class Pages {
  readonly filter: Filter;
  readonly context: HarvestContext;
  readonly #size: PageSize;
  readonly #failing: FailingPages;
  readonly #how: PagesOptions;
  /** Whether this session has read a page. */
  hasRead = false;
  /** Records of the largest page so far. */
  #largest = 1;
  #vacantPages: number;
  /** Order of the keys of all pages. */
  #direction: Direction = "unknown";
  /** Offsets of rows that were served, the first of each page excepted: from, and the one after. */
  readonly #followed: (readonly [from: number, to: number])[] = [];
  /** Shapes of the answers: a service has one, and a fault another. */
  readonly shapes = new Set<ServedPage["shape"]>();
  /** Whether the service refuses larger pages for another reason than the end of the list. */
  #isStrict = false;
  /** Offset from which the service refuses this page, and one after it. */
  #refusedFrom = Infinity;
  /** The first page without a `next`; some services leave it out on the last page alone. */
  nextlessFrom = Infinity;
  /** Most records of a page that two answers agreed on; null before. */
  #agreedRows: number | null = null;
  /** Offset from which every page is empty, although it has a `next`. */
  #emptyFrom = Infinity;
  /** Rows of a list that refuses pages which would reach past its end; infinite where none is known. */
  #strictEnd = Infinity;

  constructor(filter: Filter, context: HarvestContext, how: PagesOptions = {}) {
    this.filter = filter;
    this.#how = how;
    this.context = context;
    this.#size = pageSizeOf(filter, context.store);
    this.#failing = new FailingPages(filter, context, this.#size, {
      tryRequest: (offset, limit) => this.#tryRequest(offset, limit),
      readRest: (offset, limit) => this.#request(offset, limit, true),
      note: (page) => this.#noted(page),
      largest: () => this.#largest,
      isInOrder: () => isByKey(this.#direction),
      hasFollowed: (offset) => this.#followed.some(([from, to]) => offset >= from && offset < to),
      step: () => this.#step,
    });
    this.#vacantPages = context.store.trait<{ pages: number }>(VACANT_TRAIT)?.pages ?? 0;
  }

  /** Reads the page at an offset, or the first one after it that is not empty. A single refusal is a fault. */
  async read(offset: number, limit?: number): Promise<ServedPage> {
    const page = await orNull(this.request(offset, limit), isTooDeep);
    // Another address: a cache or a firewall may repeat its refusal of the first one.
    const other = Math.max(1, (limit ?? this.context.pageSize) - 1);
    return this.settle(page ?? (await this.#requestOther(offset, other)));
  }

  /**
   * Requests a page that was refused once. Some services refuse a page that would reach past the end: then a smaller one shows
   * the end. Where a later page is served, the size of this one or a record in it is refused. What else they refuse, slices read.
   */
  async #requestOther(offset: number, limit: number): Promise<ServedPage> {
    try {
      return await this.request(offset, limit);
    } catch (error) {
      if (!isTooDeep(error) || offset === 0 || this.isClosed(offset)) throw error;
      const fewer = this.#isStrict ? null : await this.#findFewer(offset);
      this.#isStrict ||= fewer !== null && fewer.next !== null;
      if (fewer?.next === null) {
        this.#strictEnd = offset + countRecords(fewer);
        return this.#noted(fewer);
      }
      if (offset >= this.#refusedFrom || !(await this.#servesAfter(offset, limit))) throw error;
      return this.#readInstead({ offset, limit, isOnce: false, isRest: false }, faultOf(error));
    }
  }

  /** Whether a page after that at an offset is served. A slice is refused as a whole. */
  async #servesAfter(offset: number, limit: number): Promise<boolean> {
    const isPast = this.shapes.has("envelope") && offset > this.nextlessFrom;
    if (isPast || isSlice(this.filter) || this.#largest === 1) return false;
    // With the same limit: some refuse each page but those of one row.
    const isServed = (await this.#tryRequest(offset + this.#largest, limit)) !== null;
    if (!isServed) this.#refusedFrom = offset;
    return isServed;
  }

  /** Requests fewer rows of a page that is empty, as some services answer where they cannot build one; null where all are. */
  async #requestFewer({ offset, next }: ServedPage): Promise<ServedPage | null> {
    if (isSlice(this.filter)) return null;
    const before = this.#size.shrink(offset, this.#size.at(offset, this.context.pageSize));
    const known = before === null ? null : await this.#tryRequest(offset, before);
    if (known !== null && countRecords(known) > 0) return this.#noted(known);
    // An empty page that says that the list ends is tried with other sizes only where it must have rows.
    const fewer = next === null && offset > 0 ? null : await this.#findFewer(offset);
    if (fewer === null) return null;
    this.#size.settle(offset, countRecords(fewer));
    return this.#noted(fewer);
  }

  /** The largest page at a place where a larger one is refused or empty; null where one row is too. */
  async #findFewer(offset: number): Promise<ServedPage | null> {
    const most = Math.min(this.#size.at(offset, USUAL_PAGE), this.#step);
    const ask = async (size: number): Promise<ServedPage | null> => {
      const page = await this.#tryRequest(offset, size);
      return page !== null && countRecords(page) > 0 ? page : null;
    };
    const one = await ask(1);
    return one && ((await findLargest(1, most, ask)).page ?? one);
  }

  /**
   * Reads a page to compare it with an earlier one; null where it is not served.
   *
   * @param fewer records less than the page may have: another address for a cache
   */
  readUnchecked(offset: number, fewer: number): Promise<ServedPage | null> {
    const limit = Math.max(1, this.#size.at(offset, this.context.pageSize) - fewer);
    return orNull(this.request(offset, limit), (error) => isRefused(error) || isTooDeep(error));
  }

  /** Confirms a served page, and follows `next` where it is empty. */
  async settle(served: ServedPage): Promise<ServedPage> {
    let page = await this.confirm(served);
    for (let empty = 1; countRecords(page) === 0 && page.next !== null; empty++) {
      if (page.offset >= this.#emptyFrom) return { ...page, next: null };
      const onward = page.next.offset ?? 0;
      if (empty > MOST_EMPTY_PAGES || onward <= page.offset) {
        if (await this.isEmptyFrom(served.offset)) continue;
        return this.confirm(await this.#requestAfter(served.offset));
      }
      page = await this.request(onward);
    }
    return page;
  }

  /**
   * Whether a list is empty from an offset on, as far as pages further on show. A service that ends its list far out says where it
   * ends: then an empty page hides rows. What one run has asked, the next one of a small budget need not ask again.
   */
  async isEmptyFrom(offset: number): Promise<boolean> {
    const { store } = this.context;
    const name = `empty pages of ${filterName(this.filter)}`;
    const before = store.state<{ offset: number; asked: number }>(name);
    const asked = before?.offset === offset ? before.asked : 0;
    for (const [at, pages] of (offset >= this.#emptyFrom ? [] : FURTHER).entries()) {
      if (at < asked) continue;
      const page = await orNull(this.request(offset + pages * this.#largest), isTooDeep);
      const isFull = page !== null && (countRecords(page) > 0 || isEndOfList(page));
      store.saveState(name, { offset, asked: isFull ? 0 : at + 1 });
      if (isFull) return false;
    }
    this.#emptyFrom = Math.min(this.#emptyFrom, offset);
    return true;
  }

  /** Requests the first page after rows that the service hides, by halving: the list has rows or its end further on. */
  async #requestAfter(offset: number): Promise<ServedPage> {
    const step = this.#largest;
    // The fewest pages further on: the largest of negative numbers.
    const { page } = await findLargest(-(FURTHER[0] ?? 1), 0, async (pages) => {
      const later = await this.request(offset - pages * step);
      return countRecords(later) > 0 || isEndOfList(later) ? later : null;
    });
    return page ?? this.request(offset + (FURTHER[0] ?? 1) * step);
  }

  /**
   * Whether the list ends at an offset where pages from there on fail: a page that would reach further is served, and ends there. Of
   * a part of the list that is not served, such a page fails.
   */
  async endAt(end: number): Promise<boolean> {
    const offset = Math.max(0, end - Math.ceil(this.#largest / 2));
    const page = await this.#tryRequest(offset, this.#largest);
    const rows = page === null ? 0 : countRecords(page) + (page.furniture ?? 0);
    return page?.next === null && rows > 0 && rows < this.#largest && offset + rows === end;
  }

  /** Requests a page again until an answer is sound, or two consecutive answers agree; then checks what it says of quotes. */
  async confirm(served: ServedPage): Promise<ServedPage> {
    return this.checkContents(await this.#confirmKeys(served));
  }

  /**
   * Checks what a page says of quotes, by another address where it is doubtful.
   *
   * @param shown answers to the same request that were had already
   */
  async checkContents(page: ServedPage, shown: readonly ServedPage[] = []): Promise<ServedPage> {
    const { contents } = this.context;
    const again = (offset: number): Promise<ServedPage | null> => {
      // One record fewer: a cache may repeat its answer to the first address.
      const limit = Math.max(1, this.#size.at(offset, this.context.pageSize) - 1);
      const isNone = (error: unknown): boolean =>
        isRefused(error) || isTooDeep(error) || error instanceof StoppedEarly;
      const request = this.request(offset, limit);
      return orNull(request, (error) => isNone(error) && !(error instanceof BudgetSpent));
    };
    return contents?.check(page, filterName(this.filter), again, shown) ?? page;
  }

  async #confirmKeys(served: ServedPage): Promise<ServedPage> {
    const answers: ServedPage[] = [];
    for (let page = served; ; page = await this.request(served.offset)) {
      answers.push(page);
      const isSound = (isWhole(page) || this.#isFull(page)) && !this.hasUnconfirmed(page);
      if (isSound) return page;
      if (concludes("a page is not whole", answers.map(summarise))) {
        if ((page.vacant ?? []).length > 0) this.#noteVacant();
        const rows = countRecords(page);
        if (rows > 0) this.#agreedRows = Math.max(rows, this.#agreedRows ?? 0);
        // Some services answer with an empty list where they cannot build a page.
        const isEmpty = countRecords(page) === 0 && this.context.pageSize > 1;
        return (isEmpty ? await this.#requestFewer(page) : null) ?? page;
      }
      if (answers.length >= MOST_ANSWERS) break;
    }
    const whole = answers.filter(isWhole);
    const [best = served] = (whole.length > 0 ? whole : answers).toSorted(
      (one, other) => other.quotes.length - one.quotes.length,
    );
    return best;
  }

  /** Whether a page of a list without any `next` is as full as one that two answers agreed on, and as any other. */
  #isFull(page: ServedPage): boolean {
    const rows = Math.max(this.#agreedRows ?? Infinity, this.#largest);
    return !this.shapes.has("envelope") && hasDistinct(page, rows);
  }

  /** Whether a page has unreadable or vacant records that no other answer has confirmed. */
  hasUnconfirmed(page: ServedPage): boolean {
    const hasVacant = (page.vacant ?? []).length > 0;
    const isOrdinary = this.#vacantPages >= ENOUGH_VACANT;
    return (
      (hasVacant && !isOrdinary) || (page.quarantined.length > 0 && !this.#failing.hasSkipped(page))
    );
  }

  /** Notes a page whose rows without a record two answers agree on: many services leave such rows where a quote was deleted. */
  #noteVacant(): void {
    this.#vacantPages++;
    this.context.store.saveTrait(VACANT_TRAIT, { pages: this.#vacantPages });
  }

  /** Requests a page without checking it: it may be cut, empty, or smaller than its limit where larger pages fail. */
  request(offset: number, limit = this.context.pageSize): Promise<ServedPage> {
    return this.#request(offset, limit, false);
  }

  /** @param isRest whether it is the rest of a page that the list fails to send whole */
  async #request(offset: number, limit: number, isRest: boolean): Promise<ServedPage> {
    const { get, store } = this.context;
    const { canBeCut = false, mayHoldRefused = false } = this.#how;
    const failing = this.#failing;
    const open = failing.openAfter(offset);
    // A list that refuses pages beyond its end is asked for no more than it has.
    const left = offset < this.#strictEnd ? this.#strictEnd - offset : Infinity;
    const size = Math.min(open, left, this.#size.at(offset, limit));
    const rows = Math.min(size, this.#step);
    const around = await failing.readKnown(offset, rows, isRest);
    if (around !== null) {
      this.hasRead = true;
      return around;
    }
    // A run has few retries; a record that fails each time must not use them up, nor a page that may be too large.
    const isOnce =
      store.hasFaultyRecord || failing.hasKnown || this.#size.isTrial(size) || canBeCut;
    try {
      return this.#noted(await get(this.filter, offset, size, isOnce ? "once" : undefined), size);
    } catch (error) {
      if (isOnce && error instanceof GarbledAnswer) {
        return this.#noted(await get(this.filter, offset, size), size);
      }
      const fault = mayHoldRefused && isTooDeep(error) ? faultOf(error) : error;
      if (!(fault instanceof ServerFault) || canBeCut) throw error;
      return this.#readInstead({ offset, limit: size, isOnce, isRest }, fault);
    }
  }

  async #readInstead(failed: Omit<Failed, "rows">, fault: ServerFault): Promise<ServedPage> {
    const rows = Math.min(failed.limit, this.#step);
    const page = await this.#failing.readInstead({ ...failed, rows }, fault);
    this.hasRead = true;
    return page;
  }

  /** Records of a page as far as seen; a `limit` may be larger than the service allows. A slice is no page: it has an end. */
  get #step(): number {
    const largest = Math.max(this.#largest, this.#failing.rows ?? 1);
    return largest === 1 || isSlice(this.filter) ? Infinity : largest;
  }

  /** @param limit of a request for as many records as a page may have; 0 for any other */
  #noted(page: ServedPage, limit = 0): ServedPage {
    this.hasRead = true;
    this.shapes.add(page.shape);
    if (page.shape === "envelope without next") {
      this.nextlessFrom = Math.min(this.nextlessFrom, page.offset);
    }
    const records = countRecords(page);
    const end = page.offset + records;
    this.#direction = combineDirections(this.#direction, directionOf(keysOf(page)));
    this.#followed.push([page.offset + 1, end]);
    if (page.next !== null && end >= this.#strictEnd) this.#strictEnd = Infinity;
    this.#largest = Math.max(this.#largest, records);
    this.#size.serve(page.offset, records + (page.furniture ?? 0), limit);
    return page;
  }

  /**
   * Whether a page shows furniture that was not known: then the pages before it have it too. A request for the page one row
   * further on proves it.
   */
  async findsFurniture(page: ServedPage): Promise<boolean> {
    const { furniture } = this.context;
    const pieces = furniture?.suspect(page, this.filter) ?? [];
    if (furniture === undefined || pieces.length === 0) return false;
    const offset = page.offset + 1;
    const further = await this.#tryRequest(offset, this.#size.at(offset, this.context.pageSize));
    return further !== null && furniture.confirm(pieces, page, further);
  }

  /** Whether an offset was found to be in the part of the list that is not served. */
  isClosed(offset: number): boolean {
    return this.#failing.isClosed(offset);
  }

  /** Sends one request without retries; null where the service failed. */
  #tryRequest(offset: number, limit: number): Promise<ServedPage | null> {
    const page = this.context.get(this.filter, offset, limit, "once");
    return orNull(page, (error) => error instanceof ServerFault || isTooDeep(error));
  }
}
