/** Runs commands of the program. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { SYSTEM_VARIABLES } from "./platform.ts";
import { reportDeath } from "./deaths.ts";
import { closeAfterFile } from "./temp-folder.ts";
import { keepOnOneCore, runWarm, type Finished } from "./warm.ts";

const ROOT = join(import.meta.dirname, "../../..");

export type { Finished };

const PROGRAM = join(ROOT, "scripts/commonplace.mjs");

const variables = (more: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...SYSTEM_VARIABLES,
  ...{ PATH: process.env["PATH"], SITE_DIR: process.env["SITE_DIR"] },
  XDG_CACHE_HOME: process.env["XDG_CACHE_HOME"],
  // One bundle of the pages serves the tests of a run.
  BUNDLE_DIR: process.env["BUNDLE_DIR"],
  // By it the end of a run finds what tests left running.
  TEST_RUN: process.env["TEST_RUN"],
  ...more,
});

/** Starts a command as a process of its own, to be killed or looked at from outside. */
export function start(script: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [PROGRAM, script, ...args], {
    cwd: ROOT,
    env: variables(env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  keepOnOneCore(child);
  closeAfterFile(() => child.kill("SIGKILL"));
  return { child, finished: finished(child) };
}

/**
 * Starts a command that serves, as a process of its own, and waits until it listens. If it ends before it is stopped, so does the
 * test that uses it.
 *
 * @returns its address without a slash at the end, and its output so far, on both streams
 */
export async function startServer(
  script: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
) {
  const { child, finished } = start(script, args, env);
  let output = "";
  const url = await new Promise<string>((resolve, reject) => {
    const read = (piece: Buffer): void => {
      output += piece.toString();
      const [, address] = /^(?:Serving|Relaying) (?:.* )?(http:\S+)\/$/m.exec(output) ?? [];
      if (address !== undefined) resolve(address);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", () => reject(new Error(output)));
  });
  const report = (status: number | null, signal: NodeJS.Signals | null): void =>
    reportDeath(`npm run ${script} (exit ${status ?? signal})`);
  child.once("exit", report);
  const stop = (signal: NodeJS.Signals = "SIGTERM"): Promise<Finished> => {
    child.off("exit", report);
    child.kill(signal);
    return finished;
  };
  closeAfterFile(() => stop());
  return { url, pid: child.pid ?? 0, output: () => output, stop };
}

export function run(
  script: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Finished> {
  return runWarm({ file: PROGRAM, args: [script, ...args], env: variables(env), cwd: ROOT });
}

async function finished(child: ChildProcess): Promise<Finished> {
  const [stdout, stderr, [status, signal]] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stderr as Readable),
    once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>,
  ]);
  return { status, signal, stdout, stderr };
}
