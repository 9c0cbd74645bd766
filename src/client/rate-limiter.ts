/**
 * Delays requests after a 429, during a backoff, and until a `notBefore` that a killed run stored. All requests in flight
 * share one limiter, so a 429 to one stops all.
 */
import { counted } from "../util/text.ts";
import { BudgetSpent } from "../contract/ledger.ts";
import type { ClientOptions } from "./connection.ts";

export class RateLimiter {
  readonly #options: ClientOptions;
  #backOffUntil = 0;
  #why = "an earlier run was asked to wait";
  #sleeping: Promise<void> | null = null;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Resolves when a request may be sent. */
  async wait(): Promise<void> {
    const { runtime, ledger, signal } = this.#options;
    for (;;) {
      signal.throwIfAborted();
      if (runtime.now() >= Math.max(ledger.notBefore, this.#backOffUntil)) return;
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
      throw new BudgetSpent(
        `Cannot send more than ${counted(maxRequests, "request")}: the budget is spent`,
        null,
      );
    }
    ledger.countRequest();
    report({ kind: "call", requests: ledger.requests });
  }

  /** Postpones all requests as the service asked; stored on disk before the wait (docs/walk.md, section 8). */
  throttle(waitMs: number, why: string): void {
    const { ledger, runtime } = this.#options;
    this.#why = why;
    ledger.postpone(runtime.now() + waitMs);
  }

  /**
   * Postpones all requests after a transient failure.
   *
   * @param askedMs wait that the service asked for, as a 503 may; 0 for none
   */
  backOff(waitMs: number, askedMs: number): void {
    this.#backOffUntil = Math.max(this.#backOffUntil, this.#options.runtime.now() + waitMs);
    if (askedMs > 0) this.throttle(askedMs, "the service is busy and asked us to wait");
  }

  async #sleep(): Promise<void> {
    const { runtime, ledger, signal, report } = this.#options;
    const from = runtime.now();
    const asked = ledger.notBefore;
    if (asked > from) {
      this.#checkWaitBudget(asked, asked - from);
      report({ kind: "wait", until: asked, why: this.#why });
    }
    // The time may have passed since `wait` checked it, and Node warns about a negative delay.
    await runtime.sleep(Math.max(from, asked, this.#backOffUntil) - from, signal);
    if (asked > from) ledger.addWait(Math.max(0, runtime.now() - from));
  }

  #checkWaitBudget(until: number, waitMs: number): void {
    const { ledger, maxWaitMs } = this.#options;
    if (ledger.waitedMs + waitMs <= maxWaitMs) return;
    const at = new Date(until).toISOString();
    throw new BudgetSpent(
      `Cannot continue before ${at}: ${this.#why}, longer than --max-wait allows; run it again then`,
      until,
    );
  }
}
