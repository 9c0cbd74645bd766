/** The days of the sitemap: a page is new when what it shows is, and not because a night has passed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { WrittenPages } from "../../src/plan/index.ts";
import { tempFolder } from "../support/run/index.ts";

interface PageState {
  readonly path: string;
  readonly cacheKey: string;
}

function note(stateDir: string, pages: Iterable<PageState>, day: string): void {
  const written = new WrittenPages(stateDir);
  written.note(pages, day);
  written.close();
}

function daysOf(stateDir: string, paths: readonly string[]): (string | undefined)[] {
  const written = new WrittenPages(stateDir);
  const days = paths.map((path) => written.changedOn(path));
  written.close();
  return days;
}

test("note() keeps the day of a page until its cache key is another, and forgets what is gone", () => {
  const stateDir = tempFolder("changed");
  const noteAll = (pages: Record<string, string>, day: string) =>
    note(
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

const AUTHORS = 100_000;

/** @param changed how many of the pages are not as they were */
function* pagesOf(count: number, changed = 0): Generator<PageState> {
  for (let at = 0; at < count; at++) {
    yield { path: `/author/author-${at}/`, cacheKey: at < changed ? `new ${at}` : String(at) };
  }
}

/** CPU time of this thread alone, in milliseconds: other programs of the machine do not count. */
function cpuMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
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

test("note() writes what is new of 100,000 pages, and nothing on a night without news", () => {
  const stateDir = tempFolder("changed");
  note(stateDir, pagesOf(AUTHORS), "2026-01-01");
  const again = (changed: number) => () => note(stateDir, pagesOf(AUTHORS, changed), "2026-01-02");
  expect(blocksWritten(stateDir, again(0))).toBe(0);
  // A block for each, one more that counts the changes, and what the longer keys make split.
  expect(blocksWritten(stateDir, again(10))).toBeLessThan(30);
  expect(daysOf(stateDir, ["/author/author-9/", "/author/author-10/"])).toEqual([
    "2026-01-02",
    "2026-01-01",
  ]);
});

test("a page costs about the same among 100,000 as among a tenth of them, to note and to look up", () => {
  const sizes = [AUTHORS / 10, AUTHORS];
  const sites = sizes.map((pages) => ({ pages, stateDir: tempFolder("changed") }));
  for (const { pages, stateDir } of sites) note(stateDir, pagesOf(pages), "2026-01-01");
  const asked = Array.from(pagesOf(2_000), ({ path }) => path);
  const least = sites.map(() => ({ note: Infinity, look: Infinity }));
  for (let round = 0; round < 5; round++) {
    for (const [index, { pages, stateDir }] of sites.entries()) {
      const best = least[index] ?? expect.unreachable();
      const noteMs = cpuMs(() => note(stateDir, pagesOf(pages), "2026-01-02"));
      const lookMs = cpuMs(() => daysOf(stateDir, asked));
      best.note = Math.min(best.note, noteMs / pages);
      best.look = Math.min(best.look, lookMs / asked.length);
    }
  }
  const [few, many] = least;
  if (few === undefined || many === undefined) return expect.unreachable();
  // Going through all pages for each of them would make it ten times as much.
  expect(many.note).toBeLessThan(few.note * 4);
  expect(many.look).toBeLessThan(few.look * 4);
});
