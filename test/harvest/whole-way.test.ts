/** The harvest from the socket to the published snapshot, against services that fail in every way of §6. */
import { expect, onTestFinished, test } from "vitest";
import { harvest } from "../../src/commands/harvest.ts";
import { openPublished } from "../../src/snapshot/index.ts";
import { collectionOf, answer } from "../support/service/index.ts";
import { startFaultServer, type FaultServer, type Handler } from "../support/http/index.ts";
import * as replies from "../support/http/index.ts";
import { settingsFor, tempFolder } from "../support/run/index.ts";

const signal = new AbortController().signal;

async function serve(handler: Handler): Promise<FaultServer> {
  const server = await startFaultServer(handler);
  onTestFinished(() => server.close());
  return server;
}

const quotes = collectionOf(450);

function exported(stateDir: string): unknown[] {
  const snapshot = openPublished(stateDir);
  const all = [...(snapshot?.all() ?? [])].map(({ id, text }) => [id, text]);
  snapshot?.close();
  return all;
}

const whole = quotes.map(({ pk, quote }) => [pk, quote]);

test("harvest() reads everything in few requests and publishes it", async () => {
  const server = await serve(({ url }) => replies.json(answer(quotes, url, { cap: 100 })));
  const stateDir = tempFolder();
  const result = await harvest(settingsFor(server.url, stateDir), () => undefined, { signal });
  expect(result.harvest.label).toBe("complete:proved");
  expect(exported(stateDir)).toEqual(whole);
  expect(server.journal.length).toBeLessThanOrEqual(1.05 * 5 + 5 + 3);
  expect(result.harvest.requests).toBe(server.journal.length);
});

const half = (url: URL) => answer(quotes, url, { cap: 20 });

test.each([
  ["500", (url: URL) => replies.json(half(url), 500)],
  ["reset", () => replies.reset],
  ["a body cut short", (url: URL) => replies.cutShort(half(url))],
  ["a body cut short without a length", (url: URL) => replies.cutShortQuietly(half(url))],
  ["HTML with 200", () => replies.html],
  ["429", () => replies.throttled({ "retry-after": "1" })],
])("harvest() is complete though every twentieth request fails with %s", async (_, fault) => {
  const server = await serve(({ number, url }) =>
    number % 20 === 3 ? fault(url) : replies.json(half(url)),
  );
  const stateDir = tempFolder();
  const result = await harvest(settingsFor(server.url, stateDir), () => undefined, { signal });
  expect(result.harvest.label).toBe("complete:proved");
  expect(exported(stateDir)).toEqual(whole);
});
