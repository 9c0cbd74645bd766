/** What becomes of a vote that was passed on: the relay as a function, the service behind a real socket. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { relayOptions } from "../../src/commands/relay-options.ts";
import { createRelay, type Relay } from "../../src/relay/relay.ts";
import { readSettings } from "../../src/settings/settings.ts";
import {
  type ReplyName,
  SITE,
  startVoteServer,
  VOTE_HEADERS,
  type VoteServer,
} from "../support/votes/index.ts";

let service: VoteServer;
let relay: Relay;
let faults: string[];

/** Short enough to wait for, and long enough for sixty requests to arrive on a busy machine. */
const PATIENCE_MS = 2_500;
beforeAll(async () => {
  service = await startVoteServer();
});
afterAll(() => service.close());
beforeEach(() => {
  service.reset();
  faults = [];
  const env = { SITE_URL: SITE, QUOTES_BASE_URL: service.url, QUOTES_TOKEN: "canary" };
  const options = relayOptions(readSettings({}, env), {
    addressOf: () => "192.0.2.7",
    onFault: (line) => faults.push(line),
  });
  relay = createRelay({ ...options, service: { ...options.service, patienceMs: PATIENCE_MS } });
});

async function vote(pk = 7): Promise<Response> {
  const body = `pk=${pk}`;
  const headers = { ...VOTE_HEADERS, "Content-Length": String(body.length) };
  const request = new Request("http://relay/apiv1/upvote/", { method: "POST", body, headers });
  return relay.fetch(request);
}

const THROTTLED = [429, "too many requests"] as const;

test.each<[ReplyName, number, string | null, string | null]>([
  ["ok", 200, null, null],
  ["noContent", 200, null, null],
  ["badRequest", 400, "Bad Request", null],
  ["throttled", ...THROTTLED, "280"],
  ["throttledInWords", ...THROTTLED, "2837"],
  ["throttledAsSuccess", ...THROTTLED, "60"],
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
    const answer = await vote();
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual(errmsg === null ? {} : { errno: status, errmsg });
    expect(answer.headers.get("Access-Control-Allow-Origin")).toBe(SITE);
    expect(answer.headers.get("Retry-After")).toBe(wait);
    expect(service.posts()).toEqual(["upvote 7"]);
    expect(faults).toHaveLength(status >= 500 ? 1 : 0);
    expect(faults.join()).not.toMatch(/canary|192\.0\.2\.7/);
  },
);

test("a throttled service is left alone by all, for as long as it asked", async () => {
  service.reply = "throttled";
  await vote();
  service.reply = "ok";
  const next = await vote(8);
  expect(next.status).toBe(429);
  expect(Number(next.headers.get("Retry-After"))).toBeGreaterThan(270);
  expect(service.posts()).toEqual(["upvote 7"]);
});

test("a service that answers slowly is not piled up on", async () => {
  service.reply = "silence";
  const votes = Array.from({ length: 60 }, (_, index) => vote(index + 1));
  const answers = await Promise.all(votes);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([504]));
  expect(service.posts()).toHaveLength(60);
});
