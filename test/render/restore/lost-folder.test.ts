/** An output folder that was lost comes back as it was, and no page that has a key is rendered for it. */
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { contentOf, datesOf, differences, openBench, someLines, type Bench } from "../support.ts";

const LINES = someLines(40);
/** Pages of the site that have no key: they are rendered at every build. */
const UNKEYED = 6;

let bench: Bench;
let content: Record<string, string>;

beforeEach(async () => {
  bench = openBench(LINES);
  const { pages, restored } = await bench.render();
  expect(restored).toBe(0);
  expect(pages).toBeGreaterThan(40 + UNKEYED);
  content = contentOf(bench.outDir);
});
afterEach(() => bench.remove());

/** When each file was written, in the seconds that archives keep. */
function seconds(): Record<string, bigint> {
  const dates = Object.entries(datesOf(bench.outDir));
  return Object.fromEntries(dates.map(([file, date]) => [file, date / 1_000_000_000n]));
}

const aSecond = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_100));

test("a lost folder comes back byte for byte, with its dates, and nothing is called changed", async () => {
  const dates = seconds();
  await aSecond();
  for (const lose of [
    () => rmSync(bench.outDir, { recursive: true }),
    () =>
      readdirSync(bench.outDir).forEach((name) =>
        rmSync(join(bench.outDir, name), { recursive: true }),
      ),
  ]) {
    lose();
    const report = await bench.render();
    expect(differences(contentOf(bench.outDir), content)).toEqual([]);
    expect(seconds()).toEqual(dates);
    expect(report).toMatchObject({
      rendered: UNKEYED,
      restored: report.pages - UNKEYED,
      changes: { added: 0, changed: 0, removed: 0 },
    });
    expect(bench.changes()).toEqual([]);
  }
  // And it is believed: the next build finds everything as it should be.
  const dated = datesOf(bench.outDir);
  expect(await bench.render()).toMatchObject({ rendered: UNKEYED, restored: 0, written: 0 });
  expect(datesOf(bench.outDir)).toEqual(dated);
});

test("of a folder that lost a part, that part comes back, and the rest is not touched", async () => {
  const dates = datesOf(bench.outDir);
  for (const name of ["quote", "404.html"]) rmSync(join(bench.outDir, name), { recursive: true });
  const report = await bench.render();
  expect(differences(contentOf(bench.outDir), content)).toEqual([]);
  expect(report).toMatchObject({ rendered: UNKEYED, restored: LINES.length });
  const after = datesOf(bench.outDir);
  const touched = Object.keys(after).filter((file) => after[file] !== dates[file]);
  expect(touched.filter((file) => !/^quote\/|^404/.test(file))).toEqual([]);
});

test("a lost folder of a site that changed meanwhile: only what changed is told", async () => {
  const next = LINES.slice(1).map((line) => (line.id === 9 ? { ...line, text: "Anew." } : line));
  bench.write(next);
  await bench.render({
    outDir: join(bench.folder, "other"),
    stateDir: join(bench.folder, "state-2"),
  });
  const expected = contentOf(join(bench.folder, "other"));
  rmSync(bench.outDir, { recursive: true });
  const report = await bench.render();
  expect(differences(contentOf(bench.outDir), expected)).toEqual([]);
  const told = bench.changes().map((line) => line.split(" ")[1]);
  const differ = differences(content, expected).map(
    (file) => `/${file.replace(/index\.html$/, "")}`,
  );
  expect(told.sort()).toEqual(differ.sort());
  expect(bench.changes()).toContain("removed /quote/1/");
  expect(report.restored).toBeGreaterThan(20);
});

test("files of others stay, and what is in the way of a page is dealt with as ever", async () => {
  rmSync(bench.outDir, { recursive: true });
  mkdirSync(join(bench.outDir, "quote/7/index.html"), { recursive: true });
  writeFileSync(join(bench.outDir, "CNAME"), "quotes.example.org");
  const outside = join(bench.folder, "outside.html");
  writeFileSync(outside, "somebody's");
  mkdirSync(join(bench.outDir, "quote/8"));
  symlinkSync(outside, join(bench.outDir, "quote/8/index.html"));
  await bench.render();
  expect(differences(contentOf(bench.outDir), { ...content, CNAME: "quotes.example.org" })).toEqual(
    [],
  );
  expect(contentOf(bench.folder)["outside.html"]).toBe("somebody's");
});

test("nothing is restored where every page is to be compared with Astro's own", async () => {
  rmSync(bench.outDir, { recursive: true });
  const report = await bench.render({ verifyAll: true });
  expect(report).toMatchObject({ restored: 0, rendered: report.pages });
  expect(differences(contentOf(bench.outDir), content)).toEqual([]);
});

test("a share of the site comes back from its own state", async () => {
  const stateDir = join(bench.folder, "state-share");
  cpSync(join(bench.stateDir, "bundle"), join(stateDir, "bundle"), {
    recursive: true,
    verbatimSymlinks: true,
  });
  const outDir = join(bench.folder, "share");
  const share = { stateDir, outDir, shard: { index: 2, count: 2 } };
  const { pages } = await bench.render(share);
  const before = contentOf(outDir);
  rmSync(outDir, { recursive: true });
  const report = await bench.render(share);
  expect(differences(contentOf(outDir), before)).toEqual([]);
  expect(report.restored).toBe(pages - report.rendered);
  expect(report.rendered).toBeLessThan(UNKEYED);
});
