/** A state that was changed on the disk: what is damaged is told in a line and not published from. */
import { createHash } from "node:crypto";
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PublishRefused } from "../../src/contract/errors.ts";
import { takeLock } from "../../src/snapshot/lock.ts";
import { readPointer, snapshotPath, writePointer } from "../../src/snapshot/published/pointer.ts";
import { openPublished } from "../../src/snapshot/published/read.ts";
import { recoverPublished } from "../../src/snapshot/recover.ts";
import { Database } from "../../src/sqlite/database.ts";
import { begin, type Night, wireQuote } from "../support/service/index.ts";

/** So many nights, each with one quote more, and the snapshots that they published. */
async function nights(many: number): Promise<Night & { readonly ids: string[] }> {
  const night = await begin(200);
  const ids: string[] = [];
  for (let at = 0; at < many; at++) {
    await night.run();
    ids.push(readPointer(night.stateDir) ?? "");
    night.service.quotes.push(wireQuote(201 + at));
  }
  return { ...night, ids };
}

const pathOf = ({ stateDir }: Night, id = ""): string => snapshotPath(stateDir, id);

function changeLetter(path: string): void {
  const bytes = readFileSync(path);
  const at = bytes.indexOf("Sentence number 77 ");
  expect(at).toBeGreaterThan(0);
  bytes.write("X", at);
  writeFileSync(path, bytes);
}

const texts = ({ stateDir }: Night): string => {
  const snapshot = openPublished(stateDir);
  const all = [...(snapshot?.all() ?? [])].map(({ text }) => text).join("\n");
  snapshot?.close();
  return all;
};

test("openTrusted() publishes nothing from a snapshot of which one letter was changed", async () => {
  const night = await nights(2);
  changeLetter(pathOf(night, night.ids[1]));
  const { remarks } = await night.run({ maxRequests: 2 });
  expect(remarks.join("\n")).toContain(
    `snapshot ${night.ids[1]} was missing or damaged and is not used\n` +
      `snapshot ${night.ids[0]}, the newest whole one, is published again`,
  );
  expect(texts(night)).toContain("Sentence number 77 ");
  expect(texts(night)).not.toContain("Xentence");
});

test.each([
  [1, 0],
  [1, 1],
  [2, 0],
  [2, 1],
  [3, 2],
])(
  "openTrusted(): of %i snapshots the last %i are empty files, and the next night is whole",
  async (many, emptied) => {
    const night = await nights(many);
    for (const id of night.ids.slice(many - emptied)) truncateSync(pathOf(night, id), 0);
    const { exitStatus, harvest } = await night.run();
    expect({ exitStatus, label: harvest.label }).toEqual({
      exitStatus: 0,
      label: "complete:proved",
    });
    expect(night.keys()).toEqual(night.service.quotes.map(({ pk }) => pk));
  },
);

test("openTrusted() restores a pointer that is missing, and the shrink guard holds against it", async () => {
  const night = await nights(2);
  rmSync(join(night.stateDir, "current"));
  const whole = night.service.quotes;
  night.service.quotes = whole.slice(0, 20);
  await expect(night.run()).rejects.toBeInstanceOf(PublishRefused);
  expect(readPointer(night.stateDir)).toBe(night.ids[1]);
  night.service.quotes = whole;
  rmSync(join(night.stateDir, "current"));
  const { remarks, change } = await night.run();
  expect(remarks.join("\n")).toContain(
    `the pointer to the published snapshot was missing\nsnapshot ${night.ids[1]}, the newest whole one`,
  );
  expect(change).toMatchObject({ added: 1, removed: 0 });
});

test.each(["harvest", "complete", "source", "selection", "asOf", "night"])(
  "fact() takes %s that is no JSON for one that is missing, and the next night is whole",
  async (key) => {
    const night = await nights(1);
    const path = pathOf(night, night.ids[0]);
    const database = new Database(path);
    database.exec("PRAGMA journal_mode = DELETE");
    database.run("INSERT OR REPLACE INTO facts VALUES (?, ?)", key, "{oops");
    database.close();
    // As if it had been published so.
    const digest = createHash("sha256").update(readFileSync(path)).digest("hex");
    const id = `20261122T000000000Z-${digest.slice(0, 8)}`;
    renameSync(path, pathOf(night, id));
    writePointer(night.stateDir, id);
    expect(openPublished(night.stateDir)?.fact(key)).toBeUndefined();
    const { exitStatus, remarks } = await night.run();
    expect(exitStatus).toBe(0);
    expect(remarks.join()).not.toContain("damaged");
    expect(night.keys()).toEqual(night.service.quotes.map(({ pk }) => pk));
  },
);

test("recoverPublished() gives a render the newest whole snapshot, in two lines", async () => {
  const night = await nights(2);
  changeLetter(pathOf(night, night.ids[1]));
  expect(recoverPublished(night.stateDir, 0)).toHaveLength(2);
  expect(readPointer(night.stateDir)).toBe(night.ids[0]);
  expect(readdirSync(join(night.stateDir, "snapshots"))).toContain(
    `${night.ids[1]}.sqlite.damaged`,
  );
});

test("recoverPublished() leaves a whole state alone, also while it is in use", async () => {
  const night = await nights(1);
  const lock = takeLock(night.stateDir);
  expect(recoverPublished(night.stateDir, 0)).toEqual([]);
  lock.release();
  const empty = join(night.stateDir, "nothing");
  expect(recoverPublished(empty, 0)).toEqual([]);
  expect(existsSync(empty)).toBe(false);
});

test.each([
  ["empty", ""],
  ["something else", "not a database".repeat(500)],
])("takeLock() makes a lock file anew that is %s, and one run has it", async (_, bytes) => {
  const night = await nights(1);
  for (const name of ["lock-wal", "lock-shm"]) rmSync(join(night.stateDir, name), { force: true });
  writeFileSync(join(night.stateDir, "lock"), bytes);
  const lock = takeLock(night.stateDir);
  expect(() => takeLock(night.stateDir)).toThrow(/another run is using it/);
  lock.release();
  takeLock(night.stateDir).release();
});
