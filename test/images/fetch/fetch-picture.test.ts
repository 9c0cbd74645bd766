import type { RequestListener } from "node:http";
import { afterAll, expect, test } from "vitest";
import { PictureFailed } from "../../../src/images/failures.ts";
import {
  DEADLINE_MS,
  type FetchContext,
  fetchPicture,
  MAX_BYTES,
} from "../../../src/images/fetch-picture.ts";
import { openAgents } from "../../../src/images/guard.ts";
import { fetchContext, type Host, openHost, send } from "../support/host.ts";

const agents = openAgents();
afterAll(() => agents.close());

const contextOf = (host: Host, more: Partial<FetchContext> = {}): FetchContext =>
  fetchContext(agents, { ownOrigin: host.origin, ports: [], ...more });

const fetchFrom = (host: Host, more?: Partial<FetchContext>) =>
  fetchPicture(`${host.origin}/a.jpg`, null, contextOf(host, more));

test.each<[name: string, reason: string, answer: RequestListener, deadlineMs?: number]>([
  ["a missing picture", "gone", (_, response) => send(response, 404, "")],
  ["a picture taken down by law", "gone", (_, response) => send(response, 451, "")],
  ["a locked picture", "refused", (_, response) => send(response, 403, "")],
  ["a 304 to a request without a condition", "refused", (_, response) => send(response, 304, "")],
  ["a redirect to nowhere", "refused", (_, response) => send(response, 302, "")],
  ["a broken host", "host-failed", (_, response) => send(response, 503, "")],
  ["a throttled host", "throttled", (_, response) => send(response, 429, "")],
  ["a host that hangs up", "unreachable", (request) => request.socket.destroy()],
  ["a host that speaks no HTTP", "unreachable", (request) => request.socket.end("SSH-2.0\r\n")],
  [
    "a body cut short",
    "unreachable",
    (_, response) => {
      response.writeHead(200, { "content-length": "1000" }).write("few");
      setTimeout(() => response.destroy(), 50);
    },
  ],
  ["silence", "too-slow", () => undefined, 1_000],
  [
    "a byte every now and then",
    "too-slow",
    (_, response) => {
      response.writeHead(200, { "content-type": "image/png" });
      const drip = setInterval(() => response.write("x"), 100);
      response.on("close", () => clearInterval(drip));
    },
    1_000,
  ],
  [
    "a body that never ends",
    "too-many-bytes",
    (_, response) => {
      response.writeHead(200);
      const pour = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on("drain", pour);
      pour();
    },
  ],
  [
    "a length that is too much",
    "too-many-bytes",
    (_, response) => {
      response.writeHead(200, { "content-length": String(MAX_BYTES + 1) }).flushHeaders();
    },
  ],
  [
    "redirects in a ring",
    "too-many-redirects",
    (_, response) => {
      response.writeHead(302, { location: "/b.jpg" }).end();
    },
  ],
])("fetchPicture() refuses %s in time: %s", async (_, reason, answer, deadlineMs = 60_000) => {
  const host = await openHost(answer);
  const started = performance.now();
  const failure: unknown = await fetchFrom(host, { deadlineMs }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(PictureFailed);
  expect(failure).toMatchObject({ reason });
  // It was this deadline, and none that is longer.
  expect(performance.now() - started).toBeLessThan(DEADLINE_MS);
});

test("fetchPicture() takes 5 MiB and not a byte more", async () => {
  const sizes = [MAX_BYTES, MAX_BYTES + 1];
  // Without a length, so that it is counted.
  const host = await openHost((_, response) => {
    response
      .writeHead(200, { "transfer-encoding": "chunked" })
      .end(Buffer.alloc(sizes.shift() ?? 0));
  });
  expect((await fetchFrom(host)).bytes).toHaveLength(MAX_BYTES);
  await expect(fetchFrom(host)).rejects.toMatchObject({ reason: "too-many-bytes" });
});

test("fetchPicture() sends the host nothing that identifies the program", async () => {
  let headers: object = {};
  const host = await openHost((request, response) => {
    headers = request.headers;
    send(response, 200, "x");
  });
  await fetchFrom(host);
  expect(Object.keys(headers).sort()).toEqual([
    "accept",
    "accept-encoding",
    "connection",
    "host",
    "user-agent",
  ]);
});

test("fetchPicture() keeps no validator that holds a secret", async () => {
  const host = await openHost((_, response) => {
    response.writeHead(200, { etag: '"s3cret"', "last-modified": "today" }).end("x");
  });
  const redact = (text: string): string => text.replace("s3cret", "…");
  const { validators } = await fetchFrom(host, { redact });
  expect(validators).toEqual({ etag: null, lastModified: null, from: `${host.origin}/a.jpg` });
});

test("fetchPicture() asks the budget before each request to the service's host", async () => {
  let left = 1;
  const host = await openHost((_, response) => response.writeHead(302, { location: "/b" }).end());
  const failing = fetchFrom(host, { mayRequest: () => left-- > 0 });
  await expect(failing).rejects.toMatchObject({ reason: "postponed" });
  expect(host.requests).toEqual(["GET /a.jpg"]);
});

test("fetchPicture() ends with the run", async () => {
  const host = await openHost(() => undefined);
  const run = new AbortController();
  setTimeout(() => run.abort(new Error("enough")), 100);
  await expect(fetchFrom(host, { signal: run.signal })).rejects.toThrow("enough");
});

test("a host that is down is not asked after five failures, one that throttles at once", async () => {
  const broken = await openHost((_, response) => send(response, 500, ""));
  const context = contextOf(broken);
  const ask = () => fetchPicture(`${broken.origin}/a.jpg`, null, context).catch(String);
  for (let times = 0; times < 8; times++) await ask();
  expect(broken.requests).toHaveLength(5);
  const busy = await openHost((_, response) => send(response, 429, ""));
  const second = { ...contextOf(busy) };
  for (let times = 0; times < 3; times++) {
    await fetchPicture(`${busy.origin}/a.jpg`, null, second).catch(String);
  }
  expect(busy.requests).toHaveLength(1);
});
