/** A state that was changed on the disk: damaged files are reported in a line and not used. */
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
import { run, tempFolder } from "../support/run/index.ts";
import { type Harvests, wireQuote } from "../support/service/index.ts";
import { publishedIn } from "../support/snapshot/index.ts";
import { startSnapshots } from "./snapshots.ts";

/** So many nights, each with one quote more, and the snapshots that they published. */
async function nights(many: number): Promise<Harvests & { readonly ids: string[] }> {
  const harvests = await startSnapshots(200);
  const ids: string[] = [];
  for (let at = 0; at < many; at++) {
    ids.push(await harvests.publish());
    harvests.service.quotes.push(wireQuote(201 + at));
  }
  return { ...harvests, ids };
}

const pathOf = ({ stateDir }: Harvests, id = ""): string => snapshotPath(stateDir, id);

function changeLetter(path: string): void {
  const bytes = readFileSync(path);
  const at = bytes.indexOf("Sentence number 77 ");
  expect(at).toBeGreaterThan(0);
  bytes.write("X", at);
  writeFileSync(path, bytes);
}

const texts = ({ stateDir }: Harvests): string =>
  publishedIn(stateDir)
    .map(({ text }) => text)
    .join("\n");

test("openIntact() publishes nothing from a snapshot of which one letter was changed", async () => {
  const harvests = await nights(2);
  changeLetter(pathOf(harvests, harvests.ids[1]));
  const { remarks } = await harvests.run({ maxRequests: 2 });
  expect(remarks.join("\n")).toContain(
    `snapshot ${harvests.ids[1]} was missing or damaged and is not used\n` +
      `snapshot ${harvests.ids[0]}, the newest whole one, is published again`,
  );
  expect(texts(harvests)).toContain("Sentence number 77 ");
  expect(texts(harvests)).not.toContain("Xentence");
});

test.each([
  [1, 1],
  [2, 1],
  [3, 2],
])(
  "openIntact(): of %i snapshots the last %i are empty files, and the next night is whole",
  async (many, emptied) => {
    const harvests = await nights(many);
    for (const id of harvests.ids.slice(many - emptied)) truncateSync(pathOf(harvests, id), 0);
    const { exitStatus, harvest } = await harvests.run();
    expect({ exitStatus, label: harvest.label }).toEqual({
      exitStatus: 0,
      label: "complete:proved",
    });
    expect(harvests.keys()).toEqual(harvests.service.quotes.map(({ pk }) => pk));
  },
);

test("openIntact() restores a pointer that is missing or names a foreign file, and the shrink guard holds against it", async () => {
  const harvests = await nights(2);
  rmSync(join(harvests.stateDir, "current"));
  const whole = harvests.service.quotes;
  harvests.service.quotes = whole.slice(0, 20);
  await expect(harvests.run()).rejects.toBeInstanceOf(PublishRefused);
  expect(readPointer(harvests.stateDir)).toBe(harvests.ids[1]);
  harvests.service.quotes = whole;
  rmSync(join(harvests.stateDir, "current"));
  const { remarks, change } = await harvests.run();
  expect(remarks.join("\n")).toContain(
    `the pointer to the published snapshot was missing\nsnapshot ${harvests.ids[1]}, the newest whole one`,
  );
  expect(change).toMatchObject({ added: 1, removed: 0 });
  writeFileSync(join(harvests.stateDir, "current"), "../../etc/passwd\n");
  expect((await harvests.run()).change).toMatchObject({ added: 0, removed: 0 });
});

test.each(["harvest", "complete", "source", "selection", "curated", "asOf", "night"] as const)(
  "fact() takes %s that is no JSON for one that is missing, and the next night is whole",
  async (key) => {
    const harvests = await nights(1);
    const path = pathOf(harvests, harvests.ids[0]);
    const database = new Database(path);
    database.exec("PRAGMA journal_mode = DELETE");
    database.run("INSERT OR REPLACE INTO facts VALUES (?, ?)", key, "{oops");
    database.close();
    // As if it had been published so.
    const digest = createHash("sha256").update(readFileSync(path)).digest("hex");
    const id = `20261122T000000000Z-${digest.slice(0, 8)}`;
    renameSync(path, pathOf(harvests, id));
    writePointer(harvests.stateDir, id);
    expect(openPublished(harvests.stateDir)?.fact(key)).toBeUndefined();
    const { exitStatus, remarks } = await harvests.run();
    expect(exitStatus).toBe(0);
    expect(remarks.join()).not.toContain("damaged");
    expect(harvests.keys()).toEqual(harvests.service.quotes.map(({ pk }) => pk));
  },
);

test("recoverPublished() gives a render the newest whole snapshot, in two lines", async () => {
  const harvests = await nights(2);
  changeLetter(pathOf(harvests, harvests.ids[1]));
  expect(recoverPublished(harvests.stateDir, 0)).toHaveLength(2);
  expect(readPointer(harvests.stateDir)).toBe(harvests.ids[0]);
  expect(readdirSync(join(harvests.stateDir, "snapshots"))).toContain(
    `${harvests.ids[1]}.sqlite.damaged`,
  );
});

test("a render names the damage also where no whole snapshot is left", async () => {
  const harvests = await nights(1);
  changeLetter(pathOf(harvests, harvests.ids[0]));
  const folders = ["--state", harvests.stateDir, "--out", join(tempFolder("site"), "dist")];
  const { status, stderr } = await run("render", folders);
  expect(stderr).toContain(`snapshot ${harvests.ids[0]} was missing or damaged and is not used\n`);
  expect(status).toBe(75);
});

test("an export writes no line of a damaged snapshot", async () => {
  const harvests = await nights(1);
  changeLetter(pathOf(harvests, harvests.ids[0]));
  const { status, stdout, stderr } = await run("export", ["--state", harvests.stateDir]);
  expect([status, stdout]).toEqual([74, ""]);
  expect(stderr).toMatch(/^Cannot export .*\.sqlite: damaged; run "npm run harvest"/);
});

test("an export restores a missing pointer, and says so", async () => {
  const harvests = await nights(1);
  rmSync(join(harvests.stateDir, "current"));
  const { status, stdout, stderr } = await run("export", ["--state", harvests.stateDir]);
  expect([status, JSON.parse(stdout.split("\n")[0] ?? "")]).toMatchObject([0, { pk: 1 }]);
  expect(stderr).toContain("the pointer to the published snapshot was missing\n");
});

test("recoverPublished() leaves a whole state alone, also while it is in use", async () => {
  const harvests = await nights(1);
  const lock = takeLock(harvests.stateDir);
  expect(recoverPublished(harvests.stateDir, 0)).toEqual([]);
  lock[Symbol.dispose]();
  const empty = join(harvests.stateDir, "nothing");
  expect(recoverPublished(empty, 0)).toEqual([]);
  expect(existsSync(empty)).toBe(false);
});

test.each([
  ["empty", ""],
  ["something else", "not a database".repeat(500)],
])("takeLock() makes a lock file anew that is %s, and one run has it", async (_, bytes) => {
  const harvests = await nights(1);
  for (const name of ["lock-wal", "lock-shm"])
    rmSync(join(harvests.stateDir, name), { force: true });
  writeFileSync(join(harvests.stateDir, "lock"), bytes);
  const lock = takeLock(harvests.stateDir);
  expect(() => takeLock(harvests.stateDir)).toThrow(/another run is using it/);
  lock[Symbol.dispose]();
  takeLock(harvests.stateDir)[Symbol.dispose]();
});
