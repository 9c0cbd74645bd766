/** A flood of mixed abuse, while people vote: nothing invalid is passed on, nothing fails, no vote waits. */
import { expect, onTestFinished, test } from "vitest";
import { ask, type Sent, startRelay, startVoteServer } from "../support/votes/index.ts";

/** Requests that never should reach the service; the flooder's own quota is 20. */
const ABUSE: readonly Sent[] = [
  { headers: { Origin: "https://evil.example" } },
  { headers: { Origin: "" } },
  { headers: { "Sec-Fetch-Site": "none" } },
  { path: "/apiv1/quotes/?limit=100" },
  { path: "/%00%ff/../../etc/passwd" },
  { method: "GET", body: "" },
  { body: "pk=-1" },
  { body: "pk=9007199254740993" },
  { body: `pk=${"9".repeat(4_000)}` },
  { body: '{"pk":7}', headers: { "Content-Type": "application/json" } },
  { body: "", headers: { "X-Forwarded-For": "192.0.2.1, 198.51.100.66" } },
  { headers: { "X-Padding": "x".repeat(20_000) } },
];

const FLOOD = 800;
const FLOODERS = 16;

test(
  `${FLOOD} requests of abuse: no 5xx, nothing invalid passed on, and no vote waits in line`,
  { tags: "long" },
  async () => {
    const service = await startVoteServer();
    onTestFinished(() => service.close());
    const relay = await startRelay({
      QUOTES_BASE_URL: service.url,
      RELAY_QUOTA: "20/600",
      RELAY_TOTAL: "5000/600",
      // The test takes the place of a proxy, and names the client's address.
      RELAY_PROXIES: "1",
    });
    onTestFinished(async () => void (await relay.stop()));

    const answers: number[] = [];
    let sent = 0;
    const flood = async (): Promise<void> => {
      for (let n = sent++; n < FLOOD; n = sent++) {
        const abuse = ABUSE[n % (ABUSE.length + 4)] ?? { body: `pk=${n}` };
        answers.push((await ask(relay.url, { ...abuse, from: "198.51.100.66" })).status);
      }
    };
    const flooded = Promise.all(Array.from({ length: FLOODERS }, flood));

    const votes: number[] = [];
    /** Answers to the flood while each vote waited for its own. */
    const waits: number[] = [];
    for (let reader = 1; sent < FLOOD; reader++) {
      const before = answers.length;
      const { status } = await ask(relay.url, {
        body: `pk=${reader}`,
        from: `192.${reader % 250}.2.1`,
      });
      votes.push(status);
      waits.push(answers.length - before);
    }
    await flooded;

    expect(answers.filter((status) => status >= 500)).toEqual([]);
    const passedOn = answers.filter((status) => status === 200).length;
    expect(passedOn).toBeLessThanOrEqual(20);
    const counted = votes.filter((status) => status === 200).length;
    // An address shares its count with the flooder's by chance: one in 65,536 does.
    expect(counted).toBeGreaterThanOrEqual(Math.max(2, votes.length - 1));
    expect(service.journal).toHaveLength(counted + passedOn);
    expect(service.posts().filter((post) => !/^upvote [1-9]\d*$/.test(post))).toEqual([]);
    // Not in milliseconds: the flood takes its share of the machine.
    expect(waits.toSorted((a, b) => a - b)[waits.length >> 1]).toBeLessThan(10 * FLOODERS);
    expect(relay.output()).not.toMatch(/192\.\d|198\.51|canary/);
  },
);
