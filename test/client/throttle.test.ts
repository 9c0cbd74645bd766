/** A 429 is obeyed: never early, for all requests in flight, and also by a run that comes after (docs/walk.md, section 8). */
import { expect, onTestFinished, test } from "vitest";
import { PermanentAnswer } from "../../src/contract/errors.ts";
import { BudgetSpent } from "../../src/contract/ledger.ts";
import { type Reply, serve, startFaultServer, testClient } from "../support/http/index.ts";
import * as replies from "../support/http/index.ts";

const good = replies.json({ results: [] });
const isOfTag = (url: URL): boolean => url.searchParams.has("tag");
const read = (body: unknown) => ({ ok: true, value: body }) as const;

test.each([
  ["Retry-After", replies.throttled({ "retry-after": "7" }), 7_000],
  ["the RateLimit reset", replies.throttled({ ratelimit: '"default";r=0;t=9' }), 9_000],
  [
    "the body's sentence",
    replies.json({ detail: "Request was throttled. Expected available in 2837.0 seconds." }, 429),
    2_837_000,
  ],
  ["a 503", replies.json({}, 503, { "retry-after": "7" }), 7_000],
  ["a 403", replies.json({}, 503, { "retry-after": "2 min" }), 120_000],
  [
    "a 503 with a used-up window",
    replies.json({}, 503, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "30" }),
    30_000,
  ],
  [
    "an error with 200",
    replies.json({ errno: 429, results: [] }, 200, { "retry-after": "7" }),
    7_000,
  ],
])("get() waits at least as long as %s says, and at most a tenth more", async (_, bad, wait) => {
  const server = await serve(bad, good);
  const { client, runtime, events } = testClient(server.url);
  await client.get("/", {}, read);
  expect(runtime.slept).toHaveLength(1);
  expect(runtime.slept[0]).toBeGreaterThanOrEqual(wait);
  expect(runtime.slept[0]).toBeLessThanOrEqual(wait * 1.1);
  expect(events.find(({ kind }) => kind === "wait")).toMatchObject({ kind: "wait" });
});

test.each([
  ["X-RateLimit-Remaining", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "9" }, 9_000],
  ["RateLimit-Remaining", { "ratelimit-remaining": "0", "ratelimit-reset": "9" }, 9_000],
  ["the older draft", { ratelimit: "limit=10, remaining=0, reset=9" }, 9_000],
  ["the draft", { ratelimit: '"burst";r=0;t=9' }, 9_000],
  ["the window that is used up", { ratelimit: '"day";r=9;t=80000, "burst";r=0;t=9' }, 9_000],
  ["Reset-After", { "x-ratelimit-remaining": "0", "x-ratelimit-reset-after": "9.5" }, 9_500],
  ["a reset with a unit", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "9s" }, 9_000],
  ["no more than what is left", { "x-ratelimit-remaining": "1", "x-ratelimit-reset": "9" }, 0],
  ["nothing without a reset", { "x-ratelimit-remaining": "0" }, 0],
])("get() waits before the next request as long as %s says", async (_, headers, wait) => {
  const server = await serve(replies.json({ results: [] }, 200, headers), good);
  const { client, runtime, ledger } = testClient(server.url);
  await client.get("/", {}, read);
  await client.get("/", {}, read);
  const slept = runtime.slept.reduce((sum, ms) => sum + ms, 0);
  expect(slept).toBeGreaterThanOrEqual(wait);
  expect(slept).toBeLessThanOrEqual(wait * 1.1);
  expect(ledger.notBefore > 0).toBe(wait > 0);
  expect(server.journal).toHaveLength(2);
});

const counted = (limit: number, remaining: number): Reply =>
  replies.json({ results: [] }, 200, {
    ...{ "x-ratelimit-limit": String(limit), "x-ratelimit-remaining": String(remaining) },
    "x-ratelimit-reset": "3600",
  });
const refusal = replies.throttled({ "retry-after": "3600" });

test.each<[what: string, wasPostponed: boolean, answers: [Reply, ...Reply[]], sent: number]>([
  ["of a window of no requests is none", false, [counted(0, 0)], 4],
  ["is believed of a run that was asked for no wait", false, [counted(100, 0)], 1],
  ["at once in a new window is doubted", true, [counted(100, 0)], 4],
  ["at once in a new window of one request is believed", true, [counted(1, 0)], 1],
  ["at once in a new window is true where the next is refused", true, [counted(9, 0), refusal], 2],
  ["is believed after one was left", true, [counted(9, 0), counted(9, 1), counted(9, 0)], 3],
])("no request left %s", async (_, wasPostponed, answers, sent) => {
  const server = await serve(...answers);
  const { client } = testClient(server.url, { maxWaitMs: 60_000, wasPostponed });
  const readOn = async (): Promise<void> => {
    for (let page = 0; page < 4; page++) await client.get("/", { page }, read);
  };
  await (sent === 4 ? readOn() : expect(readOn()).rejects.toThrow(BudgetSpent));
  expect(server.journal).toHaveLength(sent);
});

test.each<[what: string, then: (address: URL) => Reply, sent: number]>([
  [
    "belongs to it where the start of the list is served",
    (url) => (isOfTag(url) ? refusal : good),
    3,
  ],
  ["belongs to all where the start is refused, too", () => refusal, 2],
])("a long wait that an earlier run met at the same place %s", async (_, then, sent) => {
  const server = await startFaultServer(({ url }) => then(url));
  onTestFinished(() => server.close());
  const { client, ledger } = testClient(server.url, {
    maxWaitMs: 60_000,
    closed: [{ list: "/?tag=a", offset: 0 }],
  });
  const asked = client.get("/", { tag: "a" }, read);
  await expect(asked).rejects.toBeInstanceOf(sent === 3 ? PermanentAnswer : BudgetSpent);
  expect(server.journal).toHaveLength(sent);
  expect(ledger.notBefore > 0).toBe(sent === 2);
});

test("a long wait at a place that was served since is for all requests", async () => {
  const server = await serve(good, refusal);
  const { client } = testClient(server.url, {
    maxWaitMs: 60_000,
    closed: [{ list: "/?tag=a", offset: 20 }],
  });
  await client.get("/", { tag: "a", offset: 20 }, read);
  await expect(client.get("/", { tag: "a", offset: 40 }, read)).rejects.toThrow(BudgetSpent);
  expect(server.journal).toHaveLength(2);
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

test("a wait that the service asked for is no time without a good answer", async () => {
  const long = replies.throttled({ "retry-after": "400" });
  const server = await serve(good, long, replies.json({}, 503), good);
  const { client, runtime } = testClient(server.url, { maxWaitMs: 3_600_000 });
  await client.get("/", {}, read);
  const before = runtime.time;
  await client.get("/", {}, read);
  expect(runtime.time - before).toBeGreaterThanOrEqual(400_000);
});
