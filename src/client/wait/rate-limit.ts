/**
 * What an answer tells about the quota: the `RateLimit` headers in their several spellings, and the sentence that
 * DRF writes into the body of a 429.
 */
import { httpDate } from "./retry-after.ts";

/** Reads a header by its lower-case name; null when absent. */
export type HeaderReader = (name: string) => string | null;

export interface RateLimit {
  /** Requests allowed in a window; null when not told. */
  readonly limit: number | null;
  readonly remaining: number | null;
  /** Milliseconds until the window starts anew; null when not told. */
  readonly resetMs: number | null;
}

/** Larger numbers are times since the epoch, in seconds; larger still, in milliseconds. */
const EPOCH_SECONDS = 1e9;
const EPOCH_MS = 1e12;

/** @param now our own time, in milliseconds since the epoch; used where the answer has no `Date` */
export function readRateLimit(header: HeaderReader, now: number): RateLimit {
  const structured = header("ratelimit") ?? "";
  const date = header("date");
  const at = (date === null ? null : httpDate(date.trim())) ?? now;
  const named = (what: string): number | null =>
    firstNumber(
      header(`ratelimit-${what}`),
      header(`x-ratelimit-${what}`),
      header(`x-rate-limit-${what}`),
    );
  const reset = member(structured, RESET) ?? named("reset");
  return {
    limit: member(structured, LIMIT) ?? policyQuota(header("ratelimit-policy")) ?? named("limit"),
    remaining: member(structured, REMAINING) ?? named("remaining"),
    resetMs: reset === null ? null : resetIn(reset, at),
  };
}

/** `Expected available in 2837.0 seconds.`, wherever it stands in the body; null when it does not. */
export function availableInMs(body: string): number | null {
  const seconds = /available in (\d{1,9}(?:\.\d{1,9})?) ?s/i.exec(body)?.[1];
  return seconds === undefined ? null : Math.ceil(Number(seconds) * 1_000);
}

function resetIn(reset: number, at: number): number {
  if (reset >= EPOCH_MS) return Math.max(0, reset - at);
  if (reset >= EPOCH_SECONDS) return Math.max(0, reset * 1_000 - at);
  return Math.ceil(reset * 1_000);
}

/** `limit=100, remaining=0, reset=50` and `"default";r=0;t=50`: both forms of the drafts. */
const LIMIT = /(?:^|[;,\s])limit\s*=\s*(\d{1,15})/i;
const REMAINING = /(?:^|[;,\s])(?:remaining|r)\s*=\s*(\d{1,15})/i;
const RESET = /(?:^|[;,\s])(?:reset|t)\s*=\s*(\d{1,15})/i;

function member(structured: string, name: RegExp): number | null {
  const found = structured === "" ? null : name.exec(structured);
  return found?.[1] === undefined ? null : Number(found[1]);
}

/** `"default";q=100;w=60` and `100;w=60`. */
function policyQuota(policy: string | null): number | null {
  const found = /(?:;\s*q=|^\s*)(\d{1,15})/.exec(policy ?? "");
  return found?.[1] === undefined ? null : Number(found[1]);
}

function firstNumber(...texts: readonly (string | null)[]): number | null {
  for (const text of texts) {
    if (text !== null && /^\s*\d{1,15}(?:\.\d{1,9})?\s*$/.test(text)) return Number(text);
  }
  return null;
}
