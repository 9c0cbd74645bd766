/** The page about the last build: upstream text is text on it, its table says what its chart draws, and it is stable. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { budgetFor } from "../../src/audit/page/budgets.ts";
import type { RunFact } from "../../src/contract/facts.ts";
import { trendOf } from "../../src/components/build/figures.ts";
import { addToHistory } from "../../src/report/history.ts";
import { makeSnapshot, siteQuotes } from "../support/snapshot/index.ts";
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

/** The separate strokes of a path. */
const marksIn = (d: string): number => d.match(/M/gi)?.length ?? 0;

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
  const dots = page().matchAll(/<path class="dot" stroke-width="(\d+)" d="([^"]*)"/g);
  // The large ones are of those that were partial or waited.
  expect(Array.from(dots, ([, width, d = ""]) => [width, marksIn(d)])).toEqual([
    ["6", 58],
    ["14", 2],
  ]);
  // Each has the time of two stages, and quotes that are new.
  const marks = Object.entries({ odd: 2, calls: 60, new: 60, harvest: 60, render: 60, failed: 4 });
  for (const [kind, count] of marks) {
    const [, d = ""] = new RegExp(`<path class="${kind}"[^>]* d="([^"]*)"`).exec(page()) ?? [];
    expect(marksIn(d), kind).toBe(count);
  }
  expect(table).toContain("<td>Harvest 1 sec, Render 0.5 sec</td>");
  expect(table).toContain("<td>partial</td>");
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

/** A build of the largest numbers that are likely: a million quotes read anew, and a night of requests. */
const large = (day: number) =>
  build(day, {
    ...{ status: day % 7 === 0 ? 65 : 0, label: "complete:unproved", quotes: 1_000_000 + 7 * day },
    ...{ calls: 123_456 + day, waitedMs: 12_345_678, bytes: 12_345_678_900, files: 1_234_567 },
    change: { added: 987_654 - day, changed: 876_543, removed: 765_432 + day },
    pages: { added: 1_234_567, changed: 1_234_567, removed: 1_234_567 },
    stages: Object.fromEntries(TITLES.map((title, n) => [title, 4_321_987 + 1_234 * day * n])),
  });
const TITLES = ["Harvest", "Plan", "Pictures", "Open Graph images", "Render", "Search", "Audit"];

test.each(["en", "de", "ar", "hi", "te"])(
  "sixty builds of large numbers leave the page far below its budget in %s",
  { tags: "long" },
  async (language) => {
    const { stateDir } = makeSnapshot({ quotes: siteQuotes(), facts: { night: told } });
    for (let day = 0; day < 60; day++) addToHistory(stateDir, large(day));
    const site = join(tempFolder("large"), "dist");
    const args = ["--state", stateDir, "--out", site, "--quiet"];
    const variables = { SITE_DATE: "2026-11-21", SITE_LANGUAGE: language };
    expect((await run("render", args, variables)).status).toBe(0);
    const html = readFileSync(join(site, PATH));
    expect(html.toString().match(/<tr><th scope="row"><time /g)).toHaveLength(60);
    const budgets = { html: 1, css: 0, js: 0, fonts: 0 };
    const budget = budgetFor("build", { perPage: 50, budgets, language });
    expect(html.length).toBeLessThan(0.8 * budget.html);
  },
);

test.each([
  ["no build", 0, []],
  ["one build", 1, [50]],
  ["builds that are all alike", 2, [50, 50]],
])("trendOf() draws %s", (_, count, heights) => {
  const drawn = trendOf(Array.from({ length: count }, () => build(0)));
  const [dots = ""] = drawn.flatMap(({ class: kind, d }) => (kind === "dot" ? d : []));
  expect(Array.from(dots.matchAll(/M\S+ (\S+)h0/g), ([, y]) => Number(y))).toEqual(heights);
  const [line = ""] = drawn.flatMap(({ class: kind, d }) => (kind === "line" ? d : []));
  expect(line.match(/[ML]/g) ?? []).toHaveLength(count);
});

test("trendOf() breaks the line where there is no figure", () => {
  const drawn = trendOf([5, 6, null, 7, 8].map((quotes) => build(0, { quotes, calls: quotes })));
  const paths = new Map(drawn.map(({ class: kind, d }) => [kind, d]));
  expect(paths.get("line")?.replace(/[\d. ]/g, "")).toBe("MLML");
  expect(marksIn(paths.get("calls") ?? "")).toBe(4);
  expect(paths.has("odd")).toBe(false);
  expect([...paths.values()].join("")).not.toMatch(/NaN|Infinity/);
});

test("trendOf() stacks the stages of a build, and draws gone quotes down from the line of new ones", () => {
  const stages = { Harvest: 1_000, Render: 500, Plan: 500 };
  const drawn = trendOf([build(0, { stages, change: { added: 2, changed: 0, removed: 1 } })]);
  const paths = new Map(drawn.map(({ class: kind, d }) => [kind, d]));
  expect(["harvest", "render", "other", "new", "gone"].map((kind) => paths.get(kind))).toEqual([
    "M300 290v-27",
    "M300 263v-13.5",
    "M300 249.5v-13.5",
    "M300 195v-25",
    "M300 195v12.5",
  ]);
});
