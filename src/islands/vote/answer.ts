/**
 * Sends a vote or a report, and reads the answer.
 *
 * The status is not enough: a service may answer a refusal with 200 and an `errno` in the body.
 */
import { readAvailableInMs, standardWaitMs } from "../../http/http-date.ts";

/** Outcome of a POST, and a state that the card shows. */
export type Outcome = "counted" | "unconfirmed" | "later" | "offline" | "refused";

export interface Answer {
  readonly outcome: Outcome;
  /** Time that the service asks clients to wait, in milliseconds; 0 where it names none. */
  readonly waitMs: number;
}

/** A longer wait, such as until the year 9999, is ignored. */
const MAX_WAIT_MS = 30 * 86_400_000;

/** It is unknown whether the service counted the vote. */
export const UNCONFIRMED: Answer = { outcome: "unconfirmed", waitMs: 0 };

/**
 * Sends a vote or a report once, as a simple request, which needs no preflight. Never rejects.
 *
 * The request continues when the reader leaves the page. A redirect is not followed: it would turn the POST into a GET,
 * whose success means nothing.
 */
export async function post(action: string, pk: string): Promise<Answer> {
  try {
    const response = await fetch(action, {
      method: "POST",
      body: new URLSearchParams({ pk }),
      credentials: "omit",
      redirect: "error",
      keepalive: true,
    });
    const body = await response.text();
    return readAnswer(response.status, body, response.headers.get("retry-after"), Date.now());
  } catch (error) {
    // There is no answer, or CORS hides it: the vote may have been counted in both cases.
    if (error instanceof TypeError) return UNCONFIRMED;
    throw error;
  }
}

/**
 * @param retryAfter value of `Retry-After`; null where it is absent, or hidden by CORS
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
  // A gateway that timed out does not know whether the service counted the vote.
  if (code === 502 || code === 504) return UNCONFIRMED;
  if (code === 408 || code === 425 || code === 429 || code >= 500) {
    const waitMs = standardWaitMs(retryAfter, now) ?? readAvailableInMs(body) ?? 0;
    return { outcome: "later", waitMs: waitMs > MAX_WAIT_MS ? 0 : waitMs };
  }
  return { outcome: "refused", waitMs: 0 };
}
