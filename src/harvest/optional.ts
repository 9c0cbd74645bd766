/**
 * Optional requests: the tag list, the quote of the day, the curated list, probes. Their failure never ends a run
 * (docs/walk.md, section 6).
 */
import {
  ConfigurationError,
  ServiceUnavailable,
  StoppedEarly,
  ServerFault,
} from "../contract/errors.ts";
import type { Filter, GetQuoteOfTheDay, ServedPage } from "../contract/window.ts";
import { savePage, type HarvestContext } from "./context.ts";

/** Consecutive failures after which no optional request is sent; the same number as for transient failures. */
const MOST_FAILURES = 5;

/** Whether a request was refused, or did not get a usable answer. */
export function isRefused(error: unknown): error is Error {
  return [ServiceUnavailable, ServerFault, ConfigurationError].some(
    (Known) => error instanceof Known,
  );
}

/** Returns the answer; null when the request failed with an expected error, by default a refusal. */
export async function orNull<T>(
  answer: Promise<T>,
  isExpected: (error: unknown) => boolean = isRefused,
): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (isExpected(error)) return null;
    throw error;
  }
}

/** One failure budget for all optional requests of a run. */
export class Optional {
  #failedInARow = 0;
  #last = "";

  /** Whether the failure budget is spent, so that no further optional request is sent. */
  get isSpent(): boolean {
    return this.#failedInARow >= MOST_FAILURES;
  }

  /**
   * Sends optional requests, unless the failure budget is spent.
   *
   * @param failed called with the reason of a failure
   * @returns null after a failure
   */
  async ask<T>(work: () => Promise<T>, failed?: (why: string) => void): Promise<T | null> {
    if (this.isSpent) {
      failed?.(`${MOST_FAILURES} such requests failed in a row: ${this.#last}`);
      return null;
    }
    try {
      const value = await work();
      this.#failedInARow = 0;
      return value;
    } catch (error) {
      if (!isRefused(error) && !(error instanceof StoppedEarly)) throw error;
      this.#failedInARow++;
      this.#last = error.message;
      failed?.(error.message);
      return null;
    }
  }
}

/** Requests that `freshen` sends. */
export const FRESHEN_REQUESTS = 3;

/**
 * Reads the quotes that change most, for a run whose budget does not reach the end of the collection: the most liked, the
 * newest, and the quote of the day.
 *
 * @param list of the selection, not a curated one: a record does not show whether it is curated
 * @param newest offset of the newest quotes if they are last in the list; if they are first, the walk begins with them
 */
export async function freshen(
  context: HarvestContext,
  list: Filter,
  newest: number,
  quoteOfTheDay: GetQuoteOfTheDay,
  optional: Optional,
): Promise<void> {
  const { get, pageSize } = context;
  context.report({ kind: "phase", phase: "freshen" });
  const mostLiked = { ...list, mostLiked: true };
  const ofTheDay = async (): Promise<ServedPage> => {
    const quotes = await quoteOfTheDay(list.language);
    return { offset: 0, quotes, quarantined: [], shape: "envelope", next: null, count: null };
  };
  const read: readonly [string, Filter, () => Promise<ServedPage>][] = [
    ["the most liked quotes", mostLiked, () => get(mostLiked, 0, pageSize, "once")],
    ["the newest quotes", list, () => get(list, newest, pageSize, "once")],
    ["the quote of the day", list, ofTheDay],
  ];
  for (const [what, filter, ask] of read) {
    const page = await optional.ask(ask, (why) =>
      context.report({ kind: "remark", text: `${what} could not be read first: ${why}` }),
    );
    if (page !== null) savePage(context, page, filter, "fresh");
  }
}
