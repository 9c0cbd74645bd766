/** What becomes of votes and reports: the relay as a function, the service behind a real socket. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { relayOptions } from "../../src/commands/relay-options.ts";
import { clientAddress } from "../../src/util/network.ts";
import { createRelay, type Relay } from "../../src/relay/relay.ts";
import { readSettings } from "../../src/settings/settings.ts";
import {
  type ReplyName,
  SITE,
  startVoteServer,
  VOTE_HEADERS,
  type VoteServer,
} from "../support/votes/index.ts";

const NOW = Date.UTC(2026, 10, 21, 12);

let service: VoteServer;
let relay: Relay;
let faults: string[];

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
  // No second passes, however slow the machine.
  return createRelay({ ...options, now: () => NOW });
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
