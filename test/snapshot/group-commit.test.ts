/** Writes that share a commit: all on the disk within a moment, and nothing of later before them (docs/walk.md, section 9). */
import { join } from "node:path";
import { expect, test } from "vitest";
import { openLedger } from "../../src/snapshot/work/ledger.ts";
import { GroupCommit } from "../../src/snapshot/work/group-commit.ts";
import { openWork, WORK_FILE } from "../../src/snapshot/work/work.ts";
import { Database } from "../../src/sqlite/database.ts";
import { temporaryFolder } from "../support/settings.ts";

function opened() {
  const stateDir = temporaryFolder();
  const work = openWork(stateDir);
  const disk = new Database(join(stateDir, WORK_FILE), { readOnly: true });
  const write = (name: string) => work.run("INSERT INTO tags (name, slug) VALUES (?, 'a')", name);
  const names = (from: Database) =>
    from.all<{ name: string }>("SELECT name FROM tags ORDER BY name").map(({ name }) => name);
  const close = () => {
    disk.close();
    work.close();
  };
  return { work, disk, commits: new GroupCommit(work), write, names, close };
}

test("add() is seen here at once, and on the disk with flush()", () => {
  const { work, disk, commits, write, names, close } = opened();
  expect(commits.add(() => write("a"))).toBe(1);
  expect([names(work), names(disk)]).toEqual([["a"], []]);
  commits.flush();
  expect(names(disk)).toEqual(["a"]);
  close();
});

test("add() is on the disk within a moment, or with the sixty-fourth", async () => {
  const { disk, commits, write, names, close } = opened();
  commits.add(() => write("a"));
  await expect.poll(() => names(disk), { timeout: 2_000 }).toEqual(["a"]);
  for (let count = 1; count <= 64; count++) commits.add(() => write(`b${count}`));
  expect(names(disk)).toHaveLength(65);
  close();
});

test.each<[string, (work: Database) => void]>([
  ["a request that is counted", (work) => openLedger(work, "h", () => 1, 1).spend()],
  ["a time to wait for", (work) => openLedger(work, "h", () => 1, 1).postpone(9)],
  ["a transaction", (work) => work.transaction(() => work.run("DELETE FROM gone"))],
])("%s is never on the disk before what was added before it", (_, later) => {
  const { work, disk, commits, write, names, close } = opened();
  commits.add(() => write("a"));
  later(work);
  expect(names(disk)).toEqual(["a"]);
  close();
});

test("a time to wait for is on the disk though windows wait for their commit", () => {
  const { work, disk, commits, write, close } = opened();
  const ledger = openLedger(work, "h", () => 1, 1);
  commits.add(() => write("a"));
  ledger.postpone(9);
  expect(disk.get("SELECT not_before FROM hosts")).toEqual({ not_before: 9 });
  close();
});

test("add() leaves nothing of a group of which one write failed", () => {
  const { disk, commits, write, names, close } = opened();
  commits.add(() => write("a"));
  expect(() => commits.add(() => [write("b"), write("a")])).toThrow("UNIQUE");
  commits.flush();
  commits.add(() => write("c"));
  commits.flush();
  expect(names(disk)).toEqual(["c"]);
  close();
});
