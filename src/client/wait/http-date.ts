/**
 * HTTP dates in their three forms (RFC 9110, section 5.6.7).
 *
 * `Date.parse` alone reads "-5" as a year, takes many other forms, and reads the one without a zone as local time.
 */

/** Sun, 06 Nov 1994 08:49:37 GMT, and Sunday, 06-Nov-94 08:49:37 GMT. */
const IN_GMT = /^[A-Z][a-z]{2,8}, \d\d[ -][A-Z][a-z]{2}[ -](?:\d{2}|\d{4}) [\d:]{8} GMT$/;
/** Sun Nov  6 08:49:37 1994 */
const WITHOUT_ZONE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4}$/;

/** @returns milliseconds since the epoch; null when the text is no HTTP date */
export function httpDate(text: string): number | null {
  const dated = WITHOUT_ZONE.test(text) ? `${text} GMT` : text;
  const at = dated !== text || IN_GMT.test(text) ? Date.parse(dated) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}
