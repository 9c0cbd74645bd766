/**
 * What a harvest can do without: the tag list, the quote of the day, what is curated, a question about one quote. It
 * never ends a run (docs/walk.md, section 6).
 */
import { ConfigurationError, ServiceUnavailable, StoppedEarly } from "../contract/errors.ts";
import { ServerFault } from "../contract/refused-answer.ts";
import type { Filter, GetQuoteOfTheDay, ServedPage } from "../contract/window.ts";
import { keepPage, type HarvestContext } from "./context.ts";

/** As many as the walk itself gives up after. */
const MOST_FAILURES = 5;

/** Whether the service answered, and would not give what was asked for. */
export function isRefused(error: unknown): error is Error {
  return (
    error instanceof ServiceUnavailable ||
    error instanceof ServerFault ||
    error instanceof ConfigurationError
  );
}

/** What was asked for; null where that failed as expected: by default, where the service would not give it. */
export async function orNull<T>(
  asked: Promise<T>,
  isExpected: (error: unknown) => boolean = isRefused,
): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (isExpected(error)) return null;
    throw error;
  }
}

/** One budget of failures for all that is optional in a night. */
export class Optional {
  #failedInARow = 0;
  #last = "";

  /** Whether so much failed that nothing optional is asked for any more. */
  get isSpent(): boolean {
    return this.#failedInARow >= MOST_FAILURES;
  }

  /**
   * Asks for something, unless too much failed before.
   *
   * @param failed called with why it was not to be had
   * @returns null where it was not to be had
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

/** Requests that `freshen` takes. */
export const FRESHEN_REQUESTS = 3;

/**
 * Reads what changes most, on a night whose budget will not reach the end of the collection: the most liked, the newest,
 * the quote of the day.
 *
 * @param list the list of the selection; a curated one is left alone, since a quote does not say whether it is curated
 * @param newest offset of the newest quotes, where the newest are last; where they are first, the walk begins with them
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
    if (page !== null) keepPage(context, page, filter, "fresh");
  }
}
