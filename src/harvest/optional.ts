/**
 * What a harvest can do without: the tag list, the quote of the day, what is curated, a question about one quote. It
 * never ends a run (docs/walk.md, section 6).
 */
import { ConfigurationError, ServiceUnavailable, StoppedEarly } from "../contract/errors.ts";
import { ServerFault } from "../contract/refused-answer.ts";

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
  async ask<T>(work: () => Promise<T>, failed: (why: string) => void): Promise<T | null> {
    if (this.isSpent) {
      failed(`${MOST_FAILURES} such requests failed in a row: ${this.#last}`);
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
      failed(error.message);
      return null;
    }
  }
}
