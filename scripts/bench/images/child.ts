/** Runs one part of the benchmark in a process of its own, and watches the memory of it and of its children. */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

export interface Measured {
  readonly wallMs: number;
  /** Most memory that was seen, in MB; null where there is no /proc. */
  readonly peakMb: number | null;
}

export function start(part: string, args: readonly string[] = [], env = {}): ChildProcess {
  return fork(new URL(`./${part}.ts`, import.meta.url), args, {
    env: { ...process.env, ...env },
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
}

/** @returns what the part sent, with its memory */
export async function measure<Result>(
  part: string,
  args: readonly string[] = [],
  env = {},
): Promise<Result & Pick<Measured, "peakMb">> {
  const child = start(part, args, env);
  let peakMb: number | null = null;
  const timer = setInterval(() => {
    if (process.platform === "linux") peakMb = Math.max(peakMb ?? 0, memoryOf(child.pid ?? 0));
  }, 100);
  const [message] = (await once(child, "message")) as [Result];
  clearInterval(timer);
  if (child.exitCode === null) await once(child, "exit");
  return { ...message, peakMb };
}

/** Resident memory of a process and its children, in MB; pages they share count for each. */
function memoryOf(pid: number): number {
  const children = proc(`${pid}/task/${pid}/children`).trim().split(" ").filter(Boolean);
  const own = Number(/VmRSS:\s+(\d+)/.exec(proc(`${pid}/status`))?.[1] ?? 0) / 1_024;
  return children.map(Number).reduce((sum, child) => sum + memoryOf(child), own);
}

/** A process may end between being listed and being read. */
function proc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error) return "";
    throw error;
  }
}
