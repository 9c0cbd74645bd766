/**
 * What an answer to a vote or a report means. Pure.
 *
 * A status is not the whole story: a service may tell a refusal as a success, with `errno` in the body.
 */

/** What became of a POST; each is a state that a person is told. */
export type Outcome = "counted" | "unconfirmed" | "later" | "offline" | "refused";

export interface Answer {
  readonly outcome: Outcome;
  /** How long the service asks to be left alone, in milliseconds; 0 where it does not say. */
  readonly waitMs: number;
}

/** Whether it was executed, nobody here can say. */
export const UNCONFIRMED: Answer = { outcome: "unconfirmed", waitMs: 0 };

/**
 * @param retryAfter value of `Retry-After`; null where it is absent or may not be read from another origin
 * @param now milliseconds since the epoch
 */
export function readAnswer(
  status: number,
  body: string,
  retryAfter: string | null,
  now: number,
): Answer {
  const errno = Number(/"errno":\s*(\d+)/.exec(body)?.[1] ?? 0);
  const code = status < 300 && errno > 0 ? errno : status;
  if (code < 300) return { outcome: "counted", waitMs: 0 };
  // A gateway that gave up does not know what the service behind it did.
  if (code === 502 || code === 504) return UNCONFIRMED;
  if (code === 408 || code === 425 || code === 429 || code >= 500) {
    return { outcome: "later", waitMs: waitMs(retryAfter, body, now) };
  }
  return { outcome: "refused", waitMs: 0 };
}

function waitMs(retryAfter: string | null, body: string, now: number): number {
  const seconds = retryAfter ?? /in (\d+)[.\d]* ?s(?:ec|\b)/.exec(body)?.[1] ?? "0";
  if (/^\d+$/.test(seconds)) return Number(seconds) * 1_000;
  // `Date.parse` alone would read "-5" as a year; every HTTP date ends in GMT.
  const at = seconds.endsWith(" GMT") ? Date.parse(seconds) : now;
  return Math.max(0, at - now);
}
