/**
 * How long each header and sentence asks a client to wait (docs/walk.md, section 8): sixty forms of `Retry-After`, with the
 * service's clock right, an hour early and an hour late.
 */
import { expect, test } from "vitest";
import { readAskedWaitMs, readRateLimit, throttleWaitMs } from "../../src/http/wait.ts";
import { readAvailableInMs } from "../../src/http/http-date.ts";
import { retryAfterMs } from "../../src/http/retry-after.ts";

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 21, 12, 0, 0);
const DATE = "Sat, 21 Nov 2026 12:00:00 GMT";
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

type Write = (at: number) => string;

/** The three forms of RFC 9110, section 5.6.7. */
const fixdate: Write = (at) => new Date(at).toUTCString();
const rfc850: Write = (at) => {
  const [, day, month, year, time] = /, (\d+) (\w+) \d\d(\d+) ([\d:]+)/.exec(fixdate(at)) ?? [];
  return `${DAYS[new Date(at).getUTCDay()] ?? ""}, ${day}-${month}-${year} ${time} GMT`;
};
const asctime: Write = (at) => {
  const [, weekday, day, month, year, time] =
    /(\w+), (\d+) (\w+) (\d+) ([\d:]+)/.exec(fixdate(at)) ?? [];
  return `${weekday} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`;
};

const SECONDS = [0, 1, 2, 7, 59, 60, 61, 119, 600, 2_837, 3_599, 3_600, 86_400];
const UNUSABLE = [
  ...[
    "soon",
    "1e3",
    "0x10",
    "7 parsecs",
    "7 8",
    "2026-11-21",
    "tomorrow GMT",
    "+7",
    "",
    "later, 8",
  ],
  ...["Sat, 21 Nov 2026 25:02:00 GMT", "Sat, 21 Nov 2026 12:02:00 CET"],
];

/** The header at the service's own time, and the milliseconds that it asks for; null for none. */
const FORMS: readonly (readonly [Write, number | null])[] = [
  ...SECONDS.map((seconds) => [() => String(seconds), seconds * 1_000] as const),
  ...SECONDS.flatMap((seconds) =>
    [fixdate, rfc850, asctime].map((write) => {
      return [(now: number) => write(now + seconds * 1_000), seconds * 1_000] as const;
    }),
  ),
  [() => " 7 ", 7_000],
  [() => "007", 7_000],
  [() => "1.5", 1_500],
  // Microseconds and nanoseconds since the epoch.
  [(now) => `${now + 7_000}000`, 7_000],
  [(now) => `${now + 7_000}000000`, 7_000],
  [() => "9".repeat(400), Number.MAX_SAFE_INTEGER],
  [(now) => fixdate(now - HOUR), 0],
  [() => "-5", 0],
  [() => "7s", 7_000],
  [() => "1 second", 1_000],
  [() => "500ms", 500],
  [() => "2 minutes", 120_000],
  [() => "1m30s", 90_000],
  [() => "1h", HOUR],
  [() => "PT1M30S", 90_000],
  [() => '"7"', 7_000],
  [() => "7, 8", 7_000],
  [(now) => new Date(now + 7_000).toISOString(), 7_000],
  [(now) => new Date(now + 7_000).toISOString().replace("Z", "+00:00"), 7_000],
  [(now) => new Date(now + 7_000).toISOString().replace("T", " ").slice(0, 19), 7_000],
  [(now) => fixdate(now + 7_000).replace("GMT", "+0000"), 7_000],
  [(now) => String((now + 7_000) / 1_000), 7_000],
  [(now) => String(now + 7_000), 7_000],
  ...UNUSABLE.map((header) => [() => header, null] as const),
];

test.each([0, HOUR, -HOUR])(
  "readAskedWaitMs() reads every form of Retry-After, the service's clock being %i ms ahead",
  (skew) => {
    // Our clock does not strike whole seconds: HTTP dates leave the rest out.
    const theirs = NOW + skew;
    for (const [write, expected] of FORMS) {
      const headers: Record<string, string> = {
        date: fixdate(theirs),
        "retry-after": write(theirs),
      };
      const read = readAskedWaitMs((name) => headers[name] ?? null, "", NOW + 777);
      expect(read, headers["retry-after"]).toBe(expected);
    }
  },
);

test("retryAfterMs() reads a date by our clock where the answer has none", () => {
  expect(retryAfterMs("Sat, 21 Nov 2026 12:02:00 GMT", null, NOW)).toBe(120_000);
  expect(retryAfterMs(null, DATE, NOW)).toBeNull();
});

test.each([
  [{ "ratelimit-reset": "30" }, 30_000],
  [{ "x-ratelimit-reset": String(NOW / 1000 + 30), date: DATE }, 30_000],
  [{ "x-rate-limit-reset": String(NOW + 30_000), date: DATE }, 30_000],
  [{ ratelimit: "limit=100, remaining=0, reset=30" }, 30_000],
  [{ ratelimit: '"default";r=0;t=30' }, 30_000],
  [{ "x-ratelimit-reset": fixdate(NOW + 30_000), date: DATE }, 30_000],
  [{ "x-ratelimit-reset": new Date(NOW + 30_000).toISOString(), date: DATE }, 30_000],
  [{ "x-ratelimit-reset": "30s" }, 30_000],
  [{ "x-ratelimit-reset-after": "30" }, 30_000],
  [{ ratelimit: '"day";r=5;t=9000, "burst";r=0;t=30' }, 30_000],
  [{ "ratelimit-reset": "soon" }, null],
  [{}, null],
])("readRateLimit() finds the reset in %j", (headers, expected) => {
  const known: Readonly<Record<string, string>> = headers;
  expect(readRateLimit((name) => known[name] ?? null, NOW).resetMs).toBe(expected);
});

test.each([
  ['{"detail":"Request was throttled. Expected available in 2837.0 seconds."}', 2_837_000],
  ["Expected available in 1 second.", 1_000],
  ["try again later", null],
])("readAvailableInMs() reads %j", (body, expected) => {
  expect(readAvailableInMs(body)).toBe(expected);
});

test.each([
  ["takes what was asked for, and up to a tenth more", 7_000, 1, 1, 7_700],
  ["never takes less", 7_000, 1, 0, 7_000],
  ["guesses a minute", null, 1, 0, 60_000],
  ["doubles its guess", null, 3, 0, 240_000],
  ["guesses no more than a quarter of an hour", null, 30, 0, 900_000],
  ["does not clamp what was asked for", 86_400_000, 1, 0, 86_400_000],
  ["grows although the service asks for no wait", 0, 4, 0, 4_000],
])("throttleWaitMs() %s", (_, asked, inARow, random, expected) => {
  expect(throttleWaitMs(asked, inARow, random)).toBe(expected);
});
