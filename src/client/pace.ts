/**
 * How fast a service is asked: requests in flight, and the pause between the starts of two. Both are kept for the next run
 * (docs/walk.md, section 8).
 *
 * A failure halves the width for the rest of the run, and lengthens the pause: by half a second after a good answer, to twice
 * its length after another failure. Good answers shorten it slowly. Failures of requests that were in flight together count
 * once. So a service that fails now and then, however slowly it is asked, is not asked ever more slowly.
 */
import type { KnownPace } from "../contract/ledger.ts";
import type { ClientOptions } from "./connection.ts";
import type { RateLimiter } from "./rate-limiter.ts";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;
/** A pause never becomes shorter in the run that began it; as long as this, it ends with the run. */
const LEAST_PAUSE_MS = 100;
const SHRINK = 0.95;

/** A request that has its turn. */
export interface Turn {
  /** Slow-downs before it was sent. */
  readonly era: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

export class Pace {
  readonly #options: Pick<ClientOptions, "runtime" | "ledger" | "signal" | "concurrency">;
  readonly #limiter: RateLimiter;
  #width: number;
  #pauseMs: number;
  #inFlight = 0;
  #era = 0;
  /** When the next request may start. */
  #next = 0;
  /** Ends when the last request before has started. */
  #queue: Promise<void> = Promise.resolve();
  readonly #waiting: (() => void)[] = [];
  #hasAnswered = false;
  /** Why there are pauses, for a message. */
  #why = "the service needs pauses, as it did before";
  /** Whether the last answer was a refusal. */
  #isRefused = false;
  /** Whether parallel requests got answers that contradict each other. */
  #isNarrow = false;

  constructor(options: ClientOptions, limiter: RateLimiter) {
    this.#options = options;
    this.#limiter = limiter;
    const { pace } = options.ledger;
    this.#width = Math.min(options.concurrency, (pace?.width ?? options.concurrency) * 2);
    this.#pauseMs = pace === null || pace.pauseMs <= LEAST_PAUSE_MS ? 0 : pace.pauseMs;
  }

  get now(): KnownPace {
    return { width: this.#width, pauseMs: this.#pauseMs };
  }

  /**
   * Runs one request in its turn.
   *
   * @throws {BudgetSpent} when the pause exceeds what may be waited
   */
  async run<T>(request: (turn: Turn) => Promise<T>): Promise<T> {
    while (this.#inFlight >= this.#width) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#inFlight++;
    try {
      const started = this.#queue.then(() => this.#waitForTurn());
      this.#queue = started.catch(() => undefined);
      await started;
      return await request({ era: this.#era, startedAt: this.#options.runtime.now() });
    } finally {
      this.#inFlight--;
      this.#waiting.shift()?.();
    }
  }

  async #waitForTurn(): Promise<void> {
    const { runtime, signal, ledger } = this.#options;
    await this.#limiter.wait();
    for (;;) {
      const from = runtime.now();
      const waitMs = this.#next - from;
      if (waitMs <= 0) break;
      this.#limiter.checkBudget(waitMs, this.#why);
      await runtime.sleep(waitMs, signal);
      ledger.addWait(Math.max(0, runtime.now() - from));
      await this.#limiter.wait();
    }
    this.#next = runtime.now() + this.#jittered();
  }

  /** Half of the pause is jitter. */
  #jittered(): number {
    return (this.#pauseMs / 2) * (1 + this.#options.runtime.random());
  }

  /** Notes an answer that was neither too fast nor away. */
  speedUp(): void {
    this.#hasAnswered = true;
    this.#isRefused = false;
    if (this.#pauseMs > 0) this.#pauseMs = Math.max(LEAST_PAUSE_MS, this.#pauseMs * SHRINK);
  }

  /** Notes a refusal; one that was in flight with an earlier one changes nothing. @param what it was, as a clause */
  slowDown({ era }: Turn = { era: this.#era, startedAt: 0 }, what = ""): void {
    if (what !== "") this.#why = `the service needs pauses (${what})`;
    if (era !== this.#era) return;
    this.#era++;
    this.#width = Math.max(1, this.#width >> 1);
    const longer = this.#isRefused ? this.#pauseMs * 2 : this.#pauseMs + FIRST_PAUSE_MS;
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, longer));
    this.#isRefused = true;
    this.#next = Math.max(this.#next, this.#options.runtime.now() + this.#jittered());
    this.keep();
  }

  /** Delays the next request once. */
  hesitate(): void {
    const pauseMs = (FIRST_PAUSE_MS / 2) * (1 + this.#options.runtime.random());
    this.#next = Math.max(this.#next, this.#options.runtime.now() + pauseMs);
  }

  /** One request in flight for the rest of the run. */
  narrow(): void {
    this.#width = 1;
    this.#isNarrow = true;
  }

  /** Starts the next request no later than a moment. */
  startBy(moment: number): void {
    this.#next = Math.min(this.#next, moment);
  }

  /** Returns to an earlier pace: the failures since then belong to one address, and say nothing of the pace. */
  restore({ width, pauseMs }: KnownPace): void {
    if (!this.#isNarrow) this.#width = Math.max(this.#width, width);
    this.#pauseMs = Math.min(this.#pauseMs, pauseMs);
    this.#next = Math.min(this.#next, this.#options.runtime.now() + this.#jittered());
    for (const wake of this.#waiting.splice(0)) wake();
    this.keep();
  }

  /** Stores the pace, if the service was ever slow. A run without an answer met an outage, which says nothing of the pace. */
  keep(): void {
    if (!this.#hasAnswered) return;
    const { ledger, concurrency } = this.#options;
    const wasSlow = this.#pauseMs > 0 || this.#width < concurrency || ledger.pace !== null;
    if (wasSlow) ledger.keepPace(this.now);
  }
}
