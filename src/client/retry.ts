/** Decides when to retry (docs/walk.md, section 8). p-retry counts; the rate limiter waits, so `minTimeout` is 0. */
import pRetry from "p-retry";
import { StoppedEarly, ServiceUnavailable } from "../contract/errors.ts";
import type { ClientOptions } from "./connection.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import { AttemptFailed } from "./verdict.ts";

const ATTEMPTS = 4;
const MAX_BACK_OFF_MS = 60_000;
/** Consecutive transient failures, over all requests, after which no request is sent any more. */
const GIVE_UP_AFTER = 5;

export class Retrier {
  readonly #options: Pick<ClientOptions, "runtime" | "report">;
  readonly #limiter: RateLimiter;
  /** Retries made. */
  retries = 0;
  #useful = 0;
  #failedInARow = 0;
  /** Thrown by every later request; null until the retrier has given up. */
  #stopped: Error | null = null;

  constructor(options: Pick<ClientOptions, "runtime" | "report">, limiter: RateLimiter) {
    this.#options = options;
    this.#limiter = limiter;
  }

  /**
   * Runs an attempt until it succeeds or may not be retried; then throws its last failure. After giving up it sends
   * nothing more.
   *
   * @param once whether there are no retries, and a failure does not count towards giving up
   */
  async run<T>(attempt: () => Promise<T>, once = false): Promise<T> {
    if (this.#stopped !== null) throw this.#stopped;
    /** Whether too many requests in a row had failed before this one. */
    const isLast = this.#failedInARow >= GIVE_UP_AFTER;
    const result = await pRetry(attempt, {
      retries: ATTEMPTS - 1,
      minTimeout: 0,
      shouldRetry: ({ error, attemptNumber }) => {
        if (!(error instanceof AttemptFailed)) return false;
        const isGarbled = error.verdict === "garbled" && attemptNumber === 1;
        if (error.verdict !== "transient" && !isGarbled) return false;
        if (this.#failedInARow < GIVE_UP_AFTER)
          return !once && this.#countRetry(error, attemptNumber);
        // One record can make several requests in flight fail. The next request, for another record, decides.
        if (error.mayBeOfRecord && !isLast) return false;
        throw this.#giveUp(`${GIVE_UP_AFTER} failures in a row`, error);
      },
      onFailedAttempt: ({ error }) => {
        const counts = error instanceof AttemptFailed && error.verdict === "transient";
        if (counts && !once) this.#failedInARow++;
      },
    });
    this.#useful++;
    this.#failedInARow = 0;
    return result;
  }

  /** Retries are at most a tenth of the useful answers, and five. The wait is from 0 to 1 s, 2 s, 4 s, … (full jitter). */
  #countRetry(error: AttemptFailed, attempt: number): boolean {
    if (this.retries >= Math.floor(this.#useful / 10) + 5) {
      throw this.#giveUp(`${this.retries} retries for ${this.#useful} answers`, error);
    }
    this.retries++;
    const { runtime, report } = this.#options;
    report({ kind: "retry", why: error.message });
    const longestMs = Math.min(MAX_BACK_OFF_MS, 1_000 * 2 ** (attempt - 1));
    this.#limiter.backOff(runtime.random() * longestMs, error.askedWaitMs ?? 0);
    return true;
  }

  #giveUp(count: string, error: AttemptFailed): Error {
    this.#stopped = this.toUnavailable(`Cannot continue after ${count}: ${error.message}`, error);
    return this.#stopped;
  }

  /** Whether the service ever answered. */
  get hadAnswers(): boolean {
    return this.#useful > 0;
  }

  /** A service that never answered is unavailable; one that did may answer again later. */
  toUnavailable(message: string, cause: unknown): Error {
    return this.hadAnswers
      ? new StoppedEarly(message, { cause })
      : new ServiceUnavailable(message, { cause });
  }
}
