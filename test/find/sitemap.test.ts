/** The days of the sitemap: a page is new when what it shows is, and not because a night has passed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { changeDays, noteWritten } from "../../src/plan/index.ts";
import { tempFolder } from "../support/run/index.ts";

interface PageState {
  readonly path: string;
  readonly cacheKey: string;
}

const daysOf = (stateDir: string, paths: readonly string[]): (string | undefined)[] => {
  const days = changeDays(stateDir);
  return paths.map((path) => days.get(path));
};

test("noteWritten() keeps the day of a page until its cache key is another, and forgets what is gone", () => {
  const stateDir = tempFolder("changed");
  const noteAll = (pages: Record<string, string>, day: string) =>
    noteWritten(
      stateDir,
      Object.entries(pages).map(([path, cacheKey]) => ({ path, cacheKey })),
      day,
    );
  noteAll({ "/a/": "1", "/b/": "1", "/c/": "1" }, "2026-01-01");
  noteAll({ "/a/": "1", "/b/": "2" }, "2026-01-02");
  noteAll({ "/a/": "1", "/b/": "2", "/c/": "1" }, "2026-01-03");
  expect(daysOf(stateDir, ["/a/", "/b/", "/c/", "/d/"])).toEqual([
    "2026-01-01",
    "2026-01-02",
    "2026-01-03",
    undefined,
  ]);
});

const AUTHORS = 10_000;

/** @param changed how many of the pages are not as they were */
function* pagesOf(count: number, changed = 0): Generator<PageState> {
  for (let at = 0; at < count; at++) {
    yield { path: `/author/author-${at}/`, cacheKey: at < changed ? `new ${at}` : String(at) };
  }
}

/** How many blocks of the file are others than before. */
function blocksWritten(stateDir: string, work: () => void): number {
  const file = join(stateDir, "written.sqlite");
  const before = readFileSync(file);
  work();
  const after = readFileSync(file);
  let written = 0;
  for (let at = 0; at < Math.max(before.length, after.length); at += 4_096) {
    if (!before.subarray(at, at + 4_096).equals(after.subarray(at, at + 4_096))) written++;
  }
  return written;
}

test("noteWritten() writes what is new of 10,000 pages, and nothing on a night without news", () => {
  const stateDir = tempFolder("changed");
  noteWritten(stateDir, pagesOf(AUTHORS), "2026-01-01");
  const again = (changed: number) => () =>
    noteWritten(stateDir, pagesOf(AUTHORS, changed), "2026-01-02");
  expect(blocksWritten(stateDir, again(0))).toBe(0);
  // A block for each, one more that counts the changes, and what the longer keys make split.
  expect(blocksWritten(stateDir, again(10))).toBeLessThan(30);
  expect(daysOf(stateDir, ["/author/author-9/", "/author/author-10/"])).toEqual([
    "2026-01-02",
    "2026-01-01",
  ]);
});
