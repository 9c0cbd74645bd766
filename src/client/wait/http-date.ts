/**
 * HTTP dates in their three forms (RFC 9110, section 5.6.7).
 *
 * Not `Date.parse`: it reads "-5" as a year, takes many other forms, and reads the one without a zone as local time.
 */

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const TIME = String.raw`(?<hour>\d{2}):(?<minute>\d{2}):(?<second>\d{2})`;

const FORMS = [
  // Sun, 06 Nov 1994 08:49:37 GMT
  new RegExp(
    String.raw`^[A-Z][a-z]{2}, (?<day>\d{2}) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) ${TIME} GMT$`,
  ),
  // Sunday, 06-Nov-94 08:49:37 GMT
  new RegExp(
    String.raw`^[A-Z][a-z]{5,8}, (?<day>\d{2})-(?<month>[A-Z][a-z]{2})-(?<year>\d{2}) ${TIME} GMT$`,
  ),
  // Sun Nov  6 08:49:37 1994
  new RegExp(
    String.raw`^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) ${TIME} (?<year>\d{4})$`,
  ),
];

/**
 * @param now milliseconds since the epoch, to tell the century of a two-digit year
 * @returns milliseconds since the epoch; null when the text is no HTTP date
 */
export function httpDate(text: string, now: number): number | null {
  for (const form of FORMS) {
    const parts = form.exec(text)?.groups;
    if (parts === undefined) continue;
    const month = MONTHS.indexOf(parts["month"] ?? "");
    const day = Number(parts["day"]);
    const [hour, minute, second] = [parts["hour"], parts["minute"], parts["second"]].map(Number);
    if (month < 0 || day < 1 || day > 31 || hour! > 23 || minute! > 59 || second! > 60) return null;
    return Date.UTC(fullYear(parts["year"] ?? "", now), month, day, hour, minute, second);
  }
  return null;
}

/** A two-digit year more than 50 years ahead belongs to the century before (RFC 9110, section 5.6.7). */
function fullYear(digits: string, now: number): number {
  if (digits.length === 4) return Number(digits);
  const thisYear = new Date(now).getUTCFullYear();
  const year = thisYear - (thisYear % 100) + Number(digits);
  return year > thisYear + 50 ? year - 100 : year;
}
