/**
 * The request ledger of one host: requests sent, time waited, and when the next request is allowed.
 *
 * It is stored on disk, so a restarted run keeps the wait and the budget of the killed one (docs/walk.md, section 8).
 */
import { StoppedEarly } from "./errors.ts";

/**
 * Upper bound of a wait: a longer one is a mistake, such as milliseconds in `Retry-After`, or belongs to a quota that one
 * request a day does not exhaust. Shorter than a day: a run at the same minute of the next day must not meet it.
 */
export const LONGEST_WAIT_MS = 22 * 3_600_000;

/** How fast a service may be asked; kept between runs. */
export interface KnownPace {
  /** Requests in flight. */
  readonly width: number;
  /** Between the starts of two requests; 0 for a service that never refused one. */
  readonly pauseMs: number;
}

/** A part of a list that a service refused with a longer wait than a run had. */
export interface ClosedPlace {
  /** The address of the list, with `#` for numbers. */
  readonly list: string;
  /** From which on it is closed. */
  readonly offset: number;
}

export interface Ledger {
  /** Milliseconds since the epoch before which no request may be sent; 0 for none. */
  readonly notBefore: number;
  /** Requests sent in this session, including those of a killed process. */
  readonly requests: number;
  /** Milliseconds waited in this session because the service asked for it. */
  readonly waitedMs: number;
  /** Counts a request; stored before the request is sent, so that a killed process has counted it. */
  countRequest(): void;
  /** Moves `notBefore` forward, at most to `LONGEST_WAIT_MS` from now; stored on disk before the wait. */
  postpone(until: number): void;
  addWait(ms: number): void;
  /** Null for a service that was always fast. */
  readonly pace: KnownPace | null;
  keepPace(pace: KnownPace): void;
  readonly closed: readonly ClosedPlace[];
  keepClosed(places: readonly ClosedPlace[]): void;
  /**
   * Notes what an answer shows of the quota.
   *
   * @param limit requests allowed in a window, as the headers say; null for a refusal
   * @param resetMs milliseconds until the window ends; null when unknown
   */
  learnQuota(limit: number | null, resetMs: number | null): void;
}

/** A budget of requests or of waiting is used up; the progress is kept. */
export class BudgetSpent extends StoppedEarly {
  /** When to resume, in milliseconds since the epoch; null when only a new budget helps. */
  readonly resumeAt: number | null;

  constructor(message: string, resumeAt: number | null) {
    super(message);
    this.resumeAt = resumeAt;
  }
}

/** Known quota of a host, kept between runs. */
export interface LearnedQuota {
  /** Requests that a period allows; null when unknown. */
  readonly limit: number | null;
  /** Length of the period in milliseconds: a lower bound where it comes from refusals; null when unknown. */
  readonly periodMs: number | null;
  /** Whether it was read from headers or derived from refused requests. */
  readonly from: "headers" | "refusals";
  /** Milliseconds since the epoch. */
  readonly at: number;
}
