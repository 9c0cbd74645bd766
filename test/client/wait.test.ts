/** The pure readers of waits: what each header and sentence means in milliseconds. */
import { expect, test } from "vitest";
import { readRateLimit, throttleWaitMs } from "../../src/client/wait.ts";
import { readAvailableInMs, retryAfterMs } from "../../src/contract/retry-after.ts";

const NOW = Date.UTC(2026, 10, 21, 12, 0, 0);
const DATE = "Sat, 21 Nov 2026 12:00:00 GMT";

test.each([
  ["", null],
  [null, null],
  ["Sun Nov  1 12:02:00 2026", 0],
  ["9".repeat(400), Number.MAX_SAFE_INTEGER],
])("retryAfterMs() reads %j as %j", (header, expected) => {
  expect(retryAfterMs(header, DATE, NOW)).toBe(expected);
});

test.each([
  [{ "ratelimit-reset": "30" }, 30_000],
  [{ "x-ratelimit-reset": String(NOW / 1000 + 30), date: DATE }, 30_000],
  [{ "x-rate-limit-reset": String(NOW + 30_000), date: DATE }, 30_000],
  [{ ratelimit: "limit=100, remaining=0, reset=30" }, 30_000],
  [{ ratelimit: '"default";r=0;t=30' }, 30_000],
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
