/** Finds and ends the processes of a run, also those whose parent ended before them. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Where a process names the run: in its variables, its arguments, or the folder that it is in. */
const PLACES = ["environ", "cmdline"];

/** By the folder of processes that Linux has; elsewhere none, and a run ends its group alone. */
export function processesOf(run: string): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && names(pid, run));
}

function names(pid: number, run: string): boolean {
  try {
    const texts = PLACES.map((place) => readFileSync(`/proc/${pid}/${place}`, "latin1"));
    return [...texts, readlinkSync(`/proc/${pid}/cwd`)].some((text) => text.includes(run));
  } catch {
    // It has ended, or belongs to another user.
    return false;
  }
}

/**
 * Ends the run's own process, its group and all that name the run.
 *
 * @returns how many others were still there
 */
export async function endAll(run: string, main?: number): Promise<number> {
  if (main !== undefined) kill(-main);
  let ended = 0;
  // One that was about to start another may have done so.
  for (let round = 0; round < 50; round++) {
    const pids = processesOf(run);
    if (pids.length === 0) break;
    if (round === 0) ended = pids.filter((pid) => pid !== main).length;
    for (const pid of pids) kill(pid);
    await sleep(100);
  }
  return ended;
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
