/** The days of the sitemap: a page is new when what it shows is, and not because a night has passed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readChangeDays, recordPages } from "../../src/plan/index.ts";
import { tempFolder } from "../support/run/index.ts";

const daysOf = (stateDir: string, paths: readonly string[]): (string | undefined)[] => {
  const days = readChangeDays(stateDir);
  return paths.map((path) => days.get(path));
};

test("recordPages() keeps the day of a page until its cache key is another, and forgets what is gone", () => {
  const stateDir = tempFolder("changed");
  const noteAll = (pages: Record<string, string>, day: string) =>
    recordPages(
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

test("recordPages() writes nothing on a night without news", () => {
  const stateDir = tempFolder("changed");
  const pages = [{ path: "/a/", cacheKey: "1" }];
  recordPages(stateDir, pages, "2026-01-01");
  const content = () => readFileSync(join(stateDir, "written.sqlite"));
  const before = content();
  recordPages(stateDir, pages, "2026-01-02");
  expect(content().equals(before)).toBe(true);
});
