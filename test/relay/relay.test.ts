/** The relay between a browser and a service: what goes on to the service, and what comes back. */
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ask, SITE, startRelay, type RunningRelay } from "../support/relay.ts";
import { startVoteServer, type VoteServer } from "../support/vote-server.ts";

let service: VoteServer;
let relay: RunningRelay;
beforeAll(async () => {
  service = await startVoteServer();
});
afterAll(() => service.close());
beforeEach(() => service.reset());

/** A relay for one test: what it has learned must not reach the next. */
async function withRelay(env: Record<string, string>, act: () => Promise<void>): Promise<string> {
  relay = await startRelay({ QUOTES_BASE_URL: service.url, ...env });
  try {
    await act();
  } finally {
    await relay.stop();
  }
  return relay.said();
}

test("a vote goes on with the credential, and with nothing of the reader's", async () => {
  const said = await withRelay({}, async () => {
    const answer = await ask(relay.url, {
      body: "pk=7&x=1",
      headers: { Cookie: "secret=1", "X-Forwarded-For": "192.0.2.1", Authorization: "Token evil" },
    });
    expect(answer).toMatchObject({ status: 200, body: "{}" });
    expect(answer.headers).toMatchObject({
      "access-control-allow-origin": SITE,
      connection: "close",
      vary: "Origin",
    });
  });
  expect(service.posts()).toEqual(["upvote 7"]);
  const headers = service.journal[0]?.headers ?? {};
  expect(headers.authorization).toBe("Token canary");
  expect(JSON.stringify(headers)).not.toMatch(/secret|192\.0\.2\.1|evil|site\.example/);
  expect(said).toContain("1 passed on, 0 refused, 0 throttled, 0 failed");
  expect(said).not.toMatch(/canary/);
});

test.each<[string, Parameters<typeof ask>[1], number]>([
  ["another site", { headers: { Origin: "https://evil.example" } }, 403],
  ["no origin", { headers: { Origin: "" } }, 403],
  ["another operation", { path: "/apiv1/quotes/" }, 404],
  ["an operation too far", { path: "/apiv1/upvote/../quotes/" }, 404],
  ["no trailing slash", { path: "/apiv1/upvote" }, 404],
  ["reading", { method: "GET", body: "" }, 405],
  ["a preflight", { method: "OPTIONS", body: "" }, 405],
  ["JSON", { body: '{"pk":7}', headers: { "Content-Type": "application/json" } }, 415],
  ["no pk", { body: "x=7" }, 400],
])("%s never reaches the service", async (_, sent, status) => {
  const answer = await ask(shared.url, sent);
  expect(answer.status).toBe(status);
  expect(JSON.parse(answer.body)).toMatchObject({ errno: status });
  expect(service.journal).toEqual([]);
});

let shared: RunningRelay;
beforeAll(async () => {
  shared = await startRelay({ QUOTES_BASE_URL: service.url });
  return async () => {
    await shared.stop();
  };
});

test("without JavaScript a person is told in words, and led back", async () => {
  const headers = {
    "Sec-Fetch-Mode": "navigate",
    "Sec-Fetch-Dest": "document",
    "Sec-Fetch-User": "?1",
  };
  const answer = await ask(shared.url, { headers });
  expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(answer.body).toContain("<p>Counted. Thank you.</p>");
  expect(answer.body).toContain(`<a href="${SITE}/">`);
  expect(service.posts()).toEqual(["upvote 7"]);
});

test("the quotas hold, for an address and for everybody", async () => {
  const env = { RELAY_QUOTA: "3/60", RELAY_TOTAL: "5/60", RELAY_PROXIES: "1" };
  await withRelay(env, async () => {
    const statuses = async (from: string): Promise<number[]> => {
      const all: number[] = [];
      for (let n = 0; n < 4; n++) all.push((await ask(relay.url, { from })).status);
      return all;
    };
    expect(await statuses("192.0.2.2")).toEqual([200, 200, 200, 429]);
    expect(await statuses("192.0.2.3")).toEqual([200, 200, 429, 429]);
    const answer = await ask(relay.url, { from: "192.0.2.4" });
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    expect(answer.headers["access-control-expose-headers"]).toBe("Retry-After");
  });
  expect(service.posts()).toHaveLength(5);
});

test("a signal ends it, and what it did is said", async () => {
  relay = await startRelay({ QUOTES_BASE_URL: service.url });
  await ask(relay.url, { headers: { Origin: "https://evil.example" } });
  expect(await relay.stop()).toBe(143);
  expect(relay.said()).toContain("0 passed on, 1 refused, 0 throttled, 0 failed");
});

test("without a service there is nothing to relay to", async () => {
  const refused = startRelay({ QUOTES_BASE_URL: "" });
  await expect(refused).rejects.toThrow("Cannot relay votes: QUOTES_BASE_URL is not set");
});

test("one address cannot take all the connections", async () => {
  const { hostname, port } = new URL(shared.url);
  const sockets = Array.from({ length: 80 }, () => connect({ host: hostname, port: Number(port) }));
  let hungUp = 0;
  for (const socket of sockets) socket.on("error", () => undefined).on("close", () => hungUp++);
  await expect.poll(() => hungUp).toBeGreaterThanOrEqual(30);
  expect(hungUp).toBeLessThanOrEqual(31);
  for (const socket of sockets) socket.destroy();
});
