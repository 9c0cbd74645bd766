/** States of every version of the format: each is planned, rendered, exported and continued. */
import { hash } from "node:crypto";
import { cpSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filesBelow } from "../../src/files/walk.ts";
import { PUBLISHED_VERSION } from "../../src/snapshot/format.ts";
import {
  listSnapshots,
  readPointer,
  sealSnapshot,
  snapshotPath,
  writePointer,
} from "../../src/snapshot/published/pointer.ts";
import { openWork } from "../../src/snapshot/work/work.ts";
import { Database } from "../../src/sqlite/database.ts";
import { run, tempFolder } from "../support/run/index.ts";
import { makeSnapshot, publishedIn } from "../support/snapshot/index.ts";

const STATES = join(import.meta.dirname, "../fixtures/states");

/** A copy of a state that a program of an earlier version made. */
function stateOf(version: string): string {
  const stateDir = tempFolder("state");
  cpSync(join(STATES, version), stateDir, { recursive: true });
  return stateDir;
}

const versionOf = (stateDir: string): number => {
  using database = new Database(snapshotPath(stateDir, readPointer(stateDir) ?? ""), {
    immutable: true,
  });
  return database.version;
};

test("there is a state of each version, and none of another", () => {
  const versions = Array.from({ length: PUBLISHED_VERSION }, (_, at) => String(at + 1));
  expect(readdirSync(STATES).sort()).toEqual(versions);
});

test.each(readdirSync(STATES))(
  "a state of version %s is planned, exported and rendered",
  { tags: "long" },
  async (version) => {
    const stateDir = stateOf(version);
    const quotes = publishedIn(stateDir);
    expect(quotes.length).toBeGreaterThan(10);
    const exported = await run("export", ["--state", stateDir]);
    expect(exported).toMatchObject({ status: 0, stderr: "" });
    const lines = exported.stdout.trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { pk: number }).pk)).toEqual(
      quotes.map(({ id }) => id),
    );
    const out = join(tempFolder("site"), "dist");
    const day = { SITE_NOW: "2026-11-28T03:00:00Z" };
    const rendered = await run("render", ["--state", stateDir, "--out", out], day);
    expect([rendered.status, rendered.stderr]).toEqual([0, expect.any(String)]);
    const [first] = quotes;
    expect(readFileSync(join(out, "quote", String(first?.id), "index.html"), "utf8")).toContain(
      `id="q${first?.id}"`,
    );
    // What native code draws and what programs read is the same on every machine: `vitest -u` renews the list.
    const digests = [...filesBelow(out)]
      .filter((file) => /\.(?:png|ico|webp|avif|jpg)$|^api\/.*\.json$/.test(file))
      .sort()
      .map((file) => `${hash("sha256", readFileSync(join(out, file)), "hex")}  ${file}\n`);
    expect(digests.length).toBeGreaterThan(20);
    await expect(digests.join("")).toMatchFileSnapshot(
      join(STATES, "..", "digests", `${version}.txt`),
    );
    const planned = await run("plan", ["--state", stateDir], { QUOTES_TAGS: "courage" });
    expect(planned.status).toBe(0);
    expect(readPointer(stateDir)).toBe(
      readFileSync(join(STATES, version, "current"), "utf8").trim(),
    );
  },
);

test.each(readdirSync(STATES))("a harvest continues a state of version %s", async (version) => {
  const stateDir = stateOf(version);
  const before = publishedIn(stateDir);
  const kept = listSnapshots(stateDir);
  const tags = { QUOTES_TAGS: "courage", SITE_NOW: "2026-11-28T03:00:00Z" };
  const { status, stdout } = await run("harvest", ["--state", stateDir], tags);
  expect([status, stdout]).toEqual([0, expect.stringContaining("0 new, 0 changed, 0 removed")]);
  expect(versionOf(stateDir)).toBe(PUBLISHED_VERSION);
  expect(publishedIn(stateDir)).toEqual(before);
  expect(listSnapshots(stateDir)).toEqual([...kept, readPointer(stateDir)]);
});

test.each(readdirSync(STATES))(
  "a run that began in a state of version %s is resumed",
  (version) => {
    const path = join(stateOf(version), "work.sqlite");
    const counts = () => {
      using work = openWork(path);
      return ["runs", "windows", "quotes", "sessions"].map((table) =>
        work.number(`SELECT count(*) AS n FROM ${table}`),
      );
    };
    const before = counts();
    expect(before.every((count) => count > 0)).toBe(true);
    expect(counts()).toEqual(before);
  },
);

test.each(["harvest", "render", "export", "plan"])(
  "%s refuses a snapshot of a newer version, and changes nothing",
  async (command) => {
    const { stateDir, path } = makeSnapshot({ quotes: [{ id: 1 }] });
    {
      using database = new Database(path);
      database.exec(`PRAGMA journal_mode = DELETE; PRAGMA user_version = ${PUBLISHED_VERSION + 1}`);
    }
    const id = sealSnapshot(stateDir, path, 0);
    renameSync(path, snapshotPath(stateDir, id));
    writePointer(stateDir, id);
    const { status, stderr } = await run(command, ["--state", stateDir]);
    expect([status, stderr]).toEqual([
      78,
      expect.stringContaining("made by a newer Commonplace; upgrade"),
    ]);
    expect([readPointer(stateDir), listSnapshots(stateDir)]).toEqual([id, [id]]);
  },
);

test(
  "the newest snapshot is that of the last run, whatever the clock said before",
  { tags: "long" },
  async () => {
    const stateDir = stateOf("1");
    const [, , last = ""] = listSnapshots(stateDir);
    const ahead = last.replace(/^2026/, "2038");
    renameSync(snapshotPath(stateDir, last), snapshotPath(stateDir, ahead));
    writePointer(stateDir, ahead);
    const published: string[] = [];
    for (const now of ["2038-01-01T00:00:00Z", "2026-11-28T03:00:00Z", "2026-11-29T03:00:00Z"]) {
      await run("harvest", ["--state", stateDir], { QUOTES_TAGS: "courage", SITE_NOW: now });
      published.push(readPointer(stateDir) ?? "");
    }
    expect(listSnapshots(stateDir).slice(-4)).toEqual([ahead, ...published]);
    rmSync(join(stateDir, "current"));
    await run("export", ["--state", stateDir]);
    expect(readPointer(stateDir)).toBe(published[2]);
  },
);
