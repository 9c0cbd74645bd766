/**
 * What a host's answers teach about its quota.
 *
 * Headers say it outright. Without them a refusal does: so many requests went through since the last one, and the
 * wait that was asked for is at least a part of the period.
 */
import type { LearnedQuota, QuotaLesson } from "../../contract/ledger.ts";

export class QuotaMemory {
  #learned: LearnedQuota | null;
  /** Requests of the session when the service last refused one. */
  #refusedAfter = 0;

  /** @param stored JSON of an earlier night; null when there is none */
  constructor(stored: string | null) {
    this.#learned = stored === null ? null : (JSON.parse(stored) as LearnedQuota);
  }

  get learned(): LearnedQuota | null {
    return this.#learned;
  }

  /**
   * @param requests of the session so far, this one included
   * @returns whether something was learned that must not be lost
   */
  learn({ at, limit, resetMs, refused }: QuotaLesson, requests: number): boolean {
    if (limit !== null) {
      const periodMs = Math.max(resetMs ?? 0, this.#learned?.periodMs ?? 0) || null;
      this.#learned = { limit, periodMs, from: "headers", at };
      return false;
    }
    if (!refused) return false;
    const passed = requests - 1 - this.#refusedAfter;
    this.#refusedAfter = requests;
    // Refused again at once: that was the same period, and teaches nothing of its size.
    if (passed > 0 && this.#learned?.from !== "headers") {
      const longest = Math.max(resetMs ?? 0, this.#learned?.periodMs ?? 0);
      this.#learned = { limit: passed, periodMs: longest || null, from: "refusals", at };
    }
    return true;
  }
}
