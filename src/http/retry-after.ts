/** Reads how long a service asks a client to wait, in every form that services were seen to use. */
import { parseHttpDate } from "./http-date.ts";

/** A time since the epoch, in seconds and in milliseconds: no wait is so long. */
const EPOCH_SECONDS = 1e9;
const EPOCH_MS = 1e12;
/** The same in milliseconds, microseconds and nanoseconds, and how many a millisecond has. */
const FINER = [
  [EPOCH_MS, 1],
  [1e15, 1e3],
  [1e18, 1e6],
] as const;

/**
 * @param header value of `Retry-After`: seconds, a duration with units, a date, or null when absent
 * @param date value of the same answer's `Date`, or null when absent
 * @param now local time, in milliseconds since the epoch; used where there is no `date`
 * @returns the wait in milliseconds, never negative; null when the header is unusable
 * @see RFC 9110, section 10.2.3
 */
export function retryAfterMs(
  header: string | null,
  date: string | null,
  now: number,
): number | null {
  const text = unquoted(header ?? "");
  const theirNow = parseHttpDate(date) ?? now;
  const duration = parseDurationMs(text);
  if (duration !== null) return toWaitMs(duration, theirNow);
  const at = parseHttpDate(text) ?? parseIsoDate(text);
  return at === null ? null : Math.max(0, at - theirNow);
}

/** A proxy may repeat a header and join both values, and some services quote it. A comma also stands in dates. */
function unquoted(header: string): string {
  const text = header.trim().replace(/^"(.*)"$/, "$1");
  return /^[+-]?[\d.]+\s*[a-z]*\s*,/i.test(text) ? (text.split(",", 1)[0] ?? "") : text;
}

/**
 * Turns a duration into a wait; one that is longer than 30 years is a time since the epoch.
 *
 * @param theirNow the time of the service, in milliseconds since the epoch
 */
export function toWaitMs(durationMs: number, theirNow: number): number {
  const seconds = durationMs / 1_000;
  for (const [least, perMs] of FINER) {
    if (seconds >= least && seconds < least * 100) return Math.max(0, seconds / perMs - theirNow);
  }
  if (seconds >= EPOCH_SECONDS && seconds < EPOCH_MS) return Math.max(0, durationMs - theirNow);
  return Math.min(Math.ceil(durationMs), Number.MAX_SAFE_INTEGER);
}

/** Milliseconds of each unit, by its first letters. */
const UNITS: Readonly<Record<string, number>> = {
  "": 1_000,
  ms: 1,
  msec: 1,
  msecs: 1,
  millisecond: 1,
  milliseconds: 1,
  ...{ s: 1_000, sec: 1_000, secs: 1_000, second: 1_000, seconds: 1_000 },
  ...{ m: 60_000, min: 60_000, mins: 60_000, minute: 60_000, minutes: 60_000 },
  ...{ h: 3_600_000, hr: 3_600_000, hrs: 3_600_000, hour: 3_600_000, hours: 3_600_000 },
  ...{ d: 86_400_000, day: 86_400_000, days: 86_400_000 },
};

const PARTS = /^(?:\d{1,400}(?:\.\d{1,9})?\s*[a-z]*\s*)+$/i;
/** The time of an ISO 8601 duration: PT1M30S. */
const ISO_DURATION = /^P(?:\d+D)?T?((?:\d+(?:\.\d+)?[HMS])+)$/i;

/**
 * Reads `120`, `1.5`, `30s`, `500 ms`, `1m30s` and `PT30S`, in milliseconds. A negative number asks for no wait.
 *
 * @returns null for anything else
 */
function parseDurationMs(text: string): number | null {
  const trimmed = text.trim();
  if (/^-\d+(?:\.\d+)?$/.test(trimmed)) return 0;
  const parts = ISO_DURATION.exec(trimmed)?.[1] ?? trimmed;
  if (!PARTS.test(parts)) return null;
  let sum = 0;
  const found = [...parts.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]*)/gi)];
  for (const [, number = "", unit = ""] of found) {
    const unitMs = Object.hasOwn(UNITS, unit.toLowerCase()) ? UNITS[unit.toLowerCase()] : undefined;
    // Several numbers without units are no duration.
    if (unitMs === undefined || (unit === "" && found.length > 1)) return null;
    sum += Number(number) * unitMs;
  }
  return sum;
}

/** 2026-11-21T12:00:00Z, with a fraction or another zone; without a zone it is taken as UTC. */
const ISO_DATE = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?\s*(Z|[+-]\d\d:?\d\d)?$/i;

/** @returns milliseconds since the epoch; null when the text is not a date and time of ISO 8601 */
function parseIsoDate(text: string): number | null {
  const [whole, zone] = ISO_DATE.exec(text.trim()) ?? [];
  if (whole === undefined) return null;
  const at = Date.parse(
    `${whole.replace(" ", "T").replace(",", ".")}${zone === undefined ? "Z" : ""}`,
  );
  return Number.isNaN(at) ? null : at;
}
