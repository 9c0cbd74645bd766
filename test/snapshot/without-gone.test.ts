/** Going back to a snapshot of before: what readers reported since then stays away. */
import { readdirSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { snapshotsProgram } from "../../src/commands/snapshots.ts";
import { readPointer, snapshotPath } from "../../src/snapshot/published/pointer.ts";
import { openPublished } from "../../src/snapshot/index.ts";
import { begin, type Night, wireQuote } from "../support/service/index.ts";
import { settingsFor } from "../support/run/index.ts";

const { signal } = new AbortController();

/** Three nights; quote 7 is gone on the second, the third brings a new one. */
async function threeNights(): Promise<Night & { readonly ids: string[] }> {
  const night = await begin(60);
  const ids: string[] = [];
  const run = async (): Promise<void> => {
    await night.run();
    ids.push(readPointer(night.stateDir) ?? "");
  };
  await run();
  night.service.quotes = night.service.quotes.filter(({ pk }) => pk !== 7);
  await run();
  night.service.quotes.push(wireQuote(61));
  await run();
  return { ...night, ids };
}

const goBackTo = (night: Night, id: string) =>
  snapshotsProgram.run({
    words: ["use", id],
    settings: settingsFor(night.service.url, night.stateDir),
    options: {},
    signal,
  });

test("a snapshot that is used again lacks what was found gone since, and is sound", async () => {
  const night = await threeNights();
  const [first = "", second = ""] = night.ids;
  const { text } = await goBackTo(night, first);
  expect(text).toContain("without what is gone since");
  expect(night.keys()).toEqual(
    Array.from({ length: 60 }, (_, at) => at + 1).filter((pk) => pk !== 7),
  );
  const snapshot = openPublished(night.stateDir);
  expect(snapshot?.fact("complete")).toBeDefined();
  snapshot?.close();
  expect(readdirSync(join(night.stateDir, "snapshots")).join()).not.toContain("unfinished");
  expect((await goBackTo(night, second)).result).toEqual({ current: second });
});

test("a part of a harvest after a damaged snapshot does not bring back what was gone", async () => {
  const night = await threeNights();
  const [, second = "", third = ""] = night.ids;
  for (const id of [second, third]) truncateSync(snapshotPath(night.stateDir, id), 5_000);
  const { harvest } = await night.run({ maxRequests: 1 });
  expect(harvest.label).toBe("partial");
  expect(night.keys()).not.toContain(7);
  expect(night.keys()).toContain(60);
});

test("what the service shows again is no longer gone", async () => {
  const night = await threeNights();
  const [first = ""] = night.ids;
  night.service.quotes.push(wireQuote(7));
  await night.run();
  await goBackTo(night, first);
  expect(night.keys()).toContain(7);
});
