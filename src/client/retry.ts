/** When to ask again (docs/walk.md, section 8). p-retry counts; the gate waits, so `minTimeout` is 0. */
import pRetry from "p-retry";
import { StoppedEarly, ServiceUnavailable } from "../contract/errors.ts";
import { AttemptFailed } from "./verdict.ts";

const ATTEMPTS = 4;
const MAX_BACK_OFF_MS = 60_000;
/** Transient failures in a row, over all pages, after which the service is taken to be down. */
const GIVE_UP_AFTER = 5;

/** How many retries a number of useful answers allows (docs/walk.md, section 8): a tenth, and five. */
export function retriesAllowed(useful: number): number {
  return Math.floor(useful / 10) + 5;
}

/** @returns milliseconds from 0 to 1 s, 2 s, 4 s, … (full jitter), at most 60 s */
export function backOffMs(attempt: number, random: number): number {
  return random * Math.min(MAX_BACK_OFF_MS, 1_000 * 2 ** (attempt - 1));
}

export interface RetryHooks {
  readonly random: () => number;
  /** @param askedMs what the service itself asked for, as a 503 may; 0 when nothing */
  readonly backOff: (ms: number, askedMs: number) => void;
  readonly onRetry: (why: string) => void;
}

export class Retrier {
  readonly #hooks: RetryHooks;
  /** Retries made. */
  retries = 0;
  #useful = 0;
  #failedInARow = 0;
  /** Why nothing more is asked. */
  #stopped: Error | null = null;

  constructor(hooks: RetryHooks) {
    this.#hooks = hooks;
  }

  /**
   * Runs an attempt until it succeeds or may not be repeated; then its last failure is thrown as it was. Once the
   * service was given up, no request is sent any more.
   *
   * @param once whether it is not repeated, and counts as no failure
   */
  async run<T>(attempt: () => Promise<T>, once = false): Promise<T> {
    if (this.#stopped !== null) throw this.#stopped;
    const result = await pRetry(attempt, {
      retries: once ? 0 : ATTEMPTS - 1,
      minTimeout: 0,
      shouldRetry: ({ error, attemptNumber }) => !once && this.#mayRepeat(error, attemptNumber),
      onFailedAttempt: ({ error }) => {
        const counts = error instanceof AttemptFailed && error.verdict === "transient";
        if (counts && !once) this.#failedInARow++;
      },
    });
    this.#useful++;
    this.#failedInARow = 0;
    return result;
  }

  #mayRepeat(error: Error, attempt: number): boolean {
    if (!(error instanceof AttemptFailed)) return false;
    const repeatable =
      error.verdict === "transient" || (error.verdict === "garbled" && attempt === 1);
    if (!repeatable) return false;
    if (this.#failedInARow >= GIVE_UP_AFTER) {
      throw this.#giveUp(`${GIVE_UP_AFTER} failures in a row`, error);
    }
    if (this.retries >= retriesAllowed(this.#useful)) {
      throw this.#giveUp(`${this.retries} retries for ${this.#useful} answers`, error);
    }
    this.retries++;
    this.#hooks.onRetry(error.message);
    this.#hooks.backOff(backOffMs(attempt, this.#hooks.random()), error.askedWaitMs ?? 0);
    return true;
  }

  #giveUp(count: string, error: AttemptFailed): Error {
    this.#stopped = this.silence(`Cannot go on after ${count}: ${error.message}`, error);
    return this.#stopped;
  }

  /** Whether the service ever answered. */
  get hadAnswers(): boolean {
    return this.#useful > 0;
  }

  /** Nothing at all came back: there is no service. Something did: it may come back later. */
  silence(message: string, cause: unknown): Error {
    return this.hadAnswers
      ? new StoppedEarly(message, { cause })
      : new ServiceUnavailable(message, { cause });
  }
}
