/**
 * Reads how long to wait after a refusal: `Retry-After`, the `RateLimit` headers in their several spellings, or the
 * sentence that DRF writes into the body of a 429 (docs/walk.md, section 8).
 *
 * A date is read relative to the answer's own `Date`: the service's clock may be wrong, but its differences are right.
 */
import { parseHttpDate, readAvailableInMs, retryAfterMs } from "./retry-after.ts";

/** Reads a header by its lower-case name; null when absent. */
export type HeaderReader = (name: string) => string | null;

export interface RateLimit {
  /** Requests allowed in a window; null when unknown. */
  readonly limit: number | null;
  /** Milliseconds until a new window begins; null when unknown. */
  readonly resetMs: number | null;
}

/** A reset from here on is a time since the epoch, in seconds or in milliseconds. */
const EPOCH_SECONDS = 1e9;
const EPOCH_MS = 1e12;

/** @param now local time, in milliseconds since the epoch; used where the answer has no `Date` */
export function readRateLimit(header: HeaderReader, now: number): RateLimit {
  const structured = header("ratelimit");
  const at = parseHttpDate(header("date")) ?? now;
  const readNumber = (what: string): number | null =>
    ["ratelimit", "x-ratelimit", "x-rate-limit"]
      .map((prefix) => header(`${prefix}-${what}`) ?? "")
      .filter((text) => /^\s*\d{1,15}(?:\.\d{1,9})?\s*$/.test(text))
      .map(Number)[0] ?? null;
  const reset = readMember(structured, RESET) ?? readNumber("reset");
  const limit = readMember(structured, LIMIT) ?? readMember(header("ratelimit-policy"), QUOTA);
  return {
    limit: limit ?? readNumber("limit"),
    resetMs: reset === null ? null : toWaitMs(reset, at),
  };
}

function toWaitMs(reset: number, at: number): number {
  if (reset >= EPOCH_MS) return Math.max(0, reset - at);
  if (reset >= EPOCH_SECONDS) return Math.max(0, reset * 1_000 - at);
  return Math.ceil(reset * 1_000);
}

/** Both forms of the drafts: `limit=100, remaining=0, reset=50` and `"default";r=0;t=50`. */
const LIMIT = /(?:^|[;,\s])limit\s*=\s*(\d{1,15})/i;
const RESET = /(?:^|[;,\s])(?:reset|t)\s*=\s*(\d{1,15})/i;

/** `"default";q=100;w=60` and `100;w=60`. */
const QUOTA = /(?:;\s*q=|^\s*)(\d{1,15})/;

function readMember(structured: string | null, name: RegExp): number | null {
  const found = name.exec(structured ?? "")?.[1];
  return found === undefined ? null : Number(found);
}

const FIRST_GUESS_MS = 60_000;
const LONGEST_GUESS_MS = 15 * 60_000;

/** Reads the wait that the service asked for, in milliseconds; null when it asked for none. */
export function readAskedWaitMs(header: HeaderReader, body: string, now: number): number | null {
  return (
    retryAfterMs(header("retry-after"), header("date"), now) ??
    readRateLimit(header, now).resetMs ??
    readAvailableInMs(body)
  );
}

/**
 * Computes the wait after a 429, in milliseconds.
 *
 * @param askedMs wait that the service asked for; null for none
 * @param inARow consecutive 429 answers, this one included
 * @param random from 0 to 1; up to a tenth is added as jitter
 */
export function throttleWaitMs(askedMs: number | null, inARow: number, random: number): number {
  const guess = Math.min(LONGEST_GUESS_MS, FIRST_GUESS_MS * 2 ** (inARow - 1));
  // A service that repeats "wait 0 seconds" would otherwise get requests without a pause.
  const least = inARow > 1 ? Math.min(LONGEST_GUESS_MS, 250 * 2 ** inARow) : 0;
  const base = Math.max(askedMs ?? guess, least);
  return Math.ceil(base + (base * random) / 10);
}
