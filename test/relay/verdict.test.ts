/** What becomes of votes and reports: the relay as a function, the service behind a real socket. */
// @module-tag sized
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { isBadPort } from "../../src/relay/bad-ports.ts";
import { relayOptions } from "../../src/commands/relay-options.ts";
import { clientAddress } from "../../src/util/network.ts";
import { createCastVotes } from "../../src/relay/cast-votes.ts";
import { createRelay, type Relay } from "../../src/relay/relay.ts";
import { readSettings } from "../../src/settings/settings.ts";
import {
  type ReplyName,
  SITE,
  startVoteServer,
  VOTE_HEADERS,
  type VoteServer,
} from "../support/votes/index.ts";
import { LONG } from "../support/tier.ts";

const NOW = Date.UTC(2026, 10, 21, 12);

let service: VoteServer;
let relay: Relay;
let faults: string[];
let passedMs = 0;

/** What `AbortSignal.timeout()` gave, by its milliseconds: a test says when the time is over. */
const deadlines: [ms: number, AbortController][] = [];
vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
  const controller = new AbortController();
  deadlines.push([ms, controller]);
  return controller.signal;
});
afterAll(() => vi.restoreAllMocks());

beforeAll(async () => {
  service = await startVoteServer();
});
afterAll(() => service.close());
beforeEach(() => {
  service.reset();
  faults = [];
  passedMs = 0;
  deadlines.length = 0;
  relay = relayWith({});
});

function relayWith(env: Record<string, string>): Relay {
  const needed = { SITE_URL: SITE, QUOTES_BASE_URL: service.url, QUOTES_TOKEN: "canary" };
  const settings = readSettings({}, { ...needed, ...env });
  const options = relayOptions(settings, {
    addressOf: ({ headers }) =>
      clientAddress("192.0.2.7", headers.get("X-Forwarded-For"), settings.relay.proxies),
    onFault: (line) => faults.push(line),
  });
  // No second passes, however slow the machine, but where a test lets it.
  return createRelay({ ...options, now: () => NOW + passedMs });
}

async function vote(pk = 7, operation = "upvote", from = ""): Promise<Response> {
  const body = `pk=${pk}`;
  const sent = { "Content-Length": String(body.length), "X-Forwarded-For": from };
  const init = { method: "POST", body, headers: { ...VOTE_HEADERS, ...sent } };
  return await relay.fetch(new Request(`http://relay/apiv1/${operation}/`, init));
}

/** Lets ten seconds pass once the service has so many requests. */
async function endPatience(requests: number): Promise<void> {
  await expect.poll(() => service.posts().length).toBe(requests);
  for (const [ms, deadline] of deadlines) {
    expect(ms).toBe(10_000);
    deadline.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
  }
}

/** Reports a quote for each client. @returns how many were passed on */
async function report(clients: readonly string[]): Promise<number> {
  const before = service.posts().length;
  for (const [n, from] of clients.entries()) await vote(n + 1, "report", from);
  return service.posts().length - before;
}

const THROTTLED = [429, "too many requests"] as const;

test.each<[ReplyName, number, string | null, string | null]>([
  ["ok", 200, null, null],
  ["noContent", 200, null, null],
  ["badRequest", 400, "Bad Request", null],
  ["throttled", ...THROTTLED, "280"],
  ["throttledInWords", ...THROTTLED, "2837"],
  ["throttledAsSuccess", ...THROTTLED, "60"],
  ["throttledInPieces", ...THROTTLED, "60"],
  ["throttledForYears", ...THROTTLED, "79200"],
  ["failed", 503, "Service Unavailable", null],
  ["badGateway", 502, "Bad Gateway", null],
  ["redirect", 502, "Bad Gateway", null],
  ["reset", 502, "Bad Gateway", null],
  ["silence", 504, "Gateway Timeout", null],
  ["unauthorized", 503, "Service Unavailable", null],
])(
  "a service that answers %s is asked once and becomes %d",
  async (reply, status, errmsg, wait) => {
    service.reply = reply;
    const voted = vote();
    if (reply === "silence") await endPatience(1);
    const answer = await voted;
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual(errmsg === null ? {} : { errno: status, errmsg });
    expect(answer.headers.get("Access-Control-Allow-Origin")).toBe(SITE);
    expect(answer.headers.get("Retry-After")).toBe(wait);
    expect(answer.headers.get("Access-Control-Expose-Headers")).toBe("Retry-After");
    expect(service.posts()).toEqual(["upvote 7"]);
    expect(faults).toHaveLength(status >= 500 ? 1 : 0);
    expect(faults.join()).not.toMatch(/canary|192\.0\.2\.7|fetch failed/);
  },
);

const DAY_MS = 86_400_000;

test("a vote of one address for one quote is passed on once in a day, whatever it asks for", async () => {
  relay = relayWith({ RELAY_PROXIES: "1", RELAY_QUOTA: "1000/60", RELAY_TOTAL: "100000/60" });
  for (const from of ["192.0.2.1", "192.0.2.1:4711", "192.0.2.1"])
    expect((await vote(7, "upvote", from)).status).toBe(200);
  expect(service.posts()).toEqual(["upvote 7"]);
  // Another quote, operation, address and network; and of one /64 the second is the first.
  await vote(8, "upvote", "192.0.2.1");
  await vote(7, "downvote", "192.0.2.1");
  await vote(7, "upvote", "192.0.2.2");
  await vote(7, "upvote", "2001:db8:0:1::1");
  await vote(7, "upvote", "2001:db8:0:1:ffff::2");
  const others = ["upvote 8", "downvote 7", "upvote 7", "upvote 7"];
  expect(service.posts()).toEqual(["upvote 7", ...others]);
  passedMs = DAY_MS - 1;
  await vote(7, "upvote", "192.0.2.1");
  expect(service.posts()).toHaveLength(5);
  passedMs = 2 * DAY_MS + 1;
  await vote(7, "upvote", "192.0.2.1");
  expect(service.posts()).toHaveLength(6);
});

test("of ten thousand votes none is taken for one that was cast", async () => {
  const votes = createCastVotes(() => NOW);
  let repeated = 0;
  for (let n = 0; n < 10_000; n++) {
    const one = await votes.voteOf(`10.${n >> 8}.${n & 255}.1`, "upvote", 7);
    repeated += Number(votes.has(one));
    votes.add(one);
  }
  expect(repeated).toBeLessThan(2);
});

const READERS = LONG ? 10_000 : 200;

test(`of ${READERS} readers each is counted`, async () => {
  relay = relayWith({ RELAY_PROXIES: "1", RELAY_QUOTA: "9/1", RELAY_TOTAL: "1000000/60" });
  const readers = Array.from({ length: READERS }, (_, n) => `10.${n >> 8}.${n & 255}.1`);
  for (const from of readers) await vote(7, "upvote", from);
  expect(service.posts().length).toBeGreaterThan(READERS - 2);
});

test.each<[ReplyName, number]>([
  ["badRequest", 2],
  ["failed", 2],
  ["badGateway", 1],
  ["reset", 1],
])("after %s a vote is passed on as often as it cannot have counted: %d", async (reply, times) => {
  service.reply = reply;
  await vote();
  service.reply = "ok";
  expect((await vote()).status).toBe(200);
  expect(service.posts()).toHaveLength(times);
});

test("a second vote waits while the first is under way", async () => {
  service.reply = "silence";
  const first = vote();
  await expect.poll(() => service.posts()).toHaveLength(1);
  expect((await vote()).status).toBe(429);
  await service.answerSilent("ok");
  expect((await first).status).toBe(200);
  expect((await vote()).status).toBe(200);
  expect(service.posts()).toHaveLength(1);
});

test.each([
  // A port for experiments (RFC 4727), on an address of this machine that nobody uses.
  ["a port where nothing listens", "http://127.99.99.99:1021"],
  ["a name that leads nowhere", "http://nowhere.invalid"],
])("%s: nothing was sent, and the vote may be tried again", async (_, url) => {
  relay = relayWith({ QUOTES_BASE_URL: url, QUOTES_TOKEN: "" });
  expect((await vote()).status).toBe(503);
  expect(faults).toEqual([expect.stringMatching(/^Cannot reach the service, nothing was sent: ./)]);
  expect((await vote()).status).toBe(503);
});

test("reports have a quota of their own: few for an address and a network, and few in all", async () => {
  relay = relayWith({ RELAY_PROXIES: "1" });
  // One /48, an address of a /64 of its own each time; then as many networks as it takes.
  const clients = Array.from({ length: 100 }, (_, n) => n + 1);
  expect(await report(clients.map((n) => `[2001:db8:1:${n}::1]`))).toBe(5);
  expect(await report(clients.map((n) => `10.${n}.0.1:${n}`))).toBe(45);
  expect((await vote(7, "upvote", "2001:db8:1::1")).status).toBe(200);
});

test("RELAY_TOTAL is what all readers have together, and a tenth of it what a network has", async () => {
  relay = relayWith({ RELAY_TOTAL: "20/60", RELAY_PROXIES: "1" });
  const others = Array.from({ length: 19 }, (_, n) => `10.1.${n}.1`);
  const refused: string[] = [];
  for (const from of ["10.0.0.1", "10.0.0.2", "10.0.0.3", ...others])
    if ((await vote(7, "upvote", from)).status === 429) refused.push(from);
  expect(refused).toEqual(["10.0.0.3", "10.1.18.1"]);
});

test("RELAY_REPORTS=off passes on votes alone", async () => {
  relay = relayWith({ RELAY_REPORTS: "off" });
  expect((await vote(7, "report")).status).toBe(404);
  expect((await vote()).status).toBe(200);
  expect(service.posts()).toEqual(["upvote 7"]);
});

test("without a service there is nothing to relay to", () => {
  const wanted = "Cannot relay votes: QUOTES_BASE_URL is not set";
  expect(() => relayWith({ QUOTES_BASE_URL: "" })).toThrow(wanted);
});

test("a service at a port that fetch refuses is named before the first vote", async () => {
  const causeOf = (port: number): Promise<unknown> =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => null,
      (error: Error) => (error.cause as Error).message,
    );
  const start = (port: number) => () => relayWith({ QUOTES_BASE_URL: `http://127.0.0.1:${port}` });
  // Those of the table are those that fetch refuses, and no others around them.
  for (let port = 0; port < 11_000; port++) {
    if (!isBadPort(`http://127.0.0.1:${port}`)) continue;
    expect([port, await causeOf(port)]).toEqual([port, "bad port"]);
    expect(start(port)).toThrow(`127.0.0.1:${port}: fetch never connects`);
  }
  for (const port of [2, 24, 81, 444, 1721, 6670, 8080, 10081]) {
    expect(await causeOf(port)).not.toBe("bad port");
    expect(start(port)).not.toThrow();
  }
});

test("a throttled service is left alone by all, for as long as it asked", async () => {
  service.reply = "throttled";
  await vote();
  service.reply = "ok";
  const next = await vote(8);
  expect(next.status).toBe(429);
  expect(next.headers.get("Retry-After")).toBe("280");
  expect(service.posts()).toEqual(["upvote 7"]);
});

test("a service that answers slowly is not piled up on", async () => {
  relay = relayWith({ RELAY_QUOTA: "100/60" });
  service.reply = "silence";
  const votes = Array.from({ length: 70 }, (_, index) => vote(index + 1));
  await endPatience(64);
  const statuses = (await Promise.all(votes)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 504)).toHaveLength(64);
  expect(statuses.filter((status) => status === 429)).toHaveLength(6);
  expect(service.posts()).toHaveLength(64);
});
