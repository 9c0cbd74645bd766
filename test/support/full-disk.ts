/**
 * A disk that fills up: a small tmpfs where mounting is permitted, else a limit on the size of any file, at which the
 * kernel ends the process.
 */
import { spawnSync } from "node:child_process";
import { onTestFinished } from "vitest";
import { tempFolder } from "./run/index.ts";

const probe = temporaryMount(64);
export const MOUNTS = probe !== null;
if (probe !== null) unmount(probe);

/** A file system of its own, of so many kilobytes; null where mounting is not permitted. */
export function temporaryMount(kilobytes: number, folder?: string): string | null {
  const at = folder ?? spawnSync("mktemp", ["-d"]).stdout.toString().trim();
  const options = ["-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs", at];
  return spawnSync("mount", options).status === 0 ? at : null;
}

export function resize(at: string, kilobytes: number): void {
  spawnSync("mount", ["-o", `remount,size=${kilobytes}k`, at]);
}

/** At once: a process that ran there may keep files open. */
export function unmount(at: string): void {
  spawnSync("umount", ["--lazy", at]);
  spawnSync("rmdir", [at]);
}

/** A folder with so many kilobytes of room, gone after the test. */
export function smallDisk(kilobytes: number): string {
  const at = temporaryMount(kilobytes);
  if (at === null) return tempFolder();
  onTestFinished(() => unmount(at));
  return at;
}

/** Runs a program of Node; where disks cannot be small, no file may grow beyond `kilobytes`. */
export function runCramped(args: readonly string[], kilobytes: number): number | null {
  if (MOUNTS) {
    return spawnSync(process.execPath, args, { stdio: "ignore" }).status;
  }
  const limited = `ulimit -f ${kilobytes * 2}; exec "$0" "$@"`;
  return spawnSync("sh", ["-c", limited, process.execPath, ...args], { stdio: "ignore" }).status;
}
