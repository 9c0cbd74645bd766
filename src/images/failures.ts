/** The reasons why a picture has no new thumbnail, and what each means for the next run and for an earlier thumbnail. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** By reason: how long an address is not requested again after its first failure, and whether an earlier thumbnail is kept. */
export const FAILURES = {
  "not-an-address": { rememberMs: 0, keepsEarlier: false },
  /** Not remembered: the check is cheap, and the service's origin may change. */
  "forbidden-address": { rememberMs: 0, keepsEarlier: false },
  /** 404, 410 or 451: removed on purpose. */
  gone: { rememberMs: 7 * DAY_MS, keepsEarlier: false },
  /** Any other status below 500. */
  refused: { rememberMs: DAY_MS, keepsEarlier: true },
  "host-failed": { rememberMs: 6 * HOUR_MS, keepsEarlier: true },
  throttled: { rememberMs: HOUR_MS, keepsEarlier: true },
  unreachable: { rememberMs: 6 * HOUR_MS, keepsEarlier: true },
  "too-slow": { rememberMs: 6 * HOUR_MS, keepsEarlier: true },
  "too-many-redirects": { rememberMs: 7 * DAY_MS, keepsEarlier: false },
  "too-many-bytes": { rememberMs: 7 * DAY_MS, keepsEarlier: false },
  "too-many-pixels": { rememberMs: 7 * DAY_MS, keepsEarlier: false },
  "too-small": { rememberMs: 7 * DAY_MS, keepsEarlier: false },
  /** Often an error page with the status 200. */
  "not-a-picture": { rememberMs: DAY_MS, keepsEarlier: true },
  damaged: { rememberMs: DAY_MS, keepsEarlier: true },
  "decoder-failed": { rememberMs: DAY_MS, keepsEarlier: true },
  /** The decoder's process cannot run on this machine, which says nothing about the picture. */
  "decoder-unavailable": { rememberMs: 0, keepsEarlier: true },
  /** Not requested: no network, no requests left, or its host failed too often. */
  postponed: { rememberMs: 0, keepsEarlier: true },
} as const;

export type FailureReason = keyof typeof FAILURES;

/** Reasons that say nothing about a picture: the next run must not know of them. */
export const NOT_OF_PICTURE: ReadonlySet<FailureReason> = new Set([
  "postponed",
  "decoder-unavailable",
]);

/** Whether a word is a reason in this version of the program. */
export function isReason(word: string | null): word is FailureReason {
  return word !== null && Object.hasOwn(FAILURES, word);
}

const LONGEST_MEMORY_MS = 30 * DAY_MS;

/**
 * When an address that failed may be requested again. The wait doubles with each failure.
 *
 * @param failures consecutive failures, this one included
 * @param now milliseconds since the epoch, like the result
 */
export function retryAt(reason: FailureReason, failures: number, now: number): number {
  const wait = FAILURES[reason].rememberMs * 2 ** Math.min(failures - 1, 20);
  return now + Math.min(wait, LONGEST_MEMORY_MS);
}

/** The message is a clause about the picture, without its address. */
export class PictureFailed extends Error {
  override readonly name = "PictureFailed";
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
