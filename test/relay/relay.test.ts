/** The relay between a browser and a service: what goes on to the service, and what comes back. */
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { exchange } from "../service/support/raw-socket.ts";
import {
  ask,
  type RunningRelay,
  SITE,
  startRelay,
  startVoteServer,
  type VoteServer,
} from "../support/votes/index.ts";

let service: VoteServer;
let shared: RunningRelay;
beforeAll(async () => {
  service = await startVoteServer();
  shared = await startRelay({ QUOTES_BASE_URL: service.url });
});
afterAll(async () => {
  await shared.stop();
  await service.close();
});
beforeEach(() => service.reset());

test("a vote goes on with the credential, and with nothing of the reader's; a signal ends the relay, which prints its counts", async () => {
  const relay = await startRelay({ QUOTES_BASE_URL: service.url });
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
  await ask(relay.url, { headers: { Origin: "https://evil.example" } });
  expect(await relay.stop()).toMatchObject({ status: 143 });
  expect(service.posts()).toEqual(["upvote 7"]);
  const headers = service.journal[0]?.headers ?? {};
  expect(headers.authorization).toBe("Token canary");
  expect(JSON.stringify(headers)).not.toMatch(/secret|192\.0\.2\.1|evil|site\.example/);
  expect(relay.output()).toContain("1 passed on, 1 refused, 0 throttled, 0 failed");
  expect(relay.output()).not.toMatch(/canary|192\.0\.2/);
});

test.each<[string, Parameters<typeof ask>[1], number]>([
  ["another site", { headers: { Origin: "https://evil.example" } }, 403],
  ["no site", { headers: { Origin: "" } }, 403],
  ["another operation", { path: "/apiv1/quotes/" }, 404],
  ["a way out of the folder", { path: "/%00%ff/../../etc/passwd" }, 404],
  ["reading", { method: "GET", body: "" }, 405],
  ["two quotes at once", { body: "pk=1&pk=2" }, 400],
  ["a body of 4 kB", { body: `pk=${"9".repeat(4_000)}` }, 413],
  ["JSON", { body: '{"pk":7}', headers: { "Content-Type": "application/json" } }, 415],
])("%s never reaches the service", async (_, sent, status) => {
  const answer = await ask(shared.url, sent);
  expect(answer.status).toBe(status);
  expect(JSON.parse(answer.body)).toMatchObject({ errno: status });
  expect(service.journal).toEqual([]);
});

test.each([
  "/apiv1/upvote/../report/",
  "/apiv1/%72eport/",
  "/apiv1/upvote/%2e%2e/report/",
  "//apiv1/report/",
  "/apiv1//report/",
  "/apiv1/./report/",
  "/x/../apiv1/report/",
  "/apiv1\\report\\",
  "/apiv1/REPORT/",
  "/apiv1/report",
  "/apiv1/report/;x",
  "/apiv1/report%2f",
  "http://x.example/apiv1/report/",
])("a path is compared as it was sent, not as what it leads to: %s", async (path) => {
  const text = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nOrigin: ${SITE}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 4\r\n\r\npk=7`;
  const { reply } = await exchange(shared.url, text);
  expect(reply).toMatch(/^HTTP\/1.1 4\d\d /);
  expect(service.journal).toEqual([]);
});

test("of pipelined votes only the first reaches the service, since the connection then closes", async () => {
  const vote = `POST /apiv1/upvote/ HTTP/1.1\r\nHost: localhost\r\nOrigin: ${SITE}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 4\r\n\r\npk=7`;
  const { reply } = await exchange(shared.url, vote.repeat(3));
  expect(reply).toMatch(/^HTTP\/1.1 200 OK\r\n/);
  expect(service.posts()).toEqual(["upvote 7"]);
});

/** How many of these connections are hung up on, once as many as may stay are left. */
async function hungUp(from: readonly string[], stay: number): Promise<number> {
  const { hostname, port } = new URL(shared.url);
  const sockets = from.map((localAddress) =>
    connect({ host: hostname, port: Number(port), localAddress }),
  );
  let count = 0;
  for (const socket of sockets) socket.on("error", () => undefined).on("close", () => count++);
  await expect.poll(() => count).toBeGreaterThanOrEqual(from.length - stay);
  // The rest is kept: a vote is answered before the count is looked at again.
  await ask(shared.url, { headers: { Origin: "https://evil.example" } }).catch(() => undefined);
  const closed = count;
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => sockets.every(({ closed }) => closed)).toBe(true);
  return closed;
}

test("one address cannot take all the connections", async () => {
  expect(await hungUp(Array<string>(80).fill("127.0.0.1"), 50)).toBeLessThanOrEqual(31);
});

// Only Linux has all of 127.0.0.0/8 on the loopback.
test.skipIf(process.platform !== "linux")(
  "one network cannot take all the connections",
  async () => {
    const from = Array.from({ length: 160 }, (_, n) => `127.0.0.${2 + (n % 40)}`);
    expect(await hungUp(from, 100)).toBeLessThanOrEqual(61);
  },
);
