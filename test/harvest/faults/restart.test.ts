/** Processes that are killed, stopped by a signal, started twice, or without a service (docs/walk.md, section 9). */
import { expect, onTestFinished, test } from "vitest";
import { harvest } from "../../../src/harvest/index.ts";
import { toWire } from "../../../src/contract/quote.ts";
import { answer, collectionOf, serviceOf, startHarvests } from "../../support/service/index.ts";
import { openIntactWork } from "../../../src/snapshot/recover.ts";
import { serve, startFaultServer } from "../../support/http/index.ts";
import { run, settingsFor, start, tempFolder } from "../../support/run/index.ts";
import { publishedIn } from "../../support/snapshot/index.ts";
import { CANARY, searchFolder, sightings } from "../../canary/canary.ts";
import * as replies from "../../support/http/index.ts";
import { inTiers } from "../../support/tier.ts";

const quotes = collectionOf(1_200);

test("a harvest that was killed after it had published is not published again", async () => {
  const { stateDir, service, run: harvestNow, keys } = await startHarvests(100);
  await harvestNow();
  // Killed before it noted that the run had ended.
  const work = openIntactWork(stateDir);
  work.exec("UPDATE runs SET state = 'walking'");
  work.close();
  service.quotes = collectionOf(110);
  await harvestNow();
  expect(keys()).toHaveLength(110);
});

/** Takes 10 ms for an answer, so that there is a middle to be killed in. */
async function startService(onCall: (number: number) => void) {
  const server = await startFaultServer(({ number, url }) => {
    onCall(number);
    const reply = replies.json(answer(quotes, url, { cap: 20 }));
    return (response, request) => {
      setTimeout(() => reply(response, request), 10);
    };
  });
  onTestFinished(() => server.close());
  return server;
}

const argumentsFor = (url: string, state = tempFolder()): string[] => [
  ...["--state", state, "--base-url", url, "--quiet"],
];

for (const { cases, options } of inTiers(
  [
    ["SIGTERM", 143],
    ["SIGINT", 130],
    ["SIGHUP", 129],
    ["SIGKILL", null],
  ] as const,
  2,
))
  test.each(cases)(
    "harvest ends on %s with %j within 5 s, holds its credential nowhere, and goes on later as if it had not",
    options,
    async (name, status) => {
      let stop: () => void = () => undefined;
      let [startMs, signalled] = [0, 0];
      const server = await startService((number) => {
        if (number === 0) startMs = performance.now() - began;
        if (number === 50) stop();
      });
      const state = tempFolder();
      const began = performance.now();
      const first = start("harvest", argumentsFor(server.url, state), { QUOTES_TOKEN: CANARY });
      stop = () => {
        signalled = performance.now();
        first.child.kill(name);
      };
      const ended = await first.finished;
      expect(ended.status).toBe(status);
      expect(searchFolder(state).found).toEqual([]);
      expect(sightings(Buffer.from(ended.stdout + ended.stderr))).toEqual([]);
      // Where the start alone takes longer than half a second, the machine is slow or busy.
      expect(performance.now() - signalled).toBeLessThan(Math.max(5_000, 10 * startMs));
      const before = server.journal.length;
      const { signal } = new AbortController();
      await harvest({ settings: settingsFor(server.url, state), signal });
      // What was read before was kept, give or take what a kill kept from the disk.
      expect(server.journal.length - before).toBeLessThan(1_200 / 17 + 1 - 25);
      expect(publishedIn(state).map(toWire)).toEqual(quotes);
    },
  );

test("harvest() of a service that asks to wait for an hour ends at its signal", async () => {
  const stop = new AbortController();
  const server = await serve((...to) => {
    setTimeout(() => stop.abort(new Error("stopped by the test")), 50);
    replies.throttled({ "retry-after": "3600" })(...to);
  });
  const settings = settingsFor(server.url, tempFolder(), { maxWaitMs: 1e8 });
  const working = harvest({ settings, signal: stop.signal });
  await expect(working).rejects.toThrow("stopped by the test");
});

test("a second harvest of the same state stops at once and says why", async () => {
  const [begun, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { service, run: harvestNow } = await startHarvests(20);
  service.fault = ({ url }) => {
    begun.resolve();
    const reply = replies.json(answer(service.quotes, url, { cap: 20 }));
    return (...to) => void free.promise.then(() => reply(...to));
  };
  const first = harvestNow();
  await begun.promise;
  const message = expect.stringContaining("another run is using it") as string;
  await expect(harvestNow()).rejects.toMatchObject({ exitStatus: 75, message });
  free.resolve();
  expect((await first).exitStatus).toBe(0);
});

test("a harvest that ends before there is anything to publish says why once", async () => {
  const { url } = await serviceOf(collectionOf(90));
  const { status, stdout, stderr } = await run("harvest", [
    ...argumentsFor(url),
    "--max-requests=3",
  ]);
  expect(status).toBe(75);
  expect(stdout).not.toContain("Cannot");
  expect(stderr.split("Cannot send more than 3 requests")).toHaveLength(2);
});
