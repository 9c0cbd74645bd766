/** What a command writes as people pipe it, and does where its output goes nowhere: a pipe that was closed, a full disk. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../support/run/index.ts";
import { makeSnapshot } from "../support/snapshot/index.ts";

const ROOT = join(import.meta.dirname, "../..");
const PROGRAM = join(ROOT, "scripts/commonplace.mjs");

/** Runs a command on a new state, with one of its two streams closed at once. @returns its exit status */
async function statusWithout(
  stream: "stdout" | "stderr",
  ...args: readonly string[]
): Promise<unknown> {
  const argv = [PROGRAM, ...args, "--state", join(tempFolder("output"), "state")];
  const child = spawn(process.execPath, argv, { env: { PATH: process.env["PATH"] } });
  child[stream].destroy();
  child[stream === "stdout" ? "stderr" : "stdout"].resume();
  const [status] = (await once(child, "close")) as unknown[];
  return status;
}

test("a command that fails keeps its status where the reader of its result has left", async () => {
  expect(await statusWithout("stdout", "snapshots", "use", "none", "--json")).toBe(64);
  expect(await statusWithout("stdout", "snapshots")).toBe(0);
});

test(
  "a harvest goes on to its end where the reader of its progress has left",
  { tags: "long" },
  async () => {
    expect(await statusWithout("stderr", "harvest")).toBe(0);
  },
);

/** A file of Linux to which every write fails as on a full disk. */
const FULL = "/dev/full";

test.skipIf(!existsSync(FULL)).each([
  ["stdout", 74, ["snapshots"]],
  ["stdout", 64, ["snapshots", "use", "none", "--json"]],
  ["stderr", 64, ["snapshots", "use", "none"]],
  ["stderr", 0, ["harvest"]],
])("with %s on a full disk, status %i ends %j", (stream, status, args) => {
  const full = openSync(FULL, "w");
  const argv = [PROGRAM, ...args, "--state", join(tempFolder("output"), "state")];
  const stdio =
    stream === "stdout" ? (["ignore", full, "pipe"] as const) : (["ignore", "pipe", full] as const);
  const ended = spawnSync(process.execPath, argv, { stdio: [...stdio], encoding: "utf8" });
  expect(ended.status).toBe(status);
  if (status === 74) {
    expect(ended.stderr).toBe(
      "Cannot write stdout: ENOSPC; check the disk, then run the command again\n",
    );
  }
});

/** Runs a module of its text alone. */
const evaluate = (text: string) =>
  spawnSync(process.execPath, ["--input-type=module", "--eval", text], { encoding: "utf8" });

test("a message of the bundler loses its colours in a pipe", () => {
  const { stderr } = evaluate(`
    import logger from ${JSON.stringify(join(ROOT, "src/site/astro-logger.mjs"))};
    logger().write({ level: "warn", label: "vite", message: "\\u001B[33mUndefined\\u001B[0m" });`);
  expect(stderr).toBe("[vite] Undefined\n");
});

test("a command that a signal stops at its very end says so, with what it did", () => {
  const { status, stdout, stderr } = evaluate(`
    import { setTimeout } from "node:timers/promises";
    import { inProcess } from ${JSON.stringify(join(ROOT, "src/commands/program.ts"))};
    await inProcess(true, async () => {
      process.kill(process.pid, "SIGTERM");
      await setTimeout(100);
      return { text: "made", result: { made: 1 } };
    });`);
  const message = "Stopped by SIGTERM; the next run continues from here";
  expect(stderr).toBe(`${message}\n`);
  expect(JSON.parse(stdout)).toEqual({ made: 1, status: 143, message });
  expect(status).toBe(143);
});

function npmRun(script: string, ...options: readonly string[]) {
  // Variables of the npm that runs the tests would decide for this one.
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  return spawnSync("npm", ["run", "-s", script, "--", ...options], {
    cwd: ROOT,
    encoding: "utf8",
    env: Object.fromEntries(inherited),
    shell: process.platform === "win32",
  });
}

test("npm run -s export writes a line for each quote, and nothing else", () => {
  const { stateDir } = makeSnapshot({ quotes: [{ id: 1 }, { id: 2 }, { id: 3 }] });
  const { status, stdout, stderr } = npmRun("export", "--state", stateDir);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const lines = stdout.trimEnd().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { pk: number }).pk)).toEqual([1, 2, 3]);
});

test("npm run -s fails with the command's status and its one line", () => {
  const result = npmRun("export", "--state", tempFolder("empty"), "--quiet");
  expect(result).toMatchObject({ status: 75, stdout: "" });
  expect(result.stderr).toMatch(/^Cannot [^\n]+\n$/);
});
