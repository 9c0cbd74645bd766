/** `npm run -s` as people pipe it: stdout is the command's alone, and a failure is its one line and its status. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeSnapshot } from "../support/snapshot/index.ts";
import { tempFolder } from "../support/run/index.ts";

const ROOT = join(import.meta.dirname, "../..");

function npmRun(script: string, ...options: readonly string[]) {
  // Variables of the npm that runs the tests would decide for this one.
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  const { status, stdout, stderr } = spawnSync("npm", ["run", "-s", script, "--", ...options], {
    cwd: ROOT,
    encoding: "utf8",
    env: Object.fromEntries(inherited),
    shell: process.platform === "win32",
  });
  return { status, stdout, stderr };
}

test("npm run -s export writes a line for each quote, and nothing else", () => {
  const { stateDir } = makeSnapshot({ quotes: [{ id: 1 }, { id: 2 }, { id: 3 }] });
  const { status, stdout, stderr } = npmRun("export", "--state", stateDir);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { pk: number }).pk),
  ).toEqual([1, 2, 3]);
});

test("npm run -s fails with the command's status and its one line", () => {
  const result = npmRun("export", "--state", tempFolder("empty"), "--quiet");
  expect(result).toMatchObject({ status: 75, stdout: "" });
  expect(result.stderr).toMatch(/^Cannot [^\n]+\n$/);
});
