/** Chooses the quote of the day. */

const DAY_MS = 86_400_000;

/** The day in UTC, `YYYY-MM-DD`. */
export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/**
 * The place, from 0, of a day's quote among `count`.
 *
 * Each day steps on by about 0.618 of the collection, by a step that shares no divisor with it: every quote has its
 * day before any has its second, and neighbours in the list are far apart in time.
 *
 * @throws {RangeError} when `date` is no day
 */
export function placeOfDay(date: string, count: number): number {
  const at = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(at)) throw new RangeError(`Cannot choose a quote for ${date}: no such day`);
  if (count <= 1) return 0;
  const day = Math.floor(at / DAY_MS);
  return (((day * stepFor(count)) % count) + count) % count;
}

function stepFor(count: number): number {
  let step = Math.max(1, Math.round(count * 0.618));
  while (commonDivisor(step, count) !== 1) step++;
  return step;
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
