/**
 * How long a refused request asks us to wait, from its `Retry-After`.
 *
 * A date is taken relative to the answer's own `Date`: the service's clock may be an hour off, its differences are not.
 */

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

/** Sun, 06 Nov 1994 08:49:37 GMT, and Sunday, 06-Nov-94 08:49:37 GMT. */
const IN_GMT = /^[A-Z][a-z]{2,8}, \d\d[ -][A-Z][a-z]{2}[ -](?:\d{2}|\d{4}) [\d:]{8} GMT$/;
/** Sun Nov  6 08:49:37 1994 */
const WITHOUT_ZONE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4}$/;

/**
 * Reads an HTTP date in one of its three forms. `Date.parse` alone reads "-5" as a year, takes many other forms, and reads
 * the one without a zone as local time.
 *
 * @returns milliseconds since the epoch; null when the text is no HTTP date
 * @see RFC 9110, section 5.6.7
 */
export function httpDate(text: string): number | null {
  const dated = WITHOUT_ZONE.test(text) ? `${text} GMT` : text;
  const at = dated !== text || IN_GMT.test(text) ? Date.parse(dated) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}
