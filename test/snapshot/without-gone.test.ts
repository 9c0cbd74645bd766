/** Going back to a snapshot of before: what readers reported since then stays away. */
import { readdirSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { snapshotPath } from "../../src/snapshot/published/pointer.ts";
import { openPublished } from "../../src/snapshot/index.ts";
import { wireQuote } from "../support/service/index.ts";
import { startSnapshots, type Snapshots } from "./snapshots.ts";

/** Three nights; quote 7 is gone on the second, the third brings a new one. */
async function threeNights(): Promise<Snapshots & { readonly ids: string[] }> {
  const harvests = await startSnapshots(60);
  const ids = [await harvests.publish()];
  harvests.service.quotes = harvests.service.quotes.filter(({ pk }) => pk !== 7);
  ids.push(await harvests.publish());
  harvests.service.quotes.push(wireQuote(61));
  ids.push(await harvests.publish());
  return { ...harvests, ids };
}

test("a snapshot that is used again lacks what was found gone since, and is sound", async () => {
  const harvests = await threeNights();
  const [first = "", second = ""] = harvests.ids;
  const { text } = harvests.snapshots("use", first);
  expect(text).toContain("without what is gone since");
  expect(harvests.keys()).toEqual(
    Array.from({ length: 60 }, (_, at) => at + 1).filter((pk) => pk !== 7),
  );
  const snapshot = openPublished(harvests.stateDir);
  expect(snapshot?.fact("complete")).toBeDefined();
  snapshot?.close();
  expect(readdirSync(join(harvests.stateDir, "snapshots")).join()).not.toContain("unfinished");
  expect(harvests.snapshots("use", second).result).toEqual({ current: second });
});

test("a part of a harvest after a damaged snapshot does not bring back what was gone", async () => {
  const harvests = await threeNights();
  const [, second = "", third = ""] = harvests.ids;
  for (const id of [second, third]) truncateSync(snapshotPath(harvests.stateDir, id), 5_000);
  const { harvest } = await harvests.run({ maxRequests: 1 });
  expect(harvest.label).toBe("partial");
  expect(harvests.keys()).not.toContain(7);
  expect(harvests.keys()).toContain(60);
});

test("what the service shows again is no longer gone", async () => {
  const harvests = await threeNights();
  const [first = ""] = harvests.ids;
  harvests.service.quotes.push(wireQuote(7));
  await harvests.run();
  harvests.snapshots("use", first);
  expect(harvests.keys()).toContain(7);
});
