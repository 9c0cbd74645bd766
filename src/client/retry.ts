/** Decides when to retry (docs/walk.md, section 8). p-retry counts; the rate limiter waits, so `minTimeout` is 0. */
import pRetry from "p-retry";
import { StoppedEarly, ServiceUnavailable } from "../contract/errors.ts";
import { AttemptFailed } from "./verdict.ts";

const ATTEMPTS = 4;
const MAX_BACK_OFF_MS = 60_000;
/** Consecutive transient failures, over all requests, after which no request is sent any more. */
const GIVE_UP_AFTER = 5;

/** Retries allowed after a number of useful answers: a tenth of them, and five. */
function retriesAllowed(useful: number): number {
  return Math.floor(useful / 10) + 5;
}

/** @returns milliseconds from 0 to 1 s, 2 s, 4 s, … (full jitter), at most 60 s */
function backOffMs(attempt: number, random: number): number {
  return random * Math.min(MAX_BACK_OFF_MS, 1_000 * 2 ** (attempt - 1));
}

export interface RetryHooks {
  readonly random: () => number;
  /** @param askedMs wait that the service asked for, as a 503 may; 0 for none */
  readonly backOff: (ms: number, askedMs: number) => void;
  readonly onRetry: (why: string) => void;
}

export class Retrier {
  readonly #hooks: RetryHooks;
  /** Retries made. */
  retries = 0;
  #useful = 0;
  #failedInARow = 0;
  /** Thrown by every later request; null until the retrier has given up. */
  #stopped: Error | null = null;

  constructor(hooks: RetryHooks) {
    this.#hooks = hooks;
  }

  /**
   * Runs an attempt until it succeeds or may not be retried; then throws its last failure. After giving up it sends
   * nothing more.
   *
   * @param once whether there are no retries, and a failure does not count towards giving up
   */
  async run<T>(attempt: () => Promise<T>, once = false): Promise<T> {
    if (this.#stopped !== null) throw this.#stopped;
    const isLast = this.#failedInARow >= GIVE_UP_AFTER;
    const result = await pRetry(attempt, {
      retries: ATTEMPTS - 1,
      minTimeout: 0,
      shouldRetry: ({ error, attemptNumber }) =>
        this.#mayRepeat(error, attemptNumber, { once, isLast }),
      onFailedAttempt: ({ error }) => {
        const counts = error instanceof AttemptFailed && error.verdict === "transient";
        if (counts && !once) this.#failedInARow++;
      },
    });
    this.#useful++;
    this.#failedInARow = 0;
    return result;
  }

  /** @param isLast whether too many requests in a row had failed before this one */
  #mayRepeat(
    error: Error,
    attempt: number,
    { once, isLast }: { readonly once: boolean; readonly isLast: boolean },
  ): boolean {
    if (!(error instanceof AttemptFailed)) return false;
    const repeatable =
      error.verdict === "transient" || (error.verdict === "garbled" && attempt === 1);
    if (!repeatable) return false;
    if (this.#failedInARow >= GIVE_UP_AFTER) {
      // One record can fail several requests in flight. The next request, for another record, decides.
      if (error.status === 500 && !isLast) return false;
      throw this.#giveUp(`${GIVE_UP_AFTER} failures in a row`, error);
    }
    if (once) return false;
    if (this.retries >= retriesAllowed(this.#useful)) {
      throw this.#giveUp(`${this.retries} retries for ${this.#useful} answers`, error);
    }
    this.retries++;
    this.#hooks.onRetry(error.message);
    this.#hooks.backOff(backOffMs(attempt, this.#hooks.random()), error.askedWaitMs ?? 0);
    return true;
  }

  #giveUp(count: string, error: AttemptFailed): Error {
    this.#stopped = this.toUnavailable(`Cannot go on after ${count}: ${error.message}`, error);
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
