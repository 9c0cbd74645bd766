/** Runs commands of the program. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { runWarm, type Finished } from "./warm.ts";

const ROOT = join(import.meta.dirname, "../../..");

export type { Finished };

const PROGRAM = join(ROOT, "scripts/commonplace.mjs");

const variables = (more: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...{ PATH: process.env["PATH"], SITE_DIR: process.env["SITE_DIR"] },
  ...more,
});

/** Starts a command as a process of its own, to be killed or looked at from outside. */
export function start(script: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [PROGRAM, script, ...args], {
    cwd: ROOT,
    env: variables(env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { child, finished: finished(child) };
}

/** Runs a command that ends by itself. */
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
