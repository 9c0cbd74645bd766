/** One attempt that gave no usable answer, and the reaction it calls for. Never leaves this folder. */
import type { Verdict } from "./classify.ts";

interface Details {
  readonly cause?: unknown;
  /** The status of the answer; 0 when there was none. */
  readonly status?: number;
  /** What the service asked us to wait, in milliseconds. */
  readonly askedWaitMs?: number | null;
}

export class AttemptFailed extends Error {
  override readonly name = "AttemptFailed";
  readonly verdict: Exclude<Verdict, "accept" | "redirect">;
  readonly status: number;
  readonly askedWaitMs: number | null;

  /** @param what names the failure as part of a sentence: `the service answered 500` */
  constructor(verdict: AttemptFailed["verdict"], what: string, details: Details = {}) {
    super(what, { cause: details.cause });
    this.verdict = verdict;
    this.status = details.status ?? 0;
    this.askedWaitMs = details.askedWaitMs ?? null;
  }
}
