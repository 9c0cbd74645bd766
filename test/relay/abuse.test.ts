/** A flood of mixed abuse, while people vote: nothing invalid is passed on, nothing fails, no vote waits. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exchange } from "../service/support/raw-socket.ts";
import {
  ask,
  type RunningRelay,
  type Sent,
  startRelay,
  startVoteServer,
  type VoteServer,
} from "../support/votes/index.ts";

let service: VoteServer;
let relay: RunningRelay;
beforeAll(async () => {
  service = await startVoteServer();
  relay = await startRelay({
    QUOTES_BASE_URL: service.url,
    RELAY_QUOTA: "20/600",
    RELAY_TOTAL: "5000/600",
    // The test takes the place of a proxy, and names the client's address.
    RELAY_PROXIES: "1",
  });
});
afterAll(async () => {
  await relay.stop();
  await service.close();
});

/** Requests that never should reach the service; the flooder's own quota is 20. */
const ABUSE: readonly Sent[] = [
  { headers: { Origin: "https://evil.example" } },
  { headers: { Origin: "" } },
  { headers: { "Sec-Fetch-Site": "none" } },
  { path: "/apiv1/quotes/?limit=100" },
  { path: "/apiv1/upvote" },
  { path: "/%00%ff/../../etc/passwd" },
  { method: "GET", body: "" },
  { method: "OPTIONS", body: "" },
  { body: "pk=-1" },
  { body: "pk=1&pk=2" },
  { body: "pk=9007199254740993" },
  { body: `pk=${"9".repeat(4_000)}` },
  { body: '{"pk":7}', headers: { "Content-Type": "application/json" } },
  { body: "", headers: { "X-Forwarded-For": "192.0.2.1, 198.51.100.66" } },
  { headers: { "X-Padding": "x".repeat(20_000) } },
  { headers: { Expect: "200-maybe" } },
];

const MALFORMED = [
  "NONSENSE\r\n\r\n",
  "POST /apiv1/upvote/ HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\npk=7",
  "POST /apiv1/upvote/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\npk=7",
  "POST /apiv1/upvote/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
  "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
];

const FLOODERS = 16;

/** Requests of the flood that were answered. */
let answered = 0;

async function flood(requests: number): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  let next = 0;
  const worker = async () => {
    for (let n = next++; n < requests; n = next++) {
      const sent: Sent = ABUSE[n % (ABUSE.length + 4)] ?? { body: `pk=${n}` };
      const { status } = await ask(relay.url, { ...sent, from: "198.51.100.66" });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      answered++;
    }
  };
  await Promise.all(Array.from({ length: FLOODERS }, worker));
  return statuses;
}

/**
 * Votes of people, each from an address of its own, for as long as `goOn` says.
 *
 * @returns how many counted, the least time of one, and how many requests of the flood were answered while one waited
 */
async function vote(goOn: (voted: number) => boolean) {
  const waits: number[] = [];
  let leastMs = Infinity;
  // An address may by chance share its count with the flooder's: one in 65,536 does.
  const unlucky = new Set<string>();
  for (let reader = 1; goOn(reader - 1); reader++) {
    const from = `192.${reader % 250}.2.1`;
    const [before, sent] = [answered, performance.now()];
    const answer = await ask(relay.url, { body: `pk=${reader}`, from });
    if (answer.status === 429) unlucky.add(from);
    else expect(answer, JSON.stringify(answer)).toMatchObject({ status: 200 });
    if (answer.status === 200) {
      waits.push(answered - before);
      leastMs = Math.min(leastMs, performance.now() - sent);
    }
    await sleep(40);
  }
  expect(unlucky.size).toBeLessThanOrEqual(1);
  waits.sort((a, b) => a - b);
  return { votes: waits.length, leastMs, medianWait: waits[waits.length >> 1] ?? Infinity };
}

test("2,000 requests of abuse: no 5xx, nothing invalid passed on, honest votes in under 100 ms and never in line", async () => {
  const calm = await vote((voted) => voted < 30);
  const broken = Array.from({ length: 120 }, (_, index) =>
    exchange(relay.url, MALFORMED[index % MALFORMED.length]),
  );
  let flooding = true;
  const flooded = flood(1_880).finally(() => (flooding = false));
  const honest = await vote((voted) => flooding || voted < 30);
  const statuses = await flooded;
  const replies = await Promise.all(broken);

  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
  expect(replies.filter(({ reply }) => /^HTTP\/1\.1 [235]/.test(reply))).toEqual([]);
  const passed = service.journal.filter(({ body }) => !/^pk=[1-9]\d*$/.test(body));
  expect(passed).toEqual([]);
  expect(service.posts().every((post) => /^(?:upvote|downvote|report) \d+$/.test(post))).toBe(true);
  expect(service.journal).toHaveLength(calm.votes + honest.votes + (statuses.get(200) ?? 0));
  expect(statuses.get(200)).toBeLessThanOrEqual(20);
  expect(calm.leastMs).toBeLessThan(100);
  // Not in milliseconds: the flood itself takes its share of the machine, as it has no place to come from but here.
  expect(honest.medianWait).toBeLessThan(20 * FLOODERS);
  expect(relay.output()).not.toMatch(/192\.\d|198\.51|canary/);
});
