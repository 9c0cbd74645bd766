/** Dates as feeds and sitemaps write them; a date that no calendar has is none. */

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const DAYS = "Sun Mon Tue Wed Thu Fri Sat".split(" ");

const RFC_822 =
  /^(?:([A-Z][a-z]{2}), )?(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2})(?::(\d{2}))? (?:GMT|UT|Z|[ECMP][SD]T|[+-]\d{4})$/;
const RFC_3339 = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** As RSS wants it: RFC 822 with a year of four digits; the day of the week, where given, must be right. */
export function isRfc822(text: string): boolean {
  const found = RFC_822.exec(text);
  if (found === null) return false;
  const [, weekday, day = "", month = "", year = "", ...time] = found;
  const at = MONTHS.indexOf(month);
  if (!exists(Number(year), at, Number(day), time)) return false;
  const real = DAYS[new Date(Date.UTC(Number(year), at, Number(day))).getUTCDay()];
  return weekday === undefined || weekday === real;
}

export function isRfc3339(text: string): boolean {
  const found = RFC_3339.exec(text);
  if (found === null) return false;
  const [, year, month, day, ...time] = found;
  return exists(Number(year), Number(month) - 1, Number(day), time);
}

/** As sitemaps want it: a day, or a time as in RFC 3339. */
export function isW3cDate(text: string): boolean {
  const found = DAY.exec(text);
  if (found === null) return isRfc3339(text);
  const [, year, month, day] = found;
  return exists(Number(year), Number(month) - 1, Number(day), []);
}

function exists(
  year: number,
  month: number,
  day: number,
  [hours = "0", minutes = "0", seconds = "0"]: readonly (string | undefined)[],
): boolean {
  const date = new Date(Date.UTC(year, month, day));
  if (date.getUTCMonth() !== month || date.getUTCDate() !== day) return false;
  // 60 is a leap second.
  return Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) <= 60;
}
