/** Runs `npm run harvest` and `npm run export` as processes of their own, to be killed or looked at from outside. */
import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";

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

function finished(child: ChildProcess): Promise<Finished> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => err.push(chunk));
  return new Promise((resolve) =>
    child.on("close", (status, signal) =>
      resolve({
        status,
        signal,
        stdout: Buffer.concat(out).toString(),
        stderr: Buffer.concat(err).toString(),
      }),
    ),
  );
}
