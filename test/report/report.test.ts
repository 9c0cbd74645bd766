import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DiskError } from "../../src/contract/errors.ts";
import {
  dropReport,
  restoreReport,
  settleReport,
  withdrawReport,
  writeReport,
  type BuildFacts,
} from "../../src/report/build-json.ts";
import { folderWith } from "../support/run/index.ts";
import { HARVEST } from "../support/snapshot/index.ts";

const FACTS: BuildFacts = {
  snapshot: "20261120T020300000Z-0123abcd",
  harvest: HARVEST,
  dataAsOf: "2026-11-20T02:03:00.000Z",
  quotes: 3,
  copies: 0,
  languages: { en: 2, be: 1 },
  pages: { home: 1, tag: 2 },
  changes: { added: 3, changed: 0, removed: 0 },
  thumbnails: { made: 1, reused: 0, failed: 0 },
};
const UNCHANGED = { ...FACTS, changes: { added: 0, changed: 0, removed: 0 } };
const FIRST_NIGHT = new Date("2026-11-21T03:00:00Z");
const SECOND_NIGHT = new Date("2026-11-22T03:00:00Z");

const site = () => folderWith({ "index.html": "12345", "tag/index.html": "123" });

test("writeReport() writes what was built, from what, and how large it is", () => {
  const outDir = site();
  const report = writeReport(outDir, FACTS, FIRST_NIGHT);
  expect(report).toEqual({
    built: "2026-11-21T03:00:00.000Z",
    ...FACTS,
    files: 2,
    bytes: 8,
    audit: "unfinished",
  });
  const text = readFileSync(join(outDir, "build.json"), "utf8");
  expect(JSON.parse(text)).toEqual(report);
  expect(text).not.toContain(outDir);
  expect(readdirSync(outDir).sort()).toEqual(["build.json", "index.html", "tag"]);
});

test("writeReport() leaves the file alone after a build that changed nothing", () => {
  const outDir = site();
  const first = writeReport(outDir, FACTS, FIRST_NIGHT);
  const before = fileIn(outDir);
  expect(writeReport(outDir, UNCHANGED, SECOND_NIGHT)).toEqual(first);
  expect(fileIn(outDir)).toEqual(before);
});

/** The content of `build.json`, and which file it is. */
function fileIn(outDir: string): readonly unknown[] {
  const path = join(outDir, "build.json");
  const { ino, mtimeNs } = statSync(path, { bigint: true });
  return [ino, mtimeNs, readFileSync(path, "utf8")];
}

test("a report that was put aside for a build that changed nothing comes back untouched", () => {
  const outDir = site();
  writeReport(outDir, FACTS, FIRST_NIGHT);
  settleReport(outDir, "passed");
  const before = fileIn(outDir);
  withdrawReport(outDir);
  expect(existsSync(join(outDir, "build.json"))).toBe(false);
  writeReport(outDir, UNCHANGED, SECOND_NIGHT);
  expect(settleReport(outDir, "passed")).toMatchObject({ audit: "passed", files: 2 });
  expect(fileIn(outDir)).toEqual(before);
  withdrawReport(outDir);
  restoreReport(outDir);
  expect(fileIn(outDir)).toEqual(before);
});

test("a build that is killed leaves a site without a report, and the next one knows what was before", () => {
  const outDir = site();
  writeReport(outDir, FACTS, FIRST_NIGHT);
  settleReport(outDir, "passed");
  withdrawReport(outDir);
  withdrawReport(outDir);
  expect(existsSync(join(outDir, "build.json"))).toBe(false);
  expect(writeReport(outDir, FACTS, SECOND_NIGHT)).toMatchObject({ files: 2, audit: "unfinished" });
  expect(readdirSync(outDir).sort()).toEqual(["build.json", "index.html", "tag"]);
});

test("dropReport() leaves nothing of a report that was put aside", () => {
  const outDir = site();
  writeReport(outDir, FACTS, FIRST_NIGHT);
  withdrawReport(outDir);
  dropReport(outDir);
  expect(readdirSync(outDir).sort()).toEqual(["build.json.unfinished", "index.html", "tag"]);
});

test.each<[string, BuildFacts, string]>([
  ["a page changed", FACTS, "{}"],
  ["another snapshot was rendered", { ...UNCHANGED, snapshot: "x" }, "{}"],
  ["the file before was cut off", UNCHANGED, '{"built":'],
])("writeReport() writes anew when %s", (_, facts, before) => {
  const outDir = site();
  writeReport(outDir, FACTS, FIRST_NIGHT);
  if (before !== "{}") writeFileSync(join(outDir, "build.json"), before);
  expect(writeReport(outDir, facts, SECOND_NIGHT).built).toBe("2026-11-22T03:00:00.000Z");
});

test("writeReport() throws a DiskError for a folder that is not there", () => {
  expect(() => writeReport(join(site(), "missing"), FACTS, FIRST_NIGHT)).toThrow(DiskError);
});
