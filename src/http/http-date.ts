/** The forms of the HTTP standard for a date and a wait; scripts of pages read no others, to stay small. */

/**
 * @param header value of `Retry-After`: seconds, an HTTP date, or null when absent
 * @param now milliseconds since the epoch
 * @returns the wait in milliseconds, never negative; null when the header is unusable
 * @see RFC 9110, section 10.2.3
 */
export function standardWaitMs(header: string | null, now: number): number | null {
  const text = header?.trim() ?? "";
  // Not in the RFC, but some services send fractions of a second.
  if (/^\d+(?:\.\d+)?$/.test(text)) {
    return Math.min(Math.ceil(Number(text) * 1_000), Number.MAX_SAFE_INTEGER);
  }
  const at = parseHttpDate(text);
  return at === null ? null : Math.max(0, at - now);
}

/** Sun, 06 Nov 1994 08:49:37 GMT, and Sunday, 06-Nov-94 08:49:37 GMT; some services write +0000. */
const IN_GMT =
  /^[A-Z][a-z]{2,8}, \d\d?[ -][A-Z][a-z]{2}[ -](?:\d{2}|\d{4}) [\d:]{8} (?:GMT|UTC|[+-]\d{4})$/;
/** Sun Nov  6 08:49:37 1994 */
const WITHOUT_ZONE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4}$/;

/**
 * Reads an HTTP date in one of its three forms. `Date.parse` alone reads "-5" as a year, accepts many other forms, and
 * reads the form without a zone as local time.
 *
 * @returns milliseconds since the epoch; null when the text is not an HTTP date
 * @see RFC 9110, section 5.6.7
 */
export function parseHttpDate(header: string | null): number | null {
  const text = header?.trim() ?? "";
  const dated = WITHOUT_ZONE.test(text) ? `${text} GMT` : text;
  const at = dated !== text || IN_GMT.test(text) ? Date.parse(dated) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

/** Reads `Expected available in 2837.0 seconds.` anywhere in a body; null when it is absent. */
export function readAvailableInMs(body: string): number | null {
  const seconds = /available in (\d{1,9}(?:\.\d{1,9})?) ?s/i.exec(body)?.[1];
  return seconds === undefined ? null : Math.ceil(Number(seconds) * 1_000);
}
