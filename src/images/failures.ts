/** Why there is no thumbnail, how long that is remembered, and whether the one from before may still be shown. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * By reason: how long the address is not asked again after the first failure, and whether the trouble may be in the asking, so
 * that a thumbnail from before is still shown.
 */
export const FAILURES = {
  "not-an-address": { rememberMs: 0, keepsEarlier: false },
  /** Judging is cheaper than remembering, and the service's own origin may change. */
  "forbidden-address": { rememberMs: 0, keepsEarlier: false },
  /** 404, 410 or 451: taken away on purpose. */
  gone: { rememberMs: 7 * DAY_MS, keepsEarlier: false },
  /** Any other answer that is neither a picture nor the host's own trouble. */
  refused: { rememberMs: DAY_MS, keepsEarlier: true },
  "host-failed": { rememberMs: 6 * HOUR_MS, keepsEarlier: true },
  throttled: { rememberMs: HOUR_MS, keepsEarlier: true },
  unreachable: { rememberMs: 6 * HOUR_MS, keepsEarlier: true },
  "too-slow": { rememberMs: 6 * HOUR_MS, keepsEarlier: true },
  "too-many-redirects": { rememberMs: 7 * DAY_MS, keepsEarlier: false },
  "too-many-bytes": { rememberMs: 7 * DAY_MS, keepsEarlier: false },
  "too-many-pixels": { rememberMs: 7 * DAY_MS, keepsEarlier: false },
  "too-small": { rememberMs: 7 * DAY_MS, keepsEarlier: false },
  /** By decoding: often an error page with the status 200. */
  "not-a-picture": { rememberMs: DAY_MS, keepsEarlier: true },
  damaged: { rememberMs: DAY_MS, keepsEarlier: true },
  /** The decoder crashed or hung. */
  "decoder-failed": { rememberMs: DAY_MS, keepsEarlier: true },
  /** Not asked: no network, no requests left, or its host failed too often. The next run asks. */
  postponed: { rememberMs: 0, keepsEarlier: true },
} as const;

export type FailureReason = keyof typeof FAILURES;

/** Whether a word is a reason of this version of the program. */
export function isReason(word: string | null): word is FailureReason {
  return word !== null && Object.hasOwn(FAILURES, word);
}

const LONGEST_MEMORY_MS = 30 * DAY_MS;

/**
 * When an address that failed may be asked for again. The wait doubles: a dead host costs less with every run.
 *
 * @param failures in a row, this one included
 * @param now milliseconds since the epoch, like the result
 */
export function retryAt(reason: FailureReason, failures: number, now: number): number {
  const wait = FAILURES[reason].rememberMs * 2 ** Math.min(failures - 1, 20);
  return now + Math.min(wait, LONGEST_MEMORY_MS);
}

/** A failure as an error; its message says what exactly, without the address. */
export class PictureFailed extends Error {
  override readonly name = "PictureFailed";
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
