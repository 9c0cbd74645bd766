/**
 * What must outlive a process about asking one host: how much was asked, and when it may be asked again.
 *
 * A killed and restarted run neither asks before its time nor forgets what it spent (docs/walk.md, section 8).
 */
import { StoppedEarly } from "./errors.ts";

/**
 * No wait is longer. A service that asks for more made a mistake, such as seconds since 1970 in `Retry-After`, or means
 * a quota that one request a day does not hurt.
 */
export const LONGEST_WAIT_MS = 24 * 3_600_000;

export interface Ledger {
  /** Milliseconds since the epoch before which nothing may be sent; 0 when there is no such time. */
  readonly notBefore: number;
  /** Requests sent in this session, also by a process that was killed in it. */
  readonly requests: number;
  /** Milliseconds spent waiting for permission in this session. */
  readonly waitedMs: number;
  /** Counts a request; on disk before it is sent. */
  spend(): void;
  /** Moves `notBefore` on, never back, and at most `LONGEST_WAIT_MS` from now; on disk before anyone sleeps. */
  postpone(until: number): void;
  waited(ms: number): void;
  /** Notes what an answer told about the host's quota. */
  learn(lesson: QuotaLesson): void;
}

/** One thing that an answer taught about the quota. */
export interface QuotaLesson {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Requests allowed in a window, as the headers say; null when they do not. */
  readonly limit: number | null;
  /** Requests left in the window; 0 with a 429; null when unknown. */
  readonly remaining: number | null;
  /** Milliseconds until the window ends; null when unknown. */
  readonly resetMs: number | null;
  /** Whether the request was refused. */
  readonly refused: boolean;
}

/** A budget of requests or of waiting is used up; the progress is kept. */
export class BudgetSpent extends StoppedEarly {
  /** When going on makes sense, in milliseconds since the epoch; null for whenever the budget allows. */
  readonly resumeAt: number | null;

  constructor(message: string, resumeAt: number | null) {
    super(message);
    this.resumeAt = resumeAt;
  }
}

/** What is known of a host's quota, kept from night to night. */
export interface LearnedQuota {
  /** Requests that a period allows; null when unknown. */
  readonly limit: number | null;
  /** Length of the period in milliseconds, as far as it showed; null when unknown. */
  readonly periodMs: number | null;
  /** Whether the service said so in its headers, or it was seen from what it refused. */
  readonly from: "headers" | "refusals";
  /** When that was, in milliseconds since the epoch. */
  readonly at: number;
}
