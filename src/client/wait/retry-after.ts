/**
 * How long a refused request asks us to wait, from its `Retry-After`.
 *
 * A date is taken relative to the answer's own `Date`: the service's clock may be an hour off, its differences are not.
 */
import { httpDate } from "./http-date.ts";

/**
 * @param header value of `Retry-After`: whole seconds, an HTTP date, or null when absent
 * @param date value of the same answer's `Date`, or null when absent
 * @param now our own time, in milliseconds since the epoch; used where `date` says nothing
 * @returns the wait in milliseconds, never negative; null when the header says nothing usable
 * @see RFC 9110, section 10.2.3
 */
export function retryAfterMs(
  header: string | null,
  date: string | null,
  now: number,
): number | null {
  const text = header?.trim() ?? "";
  // Fractions are not in the RFC, but some services send them; the unit is still the second.
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1_000);
  const at = httpDate(text);
  if (at === null) return null;
  const from = (date === null ? null : httpDate(date.trim())) ?? now;
  return Math.max(0, at - from);
}
