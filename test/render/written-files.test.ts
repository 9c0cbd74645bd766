/** What a build calls added, changed and removed, also after builds that were killed. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import {
  recordedFiles,
  setComplete,
  WrittenFiles,
  type NewRecord,
} from "../../src/render/written-files.ts";
import { filesBelow } from "../../src/files/walk.ts";
import { tempFolder } from "../support/run/index.ts";

const PAGE: NewRecord = { file: "a/index.html", key: "1", size: 10, mtime: 100, written: true };

type Step = (files: WrittenFiles) => void;
const record =
  (changes: Partial<NewRecord>): Step =>
  (files) =>
    files.record([{ ...PAGE, ...changes }]);
/** As a render does: before its pages are made, and after. */
const remove: Step = (files) => {
  files.remove([PAGE.file]);
  files.remove([PAGE.file]);
};

/** The lines of `build-changes.ndjson` after builds of which all but the last one were killed. */
function changesAfter(first: Step, ...builds: Step[]): string {
  const stateDir = tempFolder("state");
  const outDir = join(stateDir, "dist");
  mkdirSync(outDir);
  const build = (step: Step, isKilled: boolean): void => {
    using files = new WrittenFiles(stateDir, outDir);
    step(files);
    if (!isKilled) files.complete();
  };
  build(first, false);
  builds.forEach((step, place) => build(step, place < builds.length - 1));
  return readFileSync(join(stateDir, "build-changes.ndjson"), "utf8");
}

test.each<[string, string | null, ...[Step, ...Step[]]]>([
  ["the first time", "added", record({})],
  ["made from the same", null, record({}), record({})],
  ["made from the same, when it was lost", null, record({}), record({ mtime: 200 })],
  [
    "made from something else, to the same bytes",
    null,
    record({}),
    record({ key: "2", written: false }),
  ],
  ["of other bytes", "changed", record({}), record({ key: "2", mtime: 200 })],
  ["of other bytes, in the same second", "changed", record({}), record({ key: "2" })],
  [
    "that a killed build wrote",
    "changed",
    record({}),
    record({ key: "2", size: 11 }),
    record({ key: "2", size: 11, written: false }),
  ],
  ["that a killed build removed", "changed", record({}), remove, record({})],
  ["that is gone", "removed", record({}), remove],
  ["that only a killed build had", null, () => undefined, record({}), remove],
])("a page %s is %s", (_, change, ...builds) => {
  expect(changesAfter(...builds)).toBe((change && `{"change":"${change}","path":"/a/"}\n`) || "");
});

test("a build after a refused one removes pages that its state does not know", () => {
  const stateDir = tempFolder("state");
  const outDir = join(stateDir, "dist");
  const unknown = join(outDir, "b/index.html");
  const made = new Map([[PAGE.file, ""]]);
  const build = (): boolean => {
    mkdirSync(join(outDir, "b"), { recursive: true });
    writeFileSync(unknown, "of a build that this state does not know");
    using files = new WrittenFiles(stateDir, outDir);
    record({})(files);
    files.removeStale(made);
    files.complete();
    return existsSync(unknown);
  };
  build();
  expect(build()).toBe(true);
  setComplete(stateDir, false);
  expect(build()).toBe(false);
});

test.each(["", "no database"])("an audit goes on where the record of files is %j", (content) => {
  const stateDir = tempFolder("state");
  writeFileSync(join(stateDir, "output.sqlite"), content);
  expect(recordedFiles(stateDir)).toEqual(new Set());
  expect(() => setComplete(stateDir, false)).not.toThrow();
});

test("a file with a digest in its name stays for one build after its last page, and a page goes at once", () => {
  const stateDir = tempFolder("state");
  const outDir = join(stateDir, "dist");
  const night = (files: readonly string[], isPublished = true): string[] => {
    using written = new WrittenFiles(stateDir, outDir);
    for (const file of files) {
      mkdirSync(dirname(join(outDir, file)), { recursive: true });
      writeFileSync(join(outDir, file), "");
    }
    const records = files.map((file) => ({ file, key: file, size: 0, mtime: 0, written: true }));
    written.removeStale(new Map(files.map((file) => [file, ""])));
    written.record(records);
    // A build looks twice: before and after its pages.
    written.removeStale(new Map(files.map((file) => [file, ""])));
    if (isPublished) written.complete();
    return [...filesBelow(outDir)].sort();
  };
  night(["_astro/a.css", "letters/a.woff2", "a/index.html"]);
  // A file that refused builds alone had is not held.
  night(["_astro/bad.css", "letters/bad.woff2"], false);
  night(["_astro/worse.css", "letters/worse.woff2"], false);
  const both = ["_astro/a.css", "_astro/b.css", "letters/a.woff2", "letters/b.woff2"];
  expect(night(["_astro/b.css", "letters/b.woff2"], false)).toEqual(both);
  // The build before was refused: the pages that readers have are older.
  expect(night(["_astro/b.css", "letters/b.woff2"])).toEqual(both);
  expect(night(["_astro/b.css", "letters/b.woff2"])).toEqual(["_astro/b.css", "letters/b.woff2"]);
  // One that is made again is not held.
  night(["_astro/a.css"]);
  expect(night(["_astro/b.css"])).toEqual(["_astro/a.css", "_astro/b.css"]);
});
