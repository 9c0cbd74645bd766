/** A 429 is obeyed: never early, for all requests in flight, and also by a run that comes after (docs/walk.md, section 8). */
import { expect, test } from "vitest";
import { BudgetSpent } from "../../src/contract/ledger.ts";
import { serve, testClient } from "../support/http/index.ts";
import * as replies from "../support/http/index.ts";

const good = replies.json({ results: [] });
const read = (body: unknown) => ({ ok: true, value: body }) as const;

test.each([
  ["Retry-After", replies.throttled({ "retry-after": "7" }), 7_000],
  ["the RateLimit reset", replies.throttled({ ratelimit: '"default";r=0;t=9' }), 9_000],
  [
    "the body's sentence",
    replies.json({ detail: "Request was throttled. Expected available in 2837.0 seconds." }, 429),
    2_837_000,
  ],
  ["its own guess", replies.throttled(), 60_000],
])("get() waits at least as long as %s says, and at most a tenth more", async (_, bad, wait) => {
  const server = await serve(bad, good);
  const { client, runtime, events } = testClient(server.url);
  await client.get("/", {}, read);
  expect(runtime.slept).toHaveLength(1);
  expect(runtime.slept[0]).toBeGreaterThanOrEqual(wait);
  expect(runtime.slept[0]).toBeLessThanOrEqual(wait * 1.1);
  expect(events.find(({ kind }) => kind === "wait")).toMatchObject({ kind: "wait" });
});

test("get() obeys a service that is busy and says for how long", async () => {
  const server = await serve(replies.json({}, 503, { "retry-after": "7" }), good);
  const { client, ledger, runtime } = testClient(server.url);
  const before = runtime.time;
  await client.get("/", {}, read);
  expect(ledger.notBefore).toBe(before + 7_000);
  expect(runtime.slept).toEqual([7_000]);
});

test("get() notes the quota that the headers state", async () => {
  const headers = { "x-ratelimit-limit": "100", "x-ratelimit-reset": "60" };
  const server = await serve(replies.json({ results: [] }, 200, headers));
  const { client, ledger } = testClient(server.url);
  await client.get("/", {}, read);
  expect(ledger.answers).toEqual([{ limit: 100, resetMs: 60_000 }]);
});

test("get() writes notBefore before it sleeps", async () => {
  const server = await serve(replies.throttled({ "retry-after": "7" }), good);
  const { client, ledger, runtime } = testClient(server.url);
  const known: number[] = [];
  const sleep = runtime.sleep;
  Object.assign(runtime, {
    sleep: (ms: number) => {
      known.push(ledger.notBefore);
      return sleep(ms);
    },
  });
  const before = runtime.time;
  await client.get("/", {}, read);
  expect(known[0]).toBeGreaterThanOrEqual(before + 7_000);
});

test("get() obeys a notBefore that an earlier run left", async () => {
  const server = await serve(good);
  const { client, ledger, runtime } = testClient(server.url);
  ledger.notBefore = runtime.time + 5_000;
  await client.get("/", {}, read);
  expect(runtime.slept).toEqual([5_000]);
});

test("get() never sleeps for a negative time when the time comes while it looks", async () => {
  const server = await serve(good);
  const { client, ledger, runtime } = testClient(server.url);
  ledger.notBefore = runtime.time + 1;
  // Each look takes 2 ms.
  Object.assign(runtime, { now: () => (runtime.time += 2) - 2 });
  await client.get("/", {}, read);
  expect(runtime.slept).toEqual([0]);
});

test("get() stops and names the time when the wait exceeds what may be waited", async () => {
  const server = await serve(replies.throttled({ "retry-after": "7200" }));
  const { client, ledger, runtime } = testClient(server.url, { maxWaitMs: 60_000 });
  const failure: unknown = await client.get("/", {}, read).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(BudgetSpent);
  expect((failure as BudgetSpent).resumeAt).toBe(ledger.notBefore);
  expect(ledger.notBefore).toBeGreaterThanOrEqual(runtime.time + 7_200_000);
  expect(runtime.slept).toEqual([]);
  expect(server.journal).toHaveLength(1);
});

test("a 429 to one request stops the others", async () => {
  const server = await serve(replies.throttled({ "retry-after": "30" }), good);
  const { client, runtime } = testClient(server.url);
  await client.get("/first", {}, read);
  await Promise.all([client.get("/a", {}, read), client.get("/b", {}, read)]);
  expect(runtime.slept).toHaveLength(1);
  expect(server.journal).toHaveLength(4);
});
