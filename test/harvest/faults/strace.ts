/** Kills a process at a chosen system call, where strace is at hand and may be used. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** System calls by which a harvest changes its state. */
const MUTATING = "pwrite64,rename,unlink,ftruncate,fsync,fdatasync,mkdir";

export const STRACE_WORKS = spawnSync("strace", ["-f", "-o", "/dev/null", "true"]).status === 0;

/** Runs a program of Node and counts its mutating system calls. */
export function countCalls(args: readonly string[]): number {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-strace-"));
  try {
    const log = join(folder, "calls");
    traced(["-o", log, "-e", `trace=${MUTATING}`], args);
    return readFileSync(log, "utf8").split("\n").length;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs it again and kills it at the given one of those calls; says whether that was reached. */
export function killAtCall(args: readonly string[], call: number): boolean {
  const inject = `inject=${MUTATING}:signal=SIGKILL:when=${call}`;
  return traced(["-o", "/dev/null", "-e", `trace=${MUTATING}`, "-e", inject], args) !== 0;
}

function traced(options: readonly string[], args: readonly string[]): number | null {
  const strace = ["-f", "--seccomp-bpf", ...options, process.execPath, ...args];
  return spawnSync("strace", strace, { stdio: "ignore" }).status;
}
