/**
 * Reads how long to wait after a refusal: `Retry-After`, the `RateLimit` headers in their several spellings, or the
 * sentence that DRF writes into the body of a 429 (docs/walk.md, section 8).
 *
 * A date is read relative to the answer's own `Date`: the service's clock may be wrong, but its differences are right.
 */
import { parseHttpDate, readAvailableInMs } from "./http-date.ts";
import { retryAfterMs, toWaitMs } from "./retry-after.ts";

/** Reads a header by its lower-case name; null when absent. */
export type HeaderReader = (name: string) => string | null;

export interface RateLimit {
  /** Requests allowed in a window; null when unknown. */
  readonly limit: number | null;
  /** Requests that are left in it; null when unknown. */
  readonly remaining: number | null;
  /** Milliseconds until a new window begins, of several the one that is used up; null when unknown. */
  readonly resetMs: number | null;
}

const PREFIXES = ["ratelimit", "x-ratelimit", "x-rate-limit"];

/** @param now local time, in milliseconds since the epoch; used where the answer has no `Date` */
export function readRateLimit(header: HeaderReader, now: number): RateLimit {
  const at = parseHttpDate(header("date")) ?? now;
  const one = (what: string): string | null =>
    PREFIXES.map((prefix) => header(`${prefix}-${what}`)).find((text) => text !== null) ?? null;
  const windows = [header("ratelimit"), header("x-ratelimit")].flatMap(readWindows);
  const [usedUp = windows[0]] = windows
    .filter(({ remaining }) => remaining === 0)
    .toSorted((a, b) => (b.reset ?? 0) - (a.reset ?? 0));
  const reset =
    usedUp?.reset === undefined
      ? retryAfterMs(one("reset-after") ?? one("reset"), null, at)
      : toWaitMs(usedUp.reset * 1_000, at);
  const policy = /(?:;\s*q=|^\s*)(\d{1,15})/.exec(header("ratelimit-policy") ?? "")?.[1];
  return {
    limit: usedUp?.limit ?? readNumber(policy ?? null) ?? readNumber(one("limit")),
    remaining: usedUp?.remaining ?? readNumber(one("remaining")),
    resetMs: reset,
  };
}

/** Reads a number; of several, as `100, 100;w=60`, the first. */
function readNumber(text: string | null): number | null {
  const digits = /^\s*(\d{1,15})(?:\.\d{1,9})?\s*(?:[;,]|$)/.exec(text ?? "")?.[1];
  return digits === undefined ? null : Number(digits);
}

interface Policy {
  readonly limit?: number;
  readonly remaining?: number;
  /** In seconds, or since the epoch. */
  readonly reset?: number;
}

/** Reads both forms of the drafts: `limit=100, remaining=0, reset=50` and `"burst";r=0;t=5, "day";r=90;t=80000`. */
function readWindows(structured: string | null): Policy[] {
  if (structured === null) return [];
  const isOld = /(?:^|[;,\s])reset\s*=/i.test(structured);
  return (isOld ? [structured] : structured.split(",")).map((text) => ({
    ...member("limit", text, /(?:^|[;,\s])limit\s*=\s*(\d{1,15})/i),
    ...member("remaining", text, /(?:^|[;,\s])(?:remaining|r)\s*=\s*(\d{1,15})/i),
    ...member("reset", text, /(?:^|[;,\s])(?:reset|t)\s*=\s*(\d{1,15})/i),
  }));
}

function member(name: keyof Policy, text: string, pattern: RegExp): Policy {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? {} : { [name]: Number(found) };
}

/** Reads the wait of a refusal that may have another reason than its rate: `Retry-After`, or the reset of a used-up window. */
export function readBusyWaitMs(header: HeaderReader, now: number): number | null {
  const { remaining, resetMs } = readRateLimit(header, now);
  const asked = retryAfterMs(header("retry-after"), header("date"), now);
  return asked ?? (remaining === 0 ? resetMs : null);
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
