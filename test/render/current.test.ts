/** Which written files are left as they are: those of the same key, size and second. */
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { WrittenFiles } from "../../src/render/written-files.ts";
import { CAN_LINK, tempFolder } from "../support/run/index.ts";

const FILE = "a/index.html";
const SECOND = 1_750_000_000;

/** A folder whose only page was written and recorded by a build that ended. */
function recorded() {
  const stateDir = tempFolder("state");
  const outDir = join(stateDir, "dist");
  const path = join(outDir, FILE);
  mkdirSync(join(outDir, "a"), { recursive: true });
  writeFileSync(path, "content");
  utimesSync(path, SECOND, SECOND + 0.25);
  {
    using files = new WrittenFiles(stateDir, outDir);
    files.record([{ file: FILE, key: "1", size: 7, mtime: SECOND, written: true }]);
    files.complete();
  }
  const isCurrent = (key = "1"): boolean => {
    using files = new WrittenFiles(stateDir, outDir);
    return files.isCurrent(FILE, key);
  };
  return { stateDir, outDir, path, isCurrent };
}

test("isCurrent() knows a file of the same key, size and second", () => {
  const { isCurrent } = recorded();
  expect([isCurrent(), isCurrent("2")]).toEqual([true, false]);
});

test.skipIf(!CAN_LINK).each<[string, (path: string) => void]>([
  ["of another date", (path) => utimesSync(path, SECOND, SECOND + 1)],
  ["of an earlier date", (path) => utimesSync(path, SECOND, SECOND - 1)],
  [
    "of another size",
    (path) => {
      writeFileSync(path, "contents");
      utimesSync(path, SECOND, SECOND);
    },
  ],
  ["that is gone", (path) => rmSync(path)],
  [
    "that became a link",
    (path) => {
      const other = join(path, "../../other");
      writeFileSync(other, "content");
      utimesSync(other, SECOND, SECOND);
      rmSync(path);
      symlinkSync(other, path);
    },
  ],
  [
    "that became a folder",
    (path) => {
      rmSync(path);
      mkdirSync(path);
    },
  ],
])("isCurrent() is false for a file %s", (_, change) => {
  const { path, isCurrent } = recorded();
  change(path);
  expect(isCurrent()).toBe(false);
});

test("dateOf() has the recorded second of a file with the same key alone", () => {
  const { stateDir, outDir } = recorded();
  using files = new WrittenFiles(stateDir, outDir);
  expect([files.dateOf(FILE, "1"), files.dateOf(FILE, "2"), files.dateOf("b", "1")]).toEqual([
    SECOND,
    null,
    null,
  ]);
});
