/** What is published is whole, belongs to one run, and remembers what is gone. */
import { existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DiskError, StateInUse } from "../../src/contract/errors.ts";
import { takeLock } from "../../src/snapshot/lock.ts";
import { Draft } from "../../src/snapshot/published/draft.ts";
import { pruneSnapshots } from "../../src/snapshot/published/history.ts";
import { publish } from "../../src/snapshot/published/publish.ts";
import {
  listSnapshots,
  readPointer,
  snapshotPath,
  writePointer,
} from "../../src/snapshot/published/pointer.ts";
import { openPublished } from "../../src/snapshot/published/read.ts";
import { openIntactWork, recoverPublished } from "../../src/snapshot/recover.ts";
import { Database } from "../../src/sqlite/database.ts";
import { tempFolder } from "../support/run/index.ts";
import { wireQuote } from "../support/service/index.ts";
import { makeSnapshot } from "../support/snapshot/index.ts";
import { startSnapshots } from "./snapshots.ts";

/** Pages of an SQLite file. */
const PAGE_BYTES = 4_096;

test("publish() refuses a copy that the disk damaged, and publishes nothing", async () => {
  const stateDir = tempFolder();
  using work = openIntactWork(stateDir);
  const draft = new Draft(work, stateDir, null, () => true);
  const copied = join(stateDir, "snapshots", "next.unfinished");
  let damaged = 0;
  const damage = (): Promise<void> => {
    if (!existsSync(copied)) return Promise.resolve();
    const bytes = readFileSync(copied);
    // The second page is the root of the first table.
    bytes.fill(0xff, PAGE_BYTES, PAGE_BYTES + 64);
    writeFileSync(copied, bytes);
    damaged++;
    return Promise.resolve();
  };
  await expect(publish(draft, stateDir, 0, damage)).rejects.toThrow(DiskError);
  expect(damaged).toBeGreaterThan(0);
  expect(readPointer(stateDir)).toBeNull();
  expect(listSnapshots(stateDir)).toEqual([]);
});

const gone = ({ path }: { readonly path: string }): [number, string][] => {
  using database = new Database(path, { immutable: true });
  return [...database.tuples<[number, string]>("SELECT id, since FROM gone ORDER BY id")];
};

test("a published snapshot lists what is gone with its first date, and not what came back", async () => {
  const { service, stateDir, run } = await startSnapshots(60);
  const day = (date: number) => run({}, { now: () => Date.UTC(2026, 10, date) });
  const night = async (date: number, without: readonly number[]) => {
    service.quotes = Array.from({ length: 60 }, (_, at) => wireQuote(at + 1));
    service.quotes = service.quotes.filter(({ pk }) => !without.includes(pk));
    await day(date);
    using snapshot = openPublished(stateDir);
    return gone(snapshot ?? { path: "" });
  };
  const date = (of: number): string => new Date(Date.UTC(2026, 10, of)).toISOString();
  expect(await night(1, [])).toEqual([]);
  expect(await night(2, [7, 31])).toEqual([
    [7, date(2)],
    [31, date(2)],
  ]);
  expect(await night(3, [7, 12])).toEqual([
    [7, date(2)],
    [12, date(3)],
  ]);
  expect(await night(4, [])).toEqual([]);
});

test("openPublished() names a pointer to no snapshot, and one to a snapshot that is missing", () => {
  const { stateDir, id } = makeSnapshot({ quotes: [{ id: 1 }] });
  const pointer = join(stateDir, "current");
  for (const text of ["../x", "", id.slice(0, -1), `${id}/../${id}`, `x${id}`]) {
    writeFileSync(pointer, text);
    expect(() => openPublished(stateDir), text).toThrow(
      new DiskError(`Cannot use ${pointer}: it names no snapshot`),
    );
  }
  const missing = id.replace(/.{8}$/, "00000000");
  writeFileSync(pointer, missing);
  expect(() => openPublished(stateDir)).toThrow(
    new DiskError(`Cannot use ${snapshotPath(stateDir, missing)}: it is missing`),
  );
});

test("recoverPublished() changes nothing while another run holds the state", () => {
  const stateDir = tempFolder("state");
  const whole = makeSnapshot({ quotes: [{ id: 1 }], stateDir, stamp: "20261119T000000000Z" });
  const cut = makeSnapshot({ quotes: [{ id: 2 }], stateDir });
  truncateSync(cut.path, 100);
  {
    using _lock = takeLock(stateDir);
    expect(() => recoverPublished(stateDir, 0)).toThrow(StateInUse);
    expect(readPointer(stateDir)).toBe(cut.id);
    expect(existsSync(cut.path)).toBe(true);
  }
  expect(recoverPublished(stateDir, 0)).toHaveLength(2);
  expect(readPointer(stateDir)).toBe(whole.id);
});

test("pruneSnapshots() keeps the newest, and the published one however old it is", () => {
  const stateDir = tempFolder("state");
  const ids = [1, 2, 3, 4, 5].map(
    (day) =>
      makeSnapshot({ quotes: [{ id: day }], stateDir, stamp: `2026110${day}T000000000Z` }).id,
  );
  const [first = "", second = "", third = "", ...newest] = ids;
  writePointer(stateDir, second);
  expect(pruneSnapshots(stateDir, 2)).toEqual([first, third]);
  expect(listSnapshots(stateDir)).toEqual([second, ...newest]);
});
