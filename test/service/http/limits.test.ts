/** Slow, large and many: what the server does not put up with. */
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { drip, exchange } from "../support/raw-socket.ts";
import { ask, running } from "../support/running.ts";

/** Short enough to wait for, and long enough for a request that is sent at once. */
const limits = { headersMs: 800, requestMs: 1_000, idleMs: 1_500, keepAliveMs: 500, checkMs: 50 };

/** Less than the default limits. */
const IN_TIME_MS = 30_000;

const POST =
  "POST /apiv1/upvote/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";

test.each([
  ["headers that never end", "GET / HTTP/1.1\r\nX: ", "a\r\nX: "],
  ["a body that never ends", `${POST}Content-Length: 4000\r\n\r\n`, "a"],
])("%s: the dripping connection is closed with 408", async (_, start, drop) => {
  const { url } = await running({ limits });
  const { reply, ms } = await drip(url, start, drop);
  expect(ms).toBeLessThan(IN_TIME_MS);
  expect(reply).toMatch(/^HTTP\/1.1 408 [\s\S]*{"errno":408,/);
  expect((await ask(`${url}/apiv1/tags/`)).status).toBe(200);
});

test("a silent connection is closed", async () => {
  const { url } = await running({ limits });
  expect((await exchange(url)).ms).toBeLessThan(IN_TIME_MS);
});

test("more connections than allowed are dropped, and the others served", async () => {
  const { url } = await running({ limits: { connections: 3 } });
  const { hostname, port } = new URL(url);
  // They are taken in the order in which they come.
  const held = [1, 2, 3].map(() => connect(Number(port), hostname));
  await Promise.all(held.map((socket) => once(socket, "connect")));
  const { reply } = await exchange(url, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  expect(reply).toBe("");
  for (const socket of held) socket.destroy();
  const status = () => ask(`${url}/apiv1/tags/`).then((answer) => answer.status, String);
  await expect.poll(status).toBe(200);
});

test.each([
  ["announced", { body: "x".repeat(5_000) }],
  ["in chunks", { body: new Blob(["x".repeat(5_000)]).stream(), duplex: "half" as const }],
])("a body over 4 KiB, %s, is 413", async (_, init) => {
  const { url, store } = await running();
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const answer = await ask(`${url}/apiv1/upvote/`, { method: "POST", headers, ...init });
  expect(answer).toMatchObject({ status: 413, body: { errno: 413 } });
  expect(store.votes()).toEqual([]);
});

test("a body just under 4 KiB is read", async () => {
  const { url, store } = await running();
  const padding = "x".repeat(4_096 - "pk=1&p=".length);
  const body = new URLSearchParams({ pk: "1", p: padding });
  expect((await ask(`${url}/apiv1/upvote/`, { method: "POST", body })).status).toBe(200);
  expect(store.votes()).toHaveLength(1);
});

test("close() waits for the answers under way and frees the port", async () => {
  const service = await running();
  const headers = { "Content-Type": "application/json", Expect: "100-continue" };
  const sent = request(`${service.url}/apiv1/upvote/`, { method: "POST", headers });
  sent.flushHeaders();
  await once(sent, "continue");
  const closed = service.close();
  sent.end('{"pk":1}');
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  answer.resume();
  await closed;
  await expect(fetch(`${service.url}/`)).rejects.toThrow();
});
