/** A full disk, and a damaged state: one line of error, renamed, never used (docs/walk.md, section 9). */
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EXIT } from "../../../src/contract/errors.ts";
import { snapshotPath } from "../../../src/snapshot/published/pointer.ts";
import { Database } from "../../../src/sqlite/database.ts";
import { snapshotsIn, startSnapshots } from "../../snapshot/snapshots.ts";
import { collectionOf } from "../../support/service/index.ts";
import { MOUNTS, resize, runCramped, smallDisk } from "../../support/full-disk.ts";
import { run, tempFolder } from "../../support/run/index.ts";
import { collectionAt, harvestNight, programOf, published } from "./night.ts";

const limit = MOUNTS ? "a disk" : "a file";

test(`where ${limit} is full the old snapshot is kept, and with room the next is published`, async () => {
  const first = tempFolder();
  expect(await harvestNight(first, 0)).toBe(EXIT.done);
  const used = Number(spawnSync("du", ["-sk", first]).stdout.toString().split("\t")[0]);
  for (const spare of MOUNTS ? [4, 240, 480, 600, 900] : [8, 24, 40, 56]) {
    const state = smallDisk(used + spare);
    cpSync(first, state, { recursive: true });
    const status = runCramped(programOf(state, 1), spare);
    // Ended by the kernel where the limit is one on files.
    expect([EXIT.disk, EXIT.done, null]).toContain(status);
    if (spare < 10) expect(status).not.toBe(EXIT.done);
    expect(published(state)).toEqual(collectionAt(status === EXIT.done ? 1 : 0));
    if (MOUNTS) resize(state, used + 20_000);
    expect(await harvestNight(state, 1)).toBe(EXIT.done);
    expect(published(state)).toEqual(collectionAt(1));
  }
});

async function twoNights() {
  const harvests = await startSnapshots(60);
  const first = await harvests.publish();
  harvests.service.quotes = collectionOf(70);
  return { ...harvests, first, second: await harvests.publish() };
}

function change(path: string, sql: string): void {
  using database = new Database(path);
  database.exec(sql);
}

test.each([
  ["cut short", (path: string) => truncateSync(path, 5_000)],
  ["something else", (path: string) => writeFileSync(path, "half a page of nothing".repeat(900))],
  ["without tables", (path: string) => change(path, "DROP TABLE hosts; DROP TABLE quotes")],
  ["without a version", (path: string) => change(path, "PRAGMA user_version = 0")],
])("a working database that is %s is set aside and made anew", async (_, damage) => {
  const { stateDir, run, keys } = await twoNights();
  damage(join(stateDir, "work.sqlite"));
  const { remarks } = await run();
  expect(remarks.join()).toContain("work.sqlite was damaged and is set aside");
  expect(keys()).toHaveLength(70);
});

test("a working database of an earlier version begins a new run, and keeps when to ask again", async () => {
  const { stateDir, run, keys } = await twoNights();
  const later = Date.now() + 3_600_000;
  const path = join(stateDir, "work.sqlite");
  change(path, `UPDATE hosts SET not_before = ${later}; PRAGMA user_version = 2`);
  const { remarks, exitStatus, resumeAt } = await run({ maxWaitMs: 1_000 });
  expect({ remarks, exitStatus }).toEqual({ remarks: [], exitStatus: EXIT.done });
  // The time is added to the clock again, which may have gone on by a millisecond.
  expect(Math.abs(Date.parse(resumeAt ?? "") - later)).toBeLessThan(1_000);
  expect(keys()).toHaveLength(70);
});

test("a working database of a later version is left as it is, and the line says what to do", async () => {
  const { stateDir, run, keys } = await twoNights();
  const path = join(stateDir, "work.sqlite");
  change(path, "PRAGMA user_version = 999");
  await expect(run()).rejects.toThrow(/made by a newer Commonplace; upgrade .*remove the file/);
  rmSync(path);
  await run();
  expect(keys()).toHaveLength(70);
});

test("where there are no snapshots nothing is made, nor a folder made to look like a state", () => {
  const folder = tempFolder();
  for (const stateDir of [folder, join(folder, "mistyped")]) {
    const act = snapshotsIn(stateDir);
    expect(act("list").text).toBe("no snapshot yet");
    expect(act("prune").result).toEqual({ removed: [] });
    expect(() => act("use", "20200101T000000000Z-00000000")).toThrow(/has no snapshots/);
    expect(readdirSync(folder)).toEqual([]);
  }
});

test("snapshots are listed, used again and cleared away", async () => {
  const { stateDir, first, second, run, keys, snapshots: act } = await twoNights();
  await run();
  expect(act("list").text?.split("\n")).toHaveLength(3);
  expect(act("list").text).toContain("60 quotes  complete:proved");
  act("use", first);
  expect(keys()).toHaveLength(60);
  expect(() => act("use", "20200101T000000000Z-00000000")).toThrow(/there is none/);
  expect(() => act("use", "../current")).toThrow(/there is none/);
  copyFileSync(snapshotPath(stateDir, first), snapshotPath(stateDir, second));
  truncateSync(snapshotPath(stateDir, second), 4_096);
  expect(() => act("use", second)).toThrow(/damaged/);
  expect(act("list").text).toContain(`${second}  0 quotes  damaged`);
  expect(act("prune").result).toEqual({ removed: [] });
  act("use", readdirSync(join(stateDir, "snapshots")).sort().at(-1)?.slice(0, -7) ?? "");
  expect(act("prune").result).toEqual({ removed: [first] });
  expect(() => act("use")).toThrow(/expected list, use ID or prune/);
});

test("a state folder that cannot be made, and a folder in the place of a file, end with 74 and the path", async () => {
  const stateDir = tempFolder();
  mkdirSync(join(stateDir, "night.json"));
  const args = ["--base-url", "http://localhost:1", "--quiet", "--state"];
  const unmade = await run("harvest", [...args, "/proc/x"]);
  expect(unmade).toMatchObject({ status: EXIT.disk });
  expect(unmade.stderr).toMatch(/^Cannot write \/proc.*; check the disk/m);
  const unread = await run("render", ["--state", stateDir, "--out", tempFolder(), "--quiet"]);
  expect(unread).toMatchObject({ status: EXIT.disk });
  expect(unread.stderr).toContain(`Cannot read ${join(stateDir, "night.json")}: EISDIR;`);
});
