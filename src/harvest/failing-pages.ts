/**
 * Reads what the service fails to send as one page: a smaller page, the page around a record that makes it fail, or nothing where
 * the service refuses the list from there on (docs/walk.md, section 7).
 */
import {
  PermanentAnswer,
  ServiceUnavailable,
  StoppedEarly,
  type ServerFault,
} from "../contract/errors.ts";
import { isSlice, type Filter, type ServedPage } from "../contract/window.ts";
import { readAround } from "./around-broken.ts";
import { BrokenRecords } from "./broken-records.ts";
import { countRecords, keysOf, type HarvestContext } from "./context.ts";
import { failsFrom, failsPagesAfter, servesStart, type Part } from "./failing-part.ts";
import { findLargest, USUAL_PAGE, type PageSize } from "./page-size.ts";

const TOO_FAST = 429;
const NO_SUCH_RANGE = 416;
/** Records in a row that each make the service fail. */
const MOST_IN_A_ROW = 5;

/** The record that makes a page fail is at another place in each answer, so that no page can be read around it. */
export class RecordMoves extends StoppedEarly {}

/** How the pages of the list are requested. */
export interface Requests {
  /** Sends one request without retries; null where the service failed or refused it. */
  readonly tryRequest: (offset: number, limit: number) => Promise<ServedPage | null>;
  /** Requests the rest of a page, which may hold a record that is not known to be broken. */
  readonly readRest: (offset: number, limit: number) => Promise<ServedPage>;
  /** Notes a page that the list keeps. */
  readonly note: (page: ServedPage) => ServedPage;
  /** Whether the list is in the order of its keys, as far as seen: then rows have places of their own. */
  readonly isInOrder: () => boolean;
  /** Whether a page that begins before an offset had its record. */
  readonly hasFollowed: (offset: number) => boolean;
  /** Records of the largest page so far. */
  readonly largest: () => number;
  /** The same as a step through the list; infinite where it is unknown. */
  readonly step: () => number;
}

/** A request that failed. */
export interface Failed {
  readonly offset: number;
  readonly limit: number;
  /** Records that its page would have, as far as known. */
  readonly rows: number;
  /** Whether it was sent without retries. */
  readonly isOnce: boolean;
  /** Whether it asked for the rest of a page that is read around a record. */
  readonly isRest: boolean;
}

export class FailingPages {
  readonly #filter: Filter;
  readonly #context: HarvestContext;
  readonly #size: PageSize;
  readonly #requests: Requests;
  readonly #broken: BrokenRecords;
  /** Where the part of the list begins that is not served, and the refusal; null where none is known. */
  #closed: { readonly offset: number; readonly refusal: PermanentAnswer } | null = null;
  /** Pages with a skipped record: its failure is confirmed already, so that they need no second answer. */
  readonly #skipped = new WeakSet<ServedPage>();
  /** The search under way for a record that makes the service fail. */
  #searching: Promise<void> = Promise.resolve();

  constructor(filter: Filter, context: HarvestContext, size: PageSize, requests: Requests) {
    this.#filter = filter;
    this.#context = context;
    this.#size = size;
    this.#requests = requests;
    this.#broken = new BrokenRecords(filter, context.store);
  }

  /** Whether records of the list are known to make their pages fail. */
  get hasKnown(): boolean {
    return !this.#broken.isEmpty;
  }

  /** Rows of a full page when the last such record was found; null where none is known. */
  get rows(): number | null {
    return this.#broken.rows;
  }

  hasSkipped(page: ServedPage): boolean {
    return this.#skipped.has(page);
  }

  /** Whether an offset was found to be in the part of the list that is not served. */
  isClosed(offset: number): boolean {
    return this.#closed !== null && offset >= this.#closed.offset;
  }

  /**
   * Counts the rows from an offset to the part of the list that is not served.
   *
   * @throws {PermanentAnswer} where the offset is in it
   */
  openAfter(offset: number): number {
    if (this.#closed !== null && this.isClosed(offset)) throw this.#closed.refusal;
    return (this.#closed?.offset ?? Infinity) - offset;
  }

  /** Reads a page around the records in it that are known to make it fail; null where there are none. */
  async readKnown(offset: number, rows: number, isRest: boolean): Promise<ServedPage | null> {
    if (this.#broken.firstIn(offset, offset + rows) === null) return null;
    return this.#alone(isRest, () => this.#readAround(offset, rows));
  }

  /**
   * Reads what can be read in the place of a page that failed.
   *
   * @throws {PermanentAnswer} where the service refuses the list from there on
   * @throws {ServerFault | StoppedEarly | ServiceUnavailable} where the service fails, and no record is the cause
   */
  async readInstead(failed: Failed, fault: ServerFault): Promise<ServedPage> {
    const { offset, limit, rows, isRest } = failed;
    return this.#alone(isRest, async () => {
      const smaller = this.#size.shrink(offset, limit);
      const page = smaller === null ? null : await this.#requests.tryRequest(offset, smaller);
      if (page !== null) return this.#requests.note(page);
      const isNear = this.#broken.isExpectedNear(offset, rows);
      const isKnown = isNear || this.#broken.firstIn(offset, offset + rows) !== null;
      const around = isKnown ? await this.#readAround(offset, rows, isNear) : null;
      return around ?? this.#skipRecord(failed, fault);
    });
  }

  /** Two windows in flight may hold the same record, which is searched once. */
  async #alone<T>(isWithin: boolean, work: () => Promise<T>): Promise<T> {
    if (isWithin) return work();
    const before = this.#searching;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#searching = promise;
    await before;
    try {
      return await work();
    } finally {
      resolve();
    }
  }

  /** @param isNear whether a record may have moved into the page */
  async #readAround(offset: number, rows: number, isNear = false): Promise<ServedPage | null> {
    if (isNear) this.#broken.moveInto(offset, rows);
    const { tryRequest, readRest } = this.#requests;
    const page = await readAround(offset, rows, {
      records: this.#broken,
      ask: tryRequest,
      readRest,
    });
    if (page !== null) this.#skipped.add(page);
    return page;
  }

  /**
   * Finds the record that makes a page fail, and reads the page around it. If the record moved, as where each request has
   * another order, the page ends before it.
   */
  async #skipRecord({ offset, limit, isOnce }: Failed, fault: ServerFault): Promise<ServedPage> {
    const { tryRequest, note, largest, step } = this.#requests;
    const { get, store } = this.#context;
    const isHealthy = await servesStart(this.#part);
    if (isOnce) {
      // The first request had no retries: the service may have failed for a moment, or for all requests.
      const again = isHealthy
        ? await tryRequest(offset, limit)
        : await get(this.#filter, offset, limit);
      if (again !== null) return note(again);
    }
    if (!isHealthy) throw fault.hadAnswers ? fault : new ServiceUnavailable(fault.message);
    // "Too fast" for one address alone is a refusal of the place: no record is the cause.
    const isRefusal = fault.status === TOO_FAST && (await tryRequest(offset, 1)) === null;
    if (isRefusal) throw refusalOf(fault, TOO_FAST);
    store.hasFaultyRecord = true;
    if (offset > 0 && (await failsFrom(offset, this.#part))) throw this.#close(offset, fault);
    const fails = Math.min(limit, largest() === 1 ? USUAL_PAGE : largest() + 1);
    const { page: head, size: served } = await findLargest(0, fails, (size) =>
      tryRequest(offset, size),
    );
    const at = offset + (head === null ? 0 : countRecords(head));
    // A body that ends early by chance is no broken record.
    const single = (await tryRequest(at, 1)) ?? (await tryRequest(at, 1));
    if (single === null) {
      // A page that leads from the open part of the list into the closed one.
      if (head !== null && !isSlice(this.#filter) && (await failsPagesAfter(at, this.#part))) {
        this.#close(at, fault);
        return note(head);
      }
      // So many in a row are a part of the list that is not served.
      if (this.#broken.countBefore(at) >= MOST_IN_A_ROW) {
        this.#broken.deleteIn(at - MOST_IN_A_ROW, at);
        throw refusalOf(fault, NO_SUCH_RANGE);
      }
      const keys = head === null ? [] : keysOf(head);
      const full = largest() === 1 ? null : largest();
      if (!this.#broken.add(at, fault.reason, keys, full)) throw fault;
      // The page must not be larger than any other: the walk derives its step from the sizes of pages.
      const rows = Math.max(at - offset + 2, Math.min(limit, step()));
      const page = await this.#readAround(offset, rows);
      if (page !== null) return page;
    }
    // No record is the cause: the page was too large for this place. Past the end, an empty page is an answer too.
    if (head !== null && (countRecords(head) > 0 || head.next === null)) {
      this.#size.settle(offset, served);
      return note(head);
    }
    throw new RecordMoves(
      `Cannot continue at offset ${offset}: the record that fails there moves (${fault.message})`,
    );
  }

  /** The list as its failures show it. */
  get #part(): Part {
    const { tryRequest, largest, isInOrder, hasFollowed } = this.#requests;
    const fails = async (offset: number): Promise<boolean> =>
      this.isClosed(offset) || (await tryRequest(offset, 1)) === null;
    const follows = async (offset: number): Promise<boolean> => {
      if (!isInOrder() || hasFollowed(offset)) return isInOrder();
      const page = await tryRequest(offset - 1, 2);
      return page !== null && countRecords(page) + (page.furniture ?? 0) === 2;
    };
    return { fails, follows, page: largest(), isSlice: isSlice(this.#filter) };
  }

  /** Remembers that nothing is served from an offset on: no failure there is that of a record. */
  #close(offset: number, fault: ServerFault): PermanentAnswer {
    this.#broken.deleteIn(offset - MOST_IN_A_ROW, offset + 2 * this.#requests.largest());
    const refusal = refusalOf(fault, NO_SUCH_RANGE);
    if (!this.isClosed(offset)) this.#closed = { offset, refusal };
    return refusal;
  }
}

/** A failure that is the service's answer for a place, as a refusal with a status that says so. */
const refusalOf = ({ message, reason }: ServerFault, status: number): PermanentAnswer =>
  new PermanentAnswer(message, status, { reason });
