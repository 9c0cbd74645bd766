/** Rate limits, for readers at the relay and for clients of the embedded service. */
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

export interface Rate {
  readonly requests: number;
  readonly seconds: number;
}

/** Counts requests by any key, in memory. */
export class Limiter {
  readonly #limiter: RateLimiterMemory;

  constructor({ requests, seconds }: Rate) {
    this.#limiter = new RateLimiterMemory({ points: requests, duration: seconds });
  }

  /** Counts a request. @returns milliseconds to wait; 0 to go on */
  async waitMs(key: string): Promise<number> {
    try {
      await this.#limiter.consume(key);
      return 0;
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return Math.max(1, refused.msBeforeNext);
      throw refused;
    }
  }
}
