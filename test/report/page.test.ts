/** The page about the last build: upstream text is text on it, its table says what its chart draws, and it is stable. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { RunFact } from "../../src/contract/facts.ts";
import { trendOf } from "../../src/components/build/figures.ts";
import { addToHistory } from "../../src/report/history.ts";
import { makeSnapshot } from "../support/snapshot/index.ts";
import { run, tempFolder } from "../support/run/index.ts";
import { build, HOSTILE } from "./support.ts";

const EVIL = HOSTILE.join(" ");
const PATH = "about/build/index.html";
const FINISHED = "2026-11-20T02:03:00.000Z";

const told: RunFact = {
  change: { added: 31, changed: 32, removed: 33, deselected: 0 },
  calls: 12,
  quota: { limit: 500, periodMs: null, from: "headers", at: 0 },
  stopped: "a secret path",
  unread: HOSTILE.map((reason, offset) => ({ offset, reason })),
  remarks: ["another secret path"],
};
const { stateDir } = makeSnapshot({
  quotes: [
    { id: 1, author: EVIL, tags: ["Love"] },
    { id: 2, author: EVIL.toUpperCase(), tags: ["love"] },
  ],
  facts: { night: told },
});
const outDir = join(tempFolder("night"), "dist");

/** @returns what the pages are to those before */
async function render(): Promise<unknown> {
  const args = ["--state", stateDir, "--out", outDir, "--json", "--quiet"];
  const { stdout } = await run("render", args, { SITE_DATE: "2026-11-21" });
  return (JSON.parse(stdout) as { changes: unknown }).changes;
}

const page = (): string => readFileSync(join(outDir, PATH), "utf8");

beforeAll(async () => {
  // Seventy nights before the harvest, two of them failed, and one after it.
  for (let day = 0; day < 70; day++) {
    const odd = day === 20 ? { label: "partial" } : day === 30 ? { waitedMs: 9_000 } : {};
    addToHistory(stateDir, build(day, { status: day === 40 || day === 50 ? 69 : 0, ...odd }));
  }
  addToHistory(stateDir, build(99, { at: "2026-11-20T02:04:00.000Z", quotes: 987_654 }));
  await render();
});

test("no upstream text is markup on it, and none steers", () => {
  expect(page()).not.toMatch(/<img src=x|<script>alert|<td><\/tr>|[\u001b\u202E\u2066]/);
  expect(page()).toContain("&lt;img src=x onerror=alert(1)&gt;");
  expect(page()).not.toContain("secret path");
});

test("the page has the figures of the harvest", () => {
  for (const figure of ["31", "32", "33", "488"])
    expect(page()).toContain(`<td><bdi>${figure}</bdi></td>`);
  expect(page()).toContain("Spellings that are one name");
  expect(page()).toMatch(/<bdi>Love<\/bdi><\/th><td><bdi lang[^>]*>love</);
});

test("the chart draws the last sixty builds before the harvest, and the table has the same", () => {
  const table = page().slice(page().indexOf('class="wide"'));
  expect(table.match(/<time /g)).toHaveLength(60);
  expect(page().match(/<circle /g)).toHaveLength(60);
  // Those that were partial or waited.
  expect(page().match(/<circle [^>]*r="7"/g)).toHaveLength(2);
  expect(page().match(/<rect class="odd"/g)).toHaveLength(2);
  // Each has the time of two stages, and quotes that are new.
  for (const kind of ["harvest", "render", "new"])
    expect(page().match(new RegExp(`<rect [^>]*class="${kind}"`, "g")), kind).toHaveLength(60);
  expect(table).toContain("<td>Harvest 1 sec, Render 0.5 sec</td>");
  expect(table).toContain("<td>partial</td>");
  expect(page().match(/<path d="M/g)).toHaveLength(2);
  expect(table.match(/Failed \(69\)/g)).toHaveLength(2);
  expect(page()).not.toContain("987,654");
  expect(page()).toContain('role="img" aria-labelledby="trend-text"');
  expect(/<svg.*?<\/svg>/s.exec(page())?.[0]).not.toMatch(/style=|script|href/);
});

test("a longer history changes this page alone", async () => {
  const before = page();
  addToHistory(stateDir, build(98, { at: FINISHED }));
  expect(await render()).toEqual({ added: 0, removed: 0, changed: 1 });
  expect(page()).not.toBe(before);
});

test.each([
  ["no build", 0, []],
  ["one build", 1, [50]],
  ["builds that are all alike", 2, [50, 50]],
])("trendOf() %s", (_, count, heights) => {
  const { dots, lines } = trendOf(Array.from({ length: count }, () => build(0)));
  expect(dots.map(({ y }) => y)).toEqual(heights);
  expect(lines).toHaveLength(count > 1 ? 1 : 0);
});

test("trendOf() breaks the line where there is no figure", () => {
  const { lines, bars, odd } = trendOf(
    [5, 6, null, 7, 8].map((quotes) => build(0, { quotes, calls: quotes })),
  );
  expect(lines).toHaveLength(2);
  expect(bars.filter(({ class: kind }) => kind === "calls")).toHaveLength(4);
  expect(odd).toEqual([]);
  expect(lines.join()).not.toMatch(/NaN|Infinity/);
});
