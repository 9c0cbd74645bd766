/** Waits of several requests: the longest holds, by the clock that it was named by (docs/walk.md, section 8). */
import { expect, test } from "vitest";
import { RateLimiter } from "../../src/client/rate-limiter.ts";
import { readAskedWaitMs, readRateLimit } from "../../src/http/wait.ts";
import { openLedger } from "../../src/snapshot/work/ledger.ts";
import { json, serve, testClient } from "../support/http/index.ts";
import { openWork } from "../../src/snapshot/work/work.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;

function limiter() {
  const clock = { time: NOW };
  const runtime = {
    now: () => clock.time,
    random: () => 0.5,
    sleep: (ms: number) => {
      clock.time += ms;
      return Promise.resolve();
    },
  };
  const ledger = openLedger(openWork(":memory:"), "host", runtime.now);
  const { signal } = new AbortController();
  const made = new RateLimiter(
    {
      ...{
        baseUrl: "",
        token: null,
        tokenScheme: "Token",
        concurrency: 1,
        runtime,
        ledger,
        signal,
      },
      ...{ maxRequests: null, maxWaitMs: 10 * HOUR, report: () => undefined },
    },
    () => undefined,
  );
  return { limiter: made, ledger, slept: () => clock.time - NOW };
}

test("get() doubles its pauses, half of which is jitter", async () => {
  const busy = json({}, 503);
  const server = await serve(busy, busy, busy, busy, json({ next: null, results: [] }));
  const { client, runtime } = testClient(server.url);
  await client.get("/", {}, (body) => ({ ok: true, value: body }));
  // The clock of the test draws a half. From the third request on the start of the list is asked for.
  expect(runtime.slept.slice(0, 4)).toEqual([375, 750, 1_500, 3_000]);
});

test.each([
  [[9_000, 2_000], 9_450],
  [[2_000, 9_000], 9_450],
])("postpone() where the service asks for %j ms waits for the longest", async (asked, expected) => {
  const { limiter: made, ledger, slept } = limiter();
  for (const ms of asked) made.postpone(ms, "the service asked us to wait");
  expect(ledger.notBefore).toBe(NOW + expected);
  await made.wait();
  expect(slept()).toBe(expected);
});

test.each([0, HOUR, -HOUR])(
  "a reset at a time of the service is read by its own clock, which is %i ms ahead",
  (ahead) => {
    const theirs = NOW + ahead;
    const date = new Date(theirs).toUTCString();
    for (const reset of [theirs / 1_000 + 30, theirs + 30_000]) {
      for (const name of ["ratelimit-reset", "x-ratelimit-reset", "x-rate-limit-reset"]) {
        const headers: Readonly<Record<string, string>> = { date, [name]: String(reset) };
        const header = (wanted: string): string | null => headers[wanted] ?? null;
        expect(readRateLimit(header, NOW).resetMs, `${name}: ${reset}`).toBe(30_000);
        expect(readAskedWaitMs(header, "", NOW), `${name}: ${reset}`).toBe(30_000);
      }
    }
  },
);

test.each([
  [{ "x-ratelimit-limit": "100" }, 100],
  [{ ratelimit: "limit=90, remaining=0, reset=30" }, 90],
  [{ ratelimit: '"default";r=0;t=30', "ratelimit-policy": '"default";q=80;w=60' }, 80],
  [{ "ratelimit-policy": "70;w=60" }, 70],
  [{ "ratelimit-limit": "many" }, null],
])("readRateLimit() finds the limit in %j", (headers, expected) => {
  const known: Readonly<Record<string, string>> = headers;
  expect(readRateLimit((name) => known[name] ?? null, NOW).limit).toBe(expected);
});
