/** Every promise of SECURITY.md names tests, and these exist. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");

const rows = readFileSync(join(ROOT, "SECURITY.md"), "utf8")
  .split("\n")
  .filter((line) => /^\| (?!promise|-)/.test(line))
  .map((line) => line.split("|").slice(1, -1))
  .map(([promise = "", tests = ""]) => [promise.trim(), tests] as const);

test("SECURITY.md has a table of promises", () => {
  expect(rows.length).toBeGreaterThan(10);
});

test.each(rows)("SECURITY.md names a test that exists for: %s", (_, tests) => {
  const named = [...tests.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file);
  expect(named).not.toEqual([]);
  for (const file of named) {
    expect(file).toMatch(/^test\/.+\.test\.ts$/);
    expect(existsSync(join(ROOT, file)), file).toBe(true);
    expect(readFileSync(join(ROOT, file), "utf8")).toMatch(/\btest\b/);
  }
});
