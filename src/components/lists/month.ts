/** The days of a month in weeks. */

const WEEK = 7;

/**
 * @param month `YYYY-MM`
 * @returns weeks from Monday to Sunday, each day as `YYYY-MM-DD`; null outside of the month
 */
export function weeksOf(month: string): (string | null)[][] {
  const first = new Date(`${month}-01T00:00:00Z`);
  const year = first.getUTCFullYear();
  const length = new Date(Date.UTC(year, first.getUTCMonth() + 1, 0)).getUTCDate();
  const before = (first.getUTCDay() + WEEK - 1) % WEEK;
  const weeks = Math.ceil((before + length) / WEEK);
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: WEEK }, (_, weekday) => {
      const day = week * WEEK + weekday - before + 1;
      return day < 1 || day > length ? null : `${month}-${String(day).padStart(2, "0")}`;
    }),
  );
}
