/** A run of the tests ends, whatever dies or hangs in it: runs of the cases beside this file, which fail on purpose. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { closeAfterFile } from "../support/run/index.ts";
import { processesOf } from "../support/vitest/processes.ts";

const PROGRAM = join(import.meta.dirname, "../../scripts/test.ts");
const CONFIG = join(import.meta.dirname, "cases/vitest.config.ts");
/** A case that waits in vain must say so before the test that waits for it ends. */
const CASE_PATIENCE = String(Number(process.env["TEST_PATIENCE"] ?? 1) / 4);

/** Runs cases as `npm test` runs the tests. */
async function runCases(cases: readonly string[], variables: NodeJS.ProcessEnv = {}) {
  const env = {
    ...process.env,
    NO_COLOR: "1",
    CI_MINUTES: "",
    TEST_COUNTS: "",
    // That of the tier that plays this file.
    TESTS: "",
    TEST_PATIENCE: CASE_PATIENCE,
    ...variables,
  };
  const child = spawn(process.execPath, [PROGRAM, "--config", CONFIG, ...cases], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  closeAfterFile(() => child.kill("SIGTERM"));
  const ended = once(child, "close") as Promise<[number | null]>;
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    ended,
  ]);
  return { status, output: stdout + stderr, last: stdout.trim().split("\n").at(-1) };
}

test.concurrent(
  "a process that dies ends the wait with its name, and its file is tried once more",
  async () => {
    const { status, output, last } = await runCases([
      ...["renderer", "gpu", "browser.case", "server"],
      "unloadable",
    ]);
    for (const what of [
      "the page data:text/html,<title>x</title> (crash)",
      "the GPU process, process ",
      "the browser ended (disconnected)",
      "npm run serve (exit SIGKILL)",
    ]) {
      expect(output).toContain(`ProcessDied: A process that the test uses died: ${what}`);
    }
    expect(output).toMatch(/^A process died in .*gpu\.case\.ts.*: tried once more\.$/m);
    expect(output).not.toContain("Test timed out");
    expect(output).not.toContain("Hook timed out");
    expect(output).toContain("Error: This file cannot be loaded");
    expect(output).not.toContain("TypeError");
    // The GPU process dies the first time alone; of the others two tests fail each, or the hook before one, or the file.
    expect(last).toBe("1 passed, 6 failed, 1 skipped");
    expect(status).toBe(1);
  },
);

test.concurrent(
  "a test that never yields ends the run, which names it and ends the process that it left",
  { tags: "long" },
  async () => {
    const { status, output, last } = await runCases(["loop"], { TEST_PATIENCE: "0.1" });
    expect(output).toMatch(
      /^Nothing was heard of the tests for 30 s\. Under way:\n +loop\.case\.ts$/m,
    );
    const [, pid = ""] = /^left (\d+)$/m.exec(output) ?? [];
    expect(pid).not.toBe("");
    // Ended, though its parent may not have heard of it.
    const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", pid], { encoding: "utf8" });
    expect(stdout.trim()).toMatch(/^(?:Z.*)?$/);
    expect(last).toBe("0 passed, 1 failed");
    expect(status).toBe(1);
  },
);

test.concurrent(
  "a run whose time is spent begins no other test, stops those under way, and is no failure",
  { tags: "long" },
  async () => {
    const { status, output, last } = await runCases(["slow", "--long"], { CI_MINUTES: "0.2" });
    expect(output).toContain(
      "The 0.2 minutes are spent: no other test begins, and none under way fails.",
    );
    expect(last).toMatch(/^1 passed, 0 failed/);
    expect(status).toBe(0);
  },
);

test.concurrent(
  "a run whose time is spent is a failure for what failed before",
  { tags: "long" },
  async () => {
    const { status, last } = await runCases(["fails-in-time", "--long"], { CI_MINUTES: "0.2" });
    expect(last).toMatch(/^0 passed, 1 failed/);
    expect(status).toBe(1);
  },
);

test.concurrent(
  "a file whose tests waited in vain is tried once more, one with another failure is not",
  { tags: "long" },
  async () => {
    const { status, output, last } = await runCases(["vain", "wrong", "late"]);
    const again = /^A test waited in vain in (\w+)\.case\.ts: tried once more\.$/gm;
    const files = [...output.matchAll(again)].map(([, name]) => name);
    expect(files.sort()).toEqual(["late", "vain"]);
    expect(last).toBe("2 passed, 3 failed");
    expect(status).toBe(1);
  },
);

test.concurrent.each([
  [[], "1 passed, 0 failed"],
  [["--long"], "2 passed, 0 failed"],
])("a run with %j plays the tests of its tier, and counts no other", async (more, counts) => {
  const { status, last } = await runCases(["tiers", ...more]);
  expect(last).toBe(counts);
  expect(status).toBe(0);
});

test("processesOf() finds no process of a run that nothing names", () => {
  expect(processesOf("run-that-never-was")).toEqual([]);
});
