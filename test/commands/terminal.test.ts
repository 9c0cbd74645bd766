/** Ctrl-C in a terminal: a real pseudo-terminal, given by `script` of util-linux. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { serve, silence } from "../support/http/index.ts";
import { tempFolder } from "../support/run/index.ts";

const ROOT = join(import.meta.dirname, "../..");
const CTRL_C = "\u0003";
const HIDE_CURSOR = "\u001B[?25l";
const SHOW_CURSOR = "\u001B[?25h";

const HAS_SCRIPT = /util-linux/.test(spawnSync("script", ["--version"]).stdout?.toString() ?? "");
const why = HAS_SCRIPT ? "" : " (skipped: no script of util-linux here)";

/** Runs a command on a terminal. `keys` gets a function that waits for words on the screen, and one that types. */
async function onTerminal(
  command: readonly string[],
  keys: (seen: (words: RegExp) => Promise<void>, type: (text: string) => void) => Promise<void>,
) {
  const line = `stty cols 100 rows 40; ${command.map((word) => `'${word}'`).join(" ")}`;
  const child = spawn(
    "script",
    ["--quiet", "--return", "--flush", "--command", line, "/dev/null"],
    {
      cwd: ROOT,
      env: { PATH: process.env["PATH"], TERM: "xterm" },
    },
  );
  let screen = "";
  child.stdout.on("data", (piece: Buffer) => (screen += piece.toString()));
  const ended = once(child, "exit") as Promise<[number | null]>;
  await keys(
    async (words) => {
      while (!words.test(screen) && child.exitCode === null) await setTimeout(20);
    },
    (text) => child.stdin.write(text),
  );
  const [status] = await ended;
  return { status, screen };
}

const commonplace = [process.execPath, join(ROOT, "scripts/commonplace.mjs")];
const node = [process.execPath, "--input-type=module", "--eval"];

/** Says that it runs, and that it was asked to stop. The time that a command has does not end it: only signals are tried. */
const STUBBORN = `
  setInterval(() => undefined, 60_000);
  globalThis.setTimeout = () => ({ unref: () => undefined });
  const { inProcess } = await import(${JSON.stringify(join(ROOT, "src/commands/program.ts"))});
  await inProcess(false, async (signal) => {
    process.stdout.write("running\\n");
    signal.addEventListener("abort", () => process.stdout.write("stopped\\n"));
    await new Promise(() => undefined);
  });`;

test.skipIf(!HAS_SCRIPT)(
  `Ctrl-C ends a build with 130, its report written and the cursor shown${why}`,
  async () => {
    const folder = tempFolder("terminal");
    const state = join(folder, "state");
    const service = await serve(silence);
    const folders = ["--state", state, "--out", join(folder, "dist")];
    const build = [...commonplace, "build", "--base-url", service.url, ...folders];
    const { status, screen } = await onTerminal(build, async (_, type) => {
      await expect.poll(() => service.journal.length).toBeGreaterThan(0);
      type(CTRL_C);
    });
    expect(status).toBe(130);
    expect(screen.match(/Stopped by SIGINT; the next run continues from here\r\n/g)).toHaveLength(
      1,
    );
    expect(screen).not.toMatch(/^\s+at .*\(/m);
    expect(screen.lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(screen.lastIndexOf(HIDE_CURSOR));
    const [last = ""] = readFileSync(join(state, "history.ndjson"), "utf8").trim().split("\n");
    expect(JSON.parse(last)).toMatchObject({ status: 130 });
    expect(existsSync(join(state, "report.md"))).toBe(true);
  },
);

test.skipIf(!HAS_SCRIPT)(
  `a second Ctrl-C ends a command that does not obey the first${why}`,
  async () => {
    const { status } = await onTerminal([...node, STUBBORN], async (seen, type) => {
      await seen(/running/);
      type(CTRL_C);
      await seen(/stopped/);
      await setTimeout(700);
      type(CTRL_C);
    });
    expect(status).toBe(130);
  },
);
