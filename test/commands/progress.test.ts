/** The lines of a long stage: bar, rate and time left on a terminal; in CI one line a stage and one a minute. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { progressTo } from "../../src/commands/harvest-progress.ts";
import { progressLines, type Progress } from "../../src/commands/progress.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Lines of reports, each at its second. */
function linesAt(hasBar: boolean, reports: readonly (readonly [at: number, Progress | string])[]) {
  let now = 0;
  const lineOf = progressLines(hasBar, () => now * 1_000);
  return reports.map(([at, progress]) => {
    now = at;
    return lineOf(progress);
  });
}

const pages = (done: number, of: number | null = 8_000): Progress => ({ done, of, what: "pages" });

test("a line has a bar on a terminal, and rate and time left once they are known", () => {
  const reports = [
    [100, pages(0)],
    [101, pages(500)],
    [110, pages(2_000)],
    [130, pages(8_000)],
  ] as const;
  expect(linesAt(true, reports)).toEqual([
    "░░░░░░░░░░░░░░░░░░░░ 0 of 8,000 pages",
    "█░░░░░░░░░░░░░░░░░░░ 500 of 8,000 pages",
    "█████░░░░░░░░░░░░░░░ 2,000 of 8,000 pages, 200/s, about 30 s left",
    "████████████████████ 8,000 of 8,000 pages, 267/s",
  ]);
  expect(linesAt(false, reports.slice(2))).toEqual([
    "2,000 of 8,000 pages",
    "8,000 of 8,000 pages, 300/s",
  ]);
});

test.each([
  [pages(30, null), "30 pages, 3/s"],
  [pages(5, 1_000), "5 of 1,000 pages, 30.0/min, about 33 min left"],
  [pages(5, 100_000), "5 of 100,000 pages, 30.0/min, about 55.5 h left"],
  [{ ...pages(9, 3), activity: "reading" }, "reading: 9 of 3 pages, 54.0/min"],
])("a line after ten seconds, number %#", (progress, line) => {
  const first = { ...progress, done: 0 };
  expect(
    linesAt(false, [
      [0, first],
      [10, progress],
    ])[1],
  ).toBe(line);
});

test("a harvest counts its calls of how many the list takes", () => {
  const shown: (string | Progress)[] = [];
  const report = progressTo((progress) => shown.push(progress));
  report({ kind: "phase", phase: "walk" });
  for (let requests = 1; requests <= 4; requests++) report({ kind: "call", requests });
  report({ kind: "window", windows: 4, quotes: 400, expected: 1_000 });
  report({ kind: "phase", phase: "tags" });
  expect(shown).toEqual([
    { activity: "reading", done: 0, of: null, what: "calls" },
    { activity: "reading, 400 quotes", done: 4, of: 10, what: "calls" },
    { activity: "reading the tags, 400 quotes", done: 4, of: null, what: "calls" },
  ]);
});

/** Runs stages apart, with the clock of minutes a thousand times as fast. */
const STAGES = `
  const every = globalThis.setInterval;
  globalThis.setInterval = (work, ms) => every(work, ms / 600);
  const { runStages } = await import(${JSON.stringify(join(ROOT, "src/commands/stages.ts"))});
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const stages = [
    { title: "Short", run: (show) => { for (let n = 0; n < 500; n++) show("noise " + n); } },
    { title: "Idle", skip: () => true, run: () => undefined },
    { title: "Long", run: async (show) => {
      show({ done: 3, of: 9, what: "pages" });
      await pause(150);
      show("::error::pwned");
      await pause(100);
    } },
    { title: "Bad", run: () => { throw new Error("reason"); } },
    { title: "Never", run: () => undefined },
  ];
  await runStages(stages, process.argv[1] === "quiet").catch(({ message }) => console.log(message));
`;

test("in CI there is one line for each stage, and one each minute of a long one", () => {
  const runWith = (...args: string[]) =>
    spawnSync(process.execPath, ["--input-type=module", "--eval", STAGES, ...args], {
      encoding: "utf8",
    });
  const { stderr, stdout } = runWith();
  // A slow machine has more minutes.
  expect([...new Set(stderr.replace(/\d+\.\d s/g, "N s").split("\n"))]).toEqual([
    "Short: N s",
    "Idle: skipped",
    "Long: 3 of 9 pages",
    "Long: ::error::pwned",
    "Long: N s",
    "Bad: failed after N s",
    "",
  ]);
  // The caller prints the reason, once.
  expect(stdout).toBe("reason\n");
  expect(runWith("quiet")).toMatchObject({ stderr: "", stdout: "reason\n" });
});
