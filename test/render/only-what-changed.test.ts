/** A page whose key did not change is not touched; what changed, came or went is written and told. */
import { readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { contentOf, datesOf, differences, openBench, someLines, type Bench } from "./support.ts";

let bench: Bench;

beforeEach(async () => {
  bench = openBench(someLines(12));
  await bench.render();
});
afterEach(() => bench.remove());

/** The same site, rendered where nothing was before. */
async function afresh(): Promise<Record<string, string>> {
  const outDir = join(bench.folder, "fresh");
  await bench.render({ outDir, stateDir: join(bench.folder, "fresh-state") });
  const content = contentOf(outDir);
  rmSync(outDir, { recursive: true });
  return content;
}

test("renderSite() touches no file when nothing changed", async () => {
  const before = datesOf(bench.outDir);
  const report = await bench.render();
  expect(datesOf(bench.outDir)).toEqual(before);
  expect(report).toMatchObject({ written: 0, changes: { added: 0, changed: 0, removed: 0 } });
  expect(bench.changes()).toEqual([]);
});

test("renderSite() writes the pages that changed, and removes those that are gone", async () => {
  const before = datesOf(bench.outDir);
  const [, ...lines] = someLines(13);
  const changed = lines.map((line) => (line.id === 12 ? { ...line, text: "Other words." } : line));
  bench.write(changed.filter(({ tags }) => !tags.includes("even") || tags.includes("любовь")));
  await bench.render();
  const expected = await afresh();
  expect(differences(contentOf(bench.outDir), expected)).toEqual([]);

  const after = datesOf(bench.outDir);
  const touched = Object.keys(after).filter((file) => after[file] !== before[file]);
  const told = bench.changes();
  const addressOf = (file: string): string => `/${file.replace(/(^|\/)index\.html$/, "$1")}`;
  const written = told.filter((line) => !line.startsWith("removed"));
  expect(written.map((line) => line.split(" ")[1]).sort()).toEqual(touched.map(addressOf).sort());
  const gone = Object.keys(before).filter((file) => !(file in after));
  expect(told.filter((line) => line.startsWith("removed")).sort()).toEqual(
    gone.map((file) => `removed ${addressOf(file)}`).sort(),
  );
  expect(gone).toContain("quote/1/index.html");
  expect(touched).toContain("quote/12/index.html");
  expect(touched).not.toContain("quote/2/index.html");
});

test.each<[string, (file: string) => void]>([
  ["was deleted", (file) => unlinkSync(file)],
  ["was written over", (file) => writeFileSync(file, "<p>Not ours.</p>")],
])("renderSite() restores a page that %s, and does not call it changed", async (_, harm) => {
  const file = join(bench.outDir, "quote/3/index.html");
  const content = readFileSync(file, "utf8");
  harm(file);
  const report = await bench.render();
  expect(readFileSync(file, "utf8")).toBe(content);
  expect(report.changes).toEqual({ added: 0, changed: 0, removed: 0 });
});

test("renderSite() restores a folder that was lost, with the dates that files had", async () => {
  const content = contentOf(bench.outDir);
  const dates = datesOf(bench.outDir);
  rmSync(bench.outDir, { recursive: true });
  const report = await bench.render();
  expect(differences(contentOf(bench.outDir), content)).toEqual([]);
  expect(bench.changes()).toEqual([]);
  expect(report.written).toBeGreaterThan(10);
  const seconds = (date: bigint | undefined): bigint => (date ?? 0n) / 1_000_000_000n;
  const file = "tag/all/index.html";
  expect(seconds(datesOf(bench.outDir)[file])).toBe(seconds(dates[file]));
});

test("renderSite() writes nothing anew when the memory of a finished folder was lost", async () => {
  const before = datesOf(bench.outDir);
  writeFileSync(join(bench.outDir, "stray.html"), "left by another build");
  rmSync(bench.stateDir, { recursive: true });
  const report = await bench.render();
  expect(datesOf(bench.outDir)).toEqual(before);
  expect(report).toMatchObject({ written: 0 });
});
