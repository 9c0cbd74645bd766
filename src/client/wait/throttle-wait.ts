/**
 * How long to stay away after a 429 (docs/walk.md, section 8): what the service asked for, or a guess that doubles.
 *
 * The answer is never shorter than what was asked for, however long that is; whether to wait that long is the
 * budget's decision.
 */
import { availableInMs, readRateLimit, type HeaderReader } from "./rate-limit.ts";
import { retryAfterMs } from "./retry-after.ts";

const FIRST_GUESS_MS = 60_000;
const LONGEST_GUESS_MS = 15 * 60_000;

/** What the service asked for, in milliseconds; null when it asked for nothing that can be read. */
export function askedWaitMs(header: HeaderReader, body: string, now: number): number | null {
  return (
    retryAfterMs(header("retry-after"), header("date"), now) ??
    readRateLimit(header, now).resetMs ??
    availableInMs(body)
  );
}

/**
 * @param askedMs what the service asked for; null when nothing
 * @param inARow throttled answers in a row, this one included
 * @param random from 0 to 1: the share of the tenth that is added
 */
export function throttleWaitMs(askedMs: number | null, inARow: number, random: number): number {
  const guess = Math.min(LONGEST_GUESS_MS, FIRST_GUESS_MS * 2 ** (inARow - 1));
  // "Come back at once", said again and again, would have us knock without end.
  const least = inARow > 1 ? Math.min(LONGEST_GUESS_MS, 250 * 2 ** inARow) : 0;
  const base = Math.max(askedMs ?? guess, least);
  return Math.ceil(base + (base * random) / 10);
}
