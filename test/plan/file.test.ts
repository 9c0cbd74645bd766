/** The plan as a file: made once, kept while it fits, never half of one. */
import {
  closeSync,
  existsSync,
  readdirSync,
  openSync,
  statSync,
  rmSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { NothingHarvested } from "../../src/contract/errors.ts";
import { digestFile } from "../../src/files/digest-file.ts";
import { openSiteWith } from "../../src/site/index.ts";
import { Database } from "../../src/sqlite/database.ts";
import { cacheKeysOf, makeSite, standIns } from "../support/site/index.ts";
import { makeSnapshot, type SnapshotDraft } from "../support/snapshot/index.ts";

const QUOTES = Array.from({ length: 9 }, (_, index) => ({ id: index + 1, author: "Ada" }));

function made(): { stateDir: string; file: string } {
  const { stateDir } = makeSnapshot({ quotes: QUOTES });
  return { stateDir, file: join(stateDir, "plan.sqlite") };
}

function damage(file: string, table: string): void {
  const database = new Database(file);
  const root = database.number("SELECT rootpage AS n FROM sqlite_schema WHERE name = ?", table);
  const size = database.number("SELECT page_size AS n FROM pragma_page_size");
  database.close();
  const open = openSync(file, "r+");
  writeSync(open, Buffer.alloc(size, 7), 0, size, (root - 1) * size);
  closeSync(open);
}

/** One letter of an address, which SQLite finds sound. */
function respell(file: string): void {
  const database = new Database(file);
  const changed = database.run("UPDATE listings SET slug = 'adb' WHERE slug = 'ada'");
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  expect(changed).toBe(1);
}

const builtAt = (file: string): number => statSync(file).ino;

test("openSiteWith() keeps the plan while snapshot and settings stay", () => {
  const { stateDir, file } = made();
  const first = cacheKeysOf(makeSite([], { stateDir }));
  const inode = builtAt(file);
  expect(cacheKeysOf(makeSite([], { stateDir }))).toEqual(first);
  expect(builtAt(file)).toBe(inode);
});

test.each<[string, (stateDir: string, file: string) => void, Parameters<typeof makeSite>[1]]>([
  ["pages hold another number of quotes", () => undefined, { perPage: 4 }],
  ["pictures changed", () => undefined, { pictures: standIns(2) }],
  [
    "another snapshot is published",
    (stateDir) => makeSnapshot({ quotes: QUOTES, stateDir, stamp: "20261121T020300000Z" }),
    {},
  ],
  ["it is empty", (_, file) => writeFileSync(file, ""), {}],
  ["it is no database", (_, file) => writeFileSync(file, "x".repeat(10_000)), {}],
  ["a page of it is damaged", (_, file) => damage(file, "pages"), {}],
  ["a letter of it is another", (_, file) => respell(file), {}],
  ["its digest is missing", (stateDir) => rmSync(join(stateDir, "plan.sha256")), {}],
])("openSiteWith() makes the plan again when %s", (_, change, options) => {
  const { stateDir, file } = made();
  makeSite([], { stateDir }).close();
  const inode = builtAt(file);
  change(stateDir, file);
  const site = makeSite([], { stateDir, ...options });
  expect(site.listing("author", "ada", 1).total).toBe(9);
  expect(builtAt(file)).not.toBe(inode);
});

test("the thread that prepares a render makes a damaged plan again", async () => {
  const { stateDir, file } = made();
  const prepare = async (): Promise<void> => {
    const module = new URL("../../src/site/prepare-build.ts", import.meta.url);
    const worker = new Worker(module, { env: { ...process.env, STATE_DIR: stateDir } });
    expect(await once(worker, "exit")).toEqual([0]);
  };
  await prepare();
  damage(file, "pages");
  await prepare();
  expect(makeSite([], { stateDir }).listing("author", "ada", 1).total).toBe(9);
});

const OTHER_AUTHOR = QUOTES.map((quote) => (quote.id === 9 ? { ...quote, author: "Bo" } : quote));

test.each<[string, boolean, Pick<SnapshotDraft, "quotes" | "tagList">]>([
  ["takes over the plan of a snapshot with the same quotes", true, { quotes: QUOTES }],
  ["makes it again where one quote differs", false, { quotes: OTHER_AUTHOR }],
  [
    "makes it again where the service's tags differ",
    false,
    { quotes: QUOTES, tagList: [{ name: "love", slug: "amour" }] },
  ],
])("openSiteWith() %s", (_, isSame, snapshot) => {
  const { stateDir, file } = made();
  makeSite([], { stateDir }).close();
  const mark = new Database(file);
  mark.exec("INSERT INTO facts VALUES ('mark', '1')");
  mark.close();
  writeFileSync(join(stateDir, "plan.sha256"), digestFile(file));
  makeSnapshot({ ...snapshot, stateDir, stamp: "20261121T020300000Z" });
  makeSite([], { stateDir }).close();
  const plan = new Database(file, { readOnly: true });
  const marks = plan.number("SELECT count(*) AS n FROM facts WHERE key = 'mark'");
  plan.close();
  expect(marks).toBe(Number(isSame));
});

test("openSiteWith() removes what a build left that was killed a day ago, and not what another one is writing", () => {
  const { stateDir, file } = made();
  const [left, journal, young] = [`${file}.new-1-0`, `${file}.new-1-0-journal`, `${file}.new-2-0`];
  for (const path of [left, journal, young]) writeFileSync(path, "");
  for (const path of [left, journal]) utimesSync(path, 1_000, 1_000);
  makeSite([], { stateDir });
  expect([left, journal, young].map((path) => existsSync(path))).toEqual([false, false, true]);
});

test("openSiteWith() leaves the snapshot as it was, without companions beside it", () => {
  const { stateDir } = made();
  const snapshots = join(stateDir, "snapshots");
  const before = readdirSync(snapshots);
  makeSite([], { stateDir });
  expect(readdirSync(snapshots)).toEqual(before);
  expect(readdirSync(stateDir).sort()).toEqual([
    "current",
    "plan.sha256",
    "plan.sqlite",
    "snapshots",
  ]);
});

test("openSiteWith() refuses a state folder without a snapshot", () => {
  const options = {
    stateDir: join(tmpdir(), "missing"),
    perPage: 3,
    language: "en",
    date: "2026-11-21",
  };
  expect(() => openSiteWith(options)).toThrow(NothingHarvested);
});
