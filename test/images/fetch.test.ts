import { expect, test } from "vitest";
import { conditions, freshUntil, validatorsOf } from "../../src/images/answer.ts";
import { PictureFailed } from "../../src/images/failures.ts";
import { DEADLINE_MS, type FetchOptions, MAX_BYTES } from "../../src/images/fetch-picture.ts";
import type { FaultServer, Reply } from "../support/http/index.ts";
import * as replies from "../support/http/index.ts";
import { fetchWith, openHost, send } from "./support/host.ts";

const fetcherOf = (host: FaultServer, more: Partial<FetchOptions> = {}) =>
  fetchWith({ ownOrigin: host.url, ports: [], ...more });

const fetchFrom = (host: FaultServer, more?: Partial<FetchOptions>) =>
  fetcherOf(host, more)(`${host.url}/a.jpg`, null);

const status = (code: number, headers?: Record<string, string>): Reply =>
  replies.text("", code, headers);

const flood: Reply = (response) => {
  response.writeHead(200);
  const pour = (): void => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536)));
  };
  response.on("drain", pour);
  pour();
};

const sayTooMuch: Reply = (response) =>
  response.writeHead(200, { "content-length": String(MAX_BYTES + 1) }).flushHeaders();

test.each<[name: string, reason: string, answer: Reply, deadlineMs?: number]>([
  ["a missing picture", "gone", status(404)],
  ["a picture taken down by law", "gone", status(451)],
  ["a locked picture", "refused", status(403)],
  ["a 304 to a request without a condition", "refused", status(304)],
  ["a redirect to nowhere", "refused", status(302)],
  ["a broken host", "host-failed", status(503)],
  ["a throttled host", "throttled", status(429)],
  ["a host that hangs up", "unreachable", replies.reset],
  ["a host that speaks no HTTP", "unreachable", replies.garbage],
  ["a body cut short", "unreachable", replies.cutShort("x".repeat(1_000))],
  ["silence", "too-slow", replies.silence, 100],
  ["a byte every now and then", "too-slow", replies.drip, 100],
  ["a body that never ends", "too-many-bytes", flood],
  ["a length that is too much", "too-many-bytes", sayTooMuch],
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
  const host = await openHost((response) => {
    response.writeHead(200, { "transfer-encoding": "chunked" });
    response.end(Buffer.alloc(sizes.shift() ?? 0));
  });
  expect((await fetchFrom(host)).bytes).toHaveLength(MAX_BYTES);
  await expect(fetchFrom(host)).rejects.toMatchObject({ reason: "too-many-bytes" });
});

test("fetchPicture() sends the host nothing that identifies the program", async () => {
  let headers: object = {};
  const host = await openHost((response, request) => {
    headers = request.headers;
    send(response, 200, "x");
  });
  await fetchFrom(host);
  const names = ["accept", "accept-encoding", "connection", "host", "user-agent"];
  expect(Object.keys(headers).sort()).toEqual(names);
});

test("fetchPicture() keeps no validator that holds a secret", async () => {
  const host = await openHost((response) => {
    response.writeHead(200, { etag: '"s3cret"', "last-modified": "today" }).end("x");
  });
  const redact = (text: string): string => text.replace("s3cret", "…");
  const { validators } = await fetchFrom(host, { redact });
  expect(validators).toEqual({ etag: null, lastModified: null, answeredBy: null });
});

test("fetchPicture() asks the budget before each request to the service's host", async () => {
  let left = 1;
  const host = await openHost((response) => response.writeHead(302, { location: "/b" }).end());
  const failing = fetchFrom(host, { mayRequest: () => left-- > 0 });
  await expect(failing).rejects.toMatchObject({ reason: "postponed" });
  expect(host.journal.map(({ url }) => url.pathname)).toEqual(["/a.jpg"]);
});

test("fetchPicture() asks the service's own address, whatever the path looks like", async () => {
  let asked: string | undefined;
  const service = await openHost((response, request) => {
    asked = request.url;
    send(response, 404, "");
  });
  const other = await openHost(status(200));
  const ownOrigin = "http://quotes.invalid";
  const fetchPicture = fetcherOf(service, { ownOrigin, ownAddress: service.url });
  const address = `${ownOrigin}//127.0.0.1:${other.port}/a.jpg?x`;
  await expect(fetchPicture(address, null)).rejects.toMatchObject({ reason: "gone" });
  expect(asked).toBe(`//127.0.0.1:${other.port}/a.jpg?x`);
  expect(other.connections()).toBe(0);
});

test.each([
  ["down", 500, 5],
  ["throttling", 429, 1],
])("fetchPicture() asks a host that is %s (%d) no more than %d times", async (_, code, times) => {
  const host = await openHost(status(code));
  const fetchPicture = fetcherOf(host);
  for (let asked = 0; asked < 8; asked++)
    await fetchPicture(`${host.url}/a.jpg`, null).catch(String);
  expect(host.journal).toHaveLength(times);
});

const NOW = 1_800_000_000_000;
const DAY_S = 24 * 3_600;

test.each([
  ["no promise", {}, 0],
  ["an hour, in capitals and quotes", { "cache-control": 'Max-Age="3600"' }, 3_600],
  ["what is left of an hour", { "cache-control": "max-age=3600", age: "600" }, 3_000],
  ["nothing left", { "cache-control": "max-age=60", age: "600" }, 0],
  ["a year, cut to a week", { "cache-control": "max-age=31536000, immutable" }, 7 * DAY_S],
  ["an hour, but not stored", { "cache-control": ["max-age=3600", "no-store"] }, 0],
  ["an hour, for no other request", { "cache-control": "max-age=3600", vary: "*" }, 0],
  ["no lifetime, but immutable", { "cache-control": "public, immutable" }, 0],
  ["an age that is no number", { "cache-control": "max-age=60", age: "soon" }, 60],
])("freshUntil() reads %s", (_, headers, seconds) => {
  expect(freshUntil(headers, NOW)).toBe(NOW + seconds * 1_000);
});

const url = new URL("https://pictures.example/a.jpg");

test("conditions() sends back what came, to the address it came from", () => {
  const known = validatorsOf(
    { etag: 'W/"1"', "last-modified": "Mon, 01 Jan 2024 00:00:00 GMT" },
    url,
    String,
  );
  expect(conditions(known, url)).toEqual({
    "if-none-match": 'W/"1"',
    "if-modified-since": "Mon, 01 Jan 2024 00:00:00 GMT",
  });
  expect(conditions(known, new URL("https://pictures.example/b.jpg"))).toEqual({});
  expect(conditions(null, url)).toEqual({});
});

test.each([["\u00e9"], ["a\r\nb: c"], ["x".repeat(513)]])(
  "validatorsOf() keeps nothing that could not be a header again",
  (etag) => {
    expect(validatorsOf({ etag }, url, String).etag).toBeNull();
  },
);
