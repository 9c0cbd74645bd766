/**
 * Delays requests until the time that the service named, also by an answer to an earlier run, and counts them. All requests
 * in flight share one limiter, so a 429 to one stops all.
 */
import { counted } from "../util/text.ts";
import { BudgetSpent } from "../contract/ledger.ts";
import type { RateLimit } from "../http/wait.ts";
import type { ClientOptions } from "./connection.ts";

export class RateLimiter {
  readonly #options: ClientOptions;
  /** Called with the milliseconds that all requests waited. */
  readonly #waited: (ms: number) => void;
  #why = "an earlier run was asked to wait";
  #sleeping: Promise<void> | null = null;
  /** Whether an earlier run was asked to wait, and this one has a new window of requests. */
  readonly #wasPostponed: boolean;
  /** Whether an answer of this run was good. */
  #hasCounted = false;
  /** Whether "no request is left" is not believed. */
  #countsWrong = false;

  constructor(options: ClientOptions, waited: (ms: number) => void) {
    this.#options = options;
    this.#wasPostponed = options.ledger.notBefore > 0;
    this.#waited = waited;
  }

  /** Resolves when the service allows a request. */
  async wait(): Promise<void> {
    const { runtime, ledger, signal } = this.#options;
    for (;;) {
      signal.throwIfAborted();
      if (runtime.now() >= ledger.notBefore) return;
      this.#sleeping ??= this.#sleep().finally(() => (this.#sleeping = null));
      await this.#sleeping;
    }
  }

  /**
   * Counts a request before it is sent.
   *
   * @throws {BudgetSpent} when it would exceed the request budget
   */
  count(): void {
    const { ledger, maxRequests, report } = this.#options;
    if (maxRequests !== null && ledger.requests >= maxRequests) {
      const sent = `Cannot send more than ${counted(maxRequests, "request")}: the budget is spent`;
      const advice = "; a run reads a page again before it goes on, --max-requests 2 is the least";
      throw new BudgetSpent(maxRequests === 1 ? sent + advice : sent, null);
    }
    ledger.countRequest();
    report({ kind: "call", requests: ledger.requests });
  }

  /**
   * Postpones all requests as the service asked; stored on disk before the wait (docs/walk.md, section 8). Up to a tenth is
   * added, so that clients that were refused together do not come back together.
   */
  postpone(askedMs: number, why: string): void {
    const { ledger, runtime } = this.#options;
    this.#why = why;
    ledger.postpone(Math.ceil(runtime.now() + askedMs * (1 + runtime.random() / 10)));
  }

  /**
   * Notes what a good answer says of the quota, and postpones all requests where it says that none is left. Some services send this
   * with every answer and refuse none. A window of 0 requests is no window. A new window of several requests has some left after the
   * first one: such an answer is doubted until the service refuses a request, or says that some are left.
   */
  noteQuota({ limit, remaining, resetMs }: RateLimit): void {
    const { ledger } = this.#options;
    const isNew = this.#wasPostponed && !this.#hasCounted && limit !== 1;
    this.#hasCounted = true;
    if (limit !== null && limit > 0) ledger.learnQuota(limit, resetMs);
    if (remaining !== 0 || limit === 0 || resetMs === null || resetMs <= 0) {
      this.#countsWrong = false;
      return;
    }
    this.#countsWrong ||= isNew;
    if (!this.#countsWrong) this.postpone(resetMs, "the service says that no request is left");
  }

  /** Whether the run may wait so long. */
  mayWait(waitMs: number): boolean {
    const { ledger, maxWaitMs } = this.#options;
    return ledger.waitedMs + waitMs <= maxWaitMs;
  }

  /** @throws {BudgetSpent} when a wait exceeds what may be waited */
  checkBudget(waitMs: number, why: string): void {
    const { runtime } = this.#options;
    if (this.mayWait(waitMs)) return;
    const until = runtime.now() + waitMs;
    throw new BudgetSpent(
      `Cannot continue before ${new Date(until).toISOString()}: ${why}, longer than --max-wait allows; run it again then`,
      until,
    );
  }

  async #sleep(): Promise<void> {
    const { runtime, ledger, signal, report } = this.#options;
    const from = runtime.now();
    const until = ledger.notBefore;
    // The time may have passed since `wait` checked it, and Node warns about a negative delay.
    const waitMs = Math.max(0, until - from);
    if (waitMs > 0) {
      this.checkBudget(waitMs, this.#why);
      report({ kind: "wait", until, why: this.#why });
    }
    await runtime.sleep(waitMs, signal);
    const waitedMs = Math.max(0, runtime.now() - from);
    if (waitMs > 0) ledger.addWait(waitedMs);
    this.#waited(waitedMs);
  }
}
