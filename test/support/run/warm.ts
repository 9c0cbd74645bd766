/** Runs programs of Node as processes would, for a third of the cost, where no test sends a signal or looks at the process. */
import { fork, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { join } from "node:path";

export interface Finished {
  /** Null when a signal ended it. */
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program, and all that it gets from outside. */
export interface Order {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** The core of this worker of the tests. */
export const CORE = Number(process.env["VITEST_POOL_ID"] ?? 1) % availableParallelism();

/** Each run leaves its modules behind: some 40 MB. */
const MOST_RUNS = 24;

/** Those that are not busy; they end with this process. */
const idle: { readonly child: ChildProcess; runs: number }[] = [];

export async function runWarm(order: Order): Promise<Finished> {
  const warm = idle.pop() ?? { child: startWarm(), runs: 0 };
  const { child } = warm;
  child.ref();
  const ended = new AbortController();
  const died = once(child, "exit", { signal: ended.signal }) as Promise<[number | null]>;
  const answered = once(child, "message", { signal: ended.signal }) as Promise<[Finished]>;
  child.send(order);
  try {
    const [done] = await Promise.race([answered, died]);
    if (done === null || typeof done === "number") {
      throw new Error(`Cannot run ${order.file}: its process ended with ${done}`);
    }
    if (++warm.runs < MOST_RUNS) idle.push(warm);
    else child.kill("SIGKILL");
    return done;
  } finally {
    ended.abort();
    answered.catch(() => undefined);
    died.catch(() => undefined);
    child.unref();
    child.channel?.unref();
  }
}

function startWarm(): ChildProcess {
  const child = fork(join(import.meta.dirname, "warm-process.ts"), {
    execArgv: ["--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: {
      PATH: process.env["PATH"],
      TEST_RUN: process.env["TEST_RUN"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
    },
  });
  keepOnOneCore(child);
  return child;
}

/**
 * Keeps a process on the core of this worker: a small site needs no thread for each core, and to start and
 * feed them takes a fifth of its time. Best effort, as not every system can.
 */
export function keepOnOneCore({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  spawnSync("taskset", ["-acp", String(CORE), String(pid)]);
}
