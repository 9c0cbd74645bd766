/**
 * Reads pages of one list: a page that is not whole is requested again, and a record that makes the service fail is
 * skipped.
 */
import {
  GarbledAnswer,
  PermanentAnswer,
  ServerFault,
  WalkFailed,
  ServiceUnavailable,
  StoppedEarly,
} from "../contract/errors.ts";
import type { Filter, ServedPage } from "../contract/window.ts";
import { concludes } from "./evidence.ts";
import { keysOf, type HarvestContext } from "./context.ts";
import { orNull } from "./optional.ts";

/** Consecutive empty pages with a `next` (docs/walk.md, section 4). */
const MOST_EMPTY_PAGES = 3;
/** Answers to one request, where none is whole and no two agree. */
export const MOST_ANSWERS = 4;
/** Records of a list that make the service fail; with more, the service itself has failed. */
const MOST_FAULTS = 20;

/** Statuses of services that refuse large offsets; at offset 0 they mean something else. */
const TOO_DEEP: ReadonlySet<number> = new Set([400, 404, 416, 422]);

export function isTooDeep(error: unknown): error is PermanentAnswer {
  return error instanceof PermanentAnswer && TOO_DEEP.has(error.status);
}

export const countRecords = (page: ServedPage): number =>
  page.quotes.length + page.quarantined.length;

/** Counts the known keys that a page lacks. */
export function countMissing(page: ServedPage, known: readonly number[]): number {
  const back = new Set(keysOf(page));
  return known.filter((pk) => !back.has(pk)).length;
}

/** Whether a page is an envelope with records, as many as the distance to the next page. */
export function isWhole(page: ServedPage): boolean {
  const distance = (page.next?.offset ?? 0) - page.offset;
  return page.shape === "envelope" && countRecords(page) > 0 && countRecords(page) >= distance;
}

/** The keys of a page, sorted, which of them are unreadable, and whether more follow: equal where two answers agree. */
export function summarise(page: ServedPage): string {
  const keys = keysOf(page).toSorted((a, b) => a - b);
  const unreadable = page.quarantined.map(({ pk }) => pk).toSorted();
  return JSON.stringify([page.shape, page.next === null, countRecords(page), keys, unreadable]);
}

/** Keeps the quotes of a page that another answer to the same request holds too. */
export function intersect(page: ServedPage, other: ServedPage): ServedPage {
  const ids = new Set(other.quotes.map(({ id }) => id));
  return { ...page, quotes: page.quotes.filter(({ id }) => ids.has(id)), quarantined: [] };
}

/** All parts of a harvest that read the same list share one object: a record that failed before is not retried. */
export class Pages {
  readonly filter: Filter;
  readonly context: HarvestContext;
  /** Offsets of the records that made the service fail. */
  readonly #broken = new Set<number>();
  /** Most records that a page had. */
  #largest = 1;
  /** Pages with a skipped record, whose failure was confirmed already: they need no second answer. */
  readonly #skipped = new WeakSet<ServedPage>();

  constructor(filter: Filter, context: HarvestContext) {
    this.filter = filter;
    this.context = context;
  }

  /** Reads the page at an offset, or the first one after it that is not empty. A single refusal is a fault. */
  async read(offset: number): Promise<ServedPage> {
    const page = await orNull(this.request(offset), isTooDeep);
    return this.settle(page ?? (await this.request(offset)));
  }

  /** Confirms a served page, and follows `next` where it is empty. */
  async settle(served: ServedPage): Promise<ServedPage> {
    const { offset } = served;
    let page = await this.confirm(served);
    for (let empty = 1; countRecords(page) === 0 && page.next !== null; empty++) {
      const onward = page.next.offset ?? 0;
      if (empty > MOST_EMPTY_PAGES || onward <= page.offset) {
        throw new WalkFailed(
          `Cannot walk the collection: the pages from offset ${offset} on are empty and lead to no end`,
        );
      }
      page = await this.request(onward);
    }
    return page;
  }

  /** Requests a page again until an answer is sound, or two consecutive answers agree. */
  async confirm(served: ServedPage): Promise<ServedPage> {
    const answers: ServedPage[] = [];
    for (let page = served; ; page = await this.request(served.offset)) {
      answers.push(page);
      const isSound = isWhole(page) && !this.hasUnconfirmed(page);
      if (isSound || concludes("a page is not whole", answers.map(summarise))) return page;
      if (answers.length >= MOST_ANSWERS) break;
    }
    const whole = answers.filter(isWhole);
    const [best = served] = (whole.length > 0 ? whole : answers).toSorted(
      (one, other) => other.quotes.length - one.quotes.length,
    );
    return best;
  }

  /** Whether a page has unreadable records that no other answer has confirmed. */
  hasUnconfirmed(page: ServedPage): boolean {
    return page.quarantined.length > 0 && !this.#skipped.has(page);
  }

  /** Requests a page as it is served: it may be cut or empty. */
  async request(offset: number, limit = this.context.pageSize): Promise<ServedPage> {
    const { get } = this.context;
    // Retries are few in a run. Where a record failed before, another one is the likely cause.
    const attempts = this.#broken.size > 0 ? "once" : undefined;
    try {
      return this.#noted(await get(this.filter, offset, limit, attempts));
    } catch (error) {
      if (attempts === "once" && error instanceof GarbledAnswer) {
        return this.#noted(await get(this.filter, offset, limit));
      }
      if (!(error instanceof ServerFault)) throw error;
      return this.#skipRecord(offset, limit, error);
    }
  }

  /**
   * Reads a page without the one record that makes the service fail: the records before and after it, apart. The record
   * must fail at the same offset before and after these requests, which proves that nothing moved.
   */
  async #skipRecord(offset: number, limit: number, fault: ServerFault): Promise<ServedPage> {
    const { get, pageSize } = this.context;
    const healthy = (await this.#tryRequest(0, 1)) ?? (await this.#tryRequest(1, 1));
    if (this.#broken.size > 0) {
      // The first request had no retries: the service may have failed for a moment, or for all requests.
      const again =
        healthy === null
          ? await get(this.filter, offset, limit)
          : await this.#tryRequest(offset, limit);
      if (again !== null) return this.#noted(again);
    }
    if (healthy === null) throw fault.hadAnswers ? fault : new ServiceUnavailable(fault.message);
    let served = 0;
    let fails = pageSize;
    while (fails - served > 1) {
      const middle = (served + fails) >> 1;
      if ((await this.#tryRequest(offset, middle)) === null) fails = middle;
      else served = middle;
    }
    const head = served === 0 ? null : await get(this.filter, offset, served);
    const moved = new StoppedEarly(
      `Cannot go on at offset ${offset}: the record that fails there moves, or --page-size is to be below ${pageSize} (${fault.message})`,
    );
    const at = offset + (head === null ? 0 : countRecords(head));
    if ((await this.#tryRequest(at, 1)) !== null) throw moved;
    this.#broken.add(at);
    if (this.#broken.size > MOST_FAULTS) throw fault;
    const place = at - offset;
    // The page must not be larger than any other: the walk derives its step from the sizes of pages.
    const rest = this.#largest === 1 ? undefined : Math.max(1, this.#largest - place - 1);
    const tail = await this.request(at + 1, rest);
    if ((await this.#tryRequest(at, 1)) !== null) throw moved;
    const reason = `Cannot read the record at offset ${at}: ${fault.reason}`;
    const page = {
      ...tail,
      offset,
      quotes: [...(head?.quotes ?? []), ...tail.quotes],
      quarantined: [
        ...(head?.quarantined ?? []),
        { index: place, pk: null, reason },
        ...tail.quarantined.map((one) => ({ ...one, index: one.index + place + 1 })),
      ],
    };
    this.#skipped.add(page);
    return this.#noted(page);
  }

  #noted(page: ServedPage): ServedPage {
    this.#largest = Math.max(this.#largest, countRecords(page));
    return page;
  }

  /** Sends one request without retries; null where the service failed. */
  #tryRequest(offset: number, limit: number): Promise<ServedPage | null> {
    const page = this.context.get(this.filter, offset, limit, "once");
    return orNull(page, (error) => error instanceof ServerFault);
  }
}
