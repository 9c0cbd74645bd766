/** Runs `npm run harvest` and `npm run export` as processes of their own, to be killed or looked at from outside. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";

const ROOT = join(import.meta.dirname, "../../..");

export interface Finished {
  /** Null when a signal ended it. */
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function start(script: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [join(ROOT, "scripts/commonplace.mjs"), script, ...args], {
    cwd: ROOT,
    env: { PATH: process.env["PATH"], SITE_DIR: process.env["SITE_DIR"], ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { child, finished: finished(child) };
}

export function run(
  script: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Finished> {
  return start(script, args, env).finished;
}

async function finished(child: ChildProcess): Promise<Finished> {
  const [stdout, stderr, [status, signal]] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stderr as Readable),
    once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>,
  ]);
  return { status, signal, stdout, stderr };
}
