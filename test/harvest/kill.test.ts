/** Killed at any request and started again, a harvest ends as an undisturbed one (harvest.md §7). */
import { expect, onTestFinished, test } from "vitest";
import { collectionOf, pageOf } from "../support/collection.ts";
import { startFaultServer } from "../support/fault-server.ts";
import { run, start } from "../support/harvester.ts";
import * as replies from "../support/replies.ts";
import { temporaryFolder } from "../support/settings.ts";

const quotes = collectionOf(300);

async function startService(onCall: (number: number) => void) {
  const server = await startFaultServer(({ number, url }) => {
    onCall(number);
    return replies.json(pageOf(quotes, url, { cap: 20 }));
  });
  onTestFinished(() => server.close());
  return server;
}

test("harvest killed between windows and started again exports what an undisturbed one does", async () => {
  let kill: () => void = () => undefined;
  const server = await startService((number) => {
    if (number === 9) kill();
  });
  const state = ["--state", temporaryFolder(), "--base-url", server.url, "--quiet"];
  const first = start("harvest", state);
  kill = () => first.child.kill("SIGKILL");
  expect((await first.finished).signal).toBe("SIGKILL");
  const before = server.journal.length;
  const second = await run("harvest", state);
  expect(second).toMatchObject({ status: 0, stderr: "" });
  // It went on from where it was: the windows read before were not read again.
  expect(server.journal.length - before).toBeLessThan(before + 5);
  const undisturbed = ["--state", temporaryFolder(), "--base-url", server.url, "--quiet"];
  await run("harvest", undisturbed);
  const [a, b] = [await run("export", state), await run("export", undisturbed)];
  expect(a.stdout).toBe(b.stdout);
  expect(a.stdout.trim().split("\n")).toHaveLength(quotes.length);
});

test("a second harvest of the same state stops at once and says why", async () => {
  const server = await startService(() => undefined);
  const state = ["--state", temporaryFolder(), "--base-url", server.url, "--quiet"];
  const both = await Promise.all([run("harvest", state), run("harvest", state)]);
  const statuses = both.map(({ status }) => status).sort();
  expect(statuses).toEqual([0, 75]);
  expect(both.find(({ status }) => status === 75)?.stderr).toMatch(/another run is using it/);
});

test("export without a snapshot says what to do", async () => {
  const { status, stderr } = await run("export", ["--state", temporaryFolder()]);
  expect(status).toBe(75);
  expect(stderr).toMatch(/^Cannot export .*: nothing was harvested yet/);
});
