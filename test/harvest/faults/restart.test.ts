/** Processes that are killed, stopped by a signal, started twice, or without a service (docs/walk.md, section 9). */
import { expect, onTestFinished, test } from "vitest";
import { answer, collectionOf } from "../../support/service/index.ts";
import { CLOSED, startFaultServer } from "../../support/http/index.ts";
import { run, start, tempFolder } from "../../support/run/index.ts";
import * as replies from "../../support/http/index.ts";

const quotes = collectionOf(1_200);

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

const argumentsFor = (url: string): string[] => [
  ...["--state", tempFolder(), "--base-url", url, "--quiet"],
];

test.each([
  ["SIGTERM", 143],
  ["SIGINT", 130],
  ["SIGKILL", null],
] as const)(
  "harvest ends on %s with %j within 5 s, and goes on later as if it had not",
  async (name, status) => {
    let stop: () => void = () => undefined;
    let [startMs, signalled] = [0, 0];
    const server = await startService((number) => {
      if (number === 0) startMs = performance.now() - began;
      if (number === 50) stop();
    });
    const args = argumentsFor(server.url);
    const began = performance.now();
    const first = start("harvest", args);
    stop = () => {
      signalled = performance.now();
      first.child.kill(name);
    };
    expect((await first.finished).status).toBe(status);
    // Where the start alone takes longer than half a second, the machine is slow or busy.
    expect(performance.now() - signalled).toBeLessThan(Math.max(5_000, 10 * startMs));
    const before = server.journal.length;
    expect(await run("harvest", args)).toMatchObject({ status: 0, stderr: "" });
    // What was read before was kept, give or take what a kill kept from the disk.
    expect(server.journal.length - before).toBeLessThan(1_200 / 17 + 1 - 25);
    const { stdout } = await run("export", args.slice(0, 2));
    const exported = stdout.trim().split("\n");
    expect(exported.map((line) => JSON.parse(line) as unknown)).toEqual(quotes);
  },
);

test.each([
  ["never answers", replies.silence],
  ["sends a byte at a time", replies.drip],
  ["asks to wait for an hour", replies.throttled({ "retry-after": "3600" })],
])("SIGTERM ends the harvest of a service that %s within 5 s", async (_, reply) => {
  const asked = Promise.withResolvers<void>();
  const began = performance.now();
  const server = await startFaultServer(() => {
    asked.resolve();
    return reply;
  });
  onTestFinished(() => server.close());
  const { child, finished } = start("harvest", [
    ...argumentsFor(server.url),
    "--max-wait",
    "100000",
  ]);
  await asked.promise;
  const signalled = performance.now();
  child.kill("SIGTERM");
  expect((await finished).status).toBe(143);
  const startMs = signalled - began;
  expect(performance.now() - signalled).toBeLessThan(Math.max(5_000, 10 * startMs));
});

test("a second harvest of the same state stops at once and says why", async () => {
  const [begun, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const server = await startFaultServer(({ url }) => {
    begun.resolve();
    const reply = replies.json(answer(quotes, url, { cap: 20 }));
    return (...to) => void free.promise.then(() => reply(...to));
  });
  onTestFinished(() => server.close());
  const args = argumentsFor(server.url);
  const first = run("harvest", args);
  await begun.promise;
  const second = await run("harvest", args);
  free.resolve();
  expect(second.status).toBe(75);
  expect(second.stderr).toMatch(/another run is using it/);
  expect((await first).status).toBe(0);
});

test("harvest of a closed port exits 69 with one line, and export says what to do", async () => {
  const args = argumentsFor(CLOSED);
  const { status, stderr } = await run("harvest", args);
  expect(status).toBe(69);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  const exported = await run("export", args.slice(0, 2));
  expect(exported.status).toBe(75);
  expect(exported.stderr).toMatch(/^Cannot export .*: nothing was harvested yet/);
});
