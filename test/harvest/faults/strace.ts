/** Watches the system calls by which a program changes files, and kills it at one of them. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "../../support/run/index.ts";

/** Calls that change files, or force them to the disk. */
const MUTATING = "pwrite64,rename,renameat,renameat2,unlink,ftruncate,fsync,fdatasync,mkdir";

/** False where the program is missing, and where a container forbids to trace processes. */
export const STRACE_WORKS = spawnSync("strace", ["-f", "-o", "/dev/null", "true"]).status === 0;

export interface SystemCall {
  readonly name: string;
  /** The calls of this name so far, with this one: how strace counts. */
  readonly count: number;
  /** With the paths of open files, as `fsync(27</state/current.unfinished>)`. */
  readonly text: string;
}

export const isRename = ({ name }: SystemCall): boolean => name.startsWith("rename");

/** Runs a program of Node to its end; returns its calls in order. */
export function callsOf(args: readonly string[]): SystemCall[] {
  const { signal, status, calls } = trace(args, []);
  if (status !== 0) throw new Error(`Cannot trace ${args.join(" ")}: ${signal ?? status}`);
  return calls;
}

/** Runs a program and kills it before it makes the given call; returns the signal that ended it, and the last call. */
export function killAt(args: readonly string[], { name, count }: Omit<SystemCall, "text">) {
  const { signal, calls } = trace(args, ["-e", `inject=${name}:signal=SIGKILL:when=${count}`]);
  return { signal, last: calls.at(-1) };
}

// Without --seccomp-bpf: under that option strace 6.1 injects nothing.
function trace(args: readonly string[], options: readonly string[]) {
  const log = join(tempFolder(), "calls");
  const strace = ["-f", "-y", "-s", "0", "-o", log, "-e", `trace=${MUTATING}`, ...options];
  const { signal, status } = spawnSync("strace", [...strace, process.execPath, ...args], {
    // Node renames files of its compile cache, in some runs only.
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: "1" },
    stdio: "ignore",
    timeout: 120_000,
  });
  const counts = new Map<string, number>();
  const calls: SystemCall[] = [];
  for (const [, name = "", rest = ""] of readFileSync(log, "utf8").matchAll(
    /^\d+ +(\w+)(\(.*)$/gm,
  )) {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    calls.push({ name, count, text: name + rest });
  }
  return { signal, status, calls };
}
