/** Runs a program and measures it: wall time, processor time and the memory of its largest process. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";

export interface Measured<T> {
  readonly seconds: number;
  /** Of all processes, user and system; null without /proc. */
  readonly cpuSeconds: number | null;
  /** Of the largest process; null without /proc. */
  readonly peakMegabytes: number | null;
  /** The last line that the program printed, read as JSON. */
  readonly result: T;
}

/** Renders the published snapshot. */
export const SITE = join(import.meta.dirname, "site/render.ts");

/** The flags with which `package.json` starts `npm run bench`: the compile cache. */
export const AS_COMMAND = ["--import", join(import.meta.dirname, "../compile-cache.mjs")];

/** Time between two samples; the kernel keeps the peaks meanwhile. */
const SAMPLE_EVERY_MS = 20;

interface MeasureOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Flags of Node itself. */
  readonly flags?: readonly string[];
  readonly cwd?: string;
}

/** @throws when the program fails */
export async function measure<T>(
  script: string,
  args: readonly string[],
  { env = {}, flags = [], cwd }: MeasureOptions = {},
): Promise<Measured<T>> {
  const started = performance.now();
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", ...flags, script, ...args],
    {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, ...env },
      ...(cwd === undefined ? {} : { cwd }),
    },
  );
  const processes = sampler(child.pid ?? 0);
  const timer = setInterval(() => processes.sample(), SAMPLE_EVERY_MS);
  const exit = once(child, "exit") as Promise<[number | null]>;
  const [[status], output] = await Promise.all([exit, text(child.stdout)]);
  const seconds = (performance.now() - started) / 1_000;
  clearInterval(timer);
  if (status !== 0) throw new Error(`Cannot measure ${script}: it ended with status ${status}`);
  const last = output.trim().split("\n").at(-1) ?? "null";
  const result = JSON.parse(last === "" ? "null" : last) as T;
  return { seconds, ...processes.totals(), result };
}

/** Kernel ticks in a second; 100 on every Linux. */
const TICKS = 100;

/** Reads CPU time and memory of a process and its children from /proc. */
function sampler(root: number) {
  const ticks = new Map<number, number>();
  let peakKilobytes = 0;
  return {
    sample(): void {
      for (const pid of family(root)) {
        const peak = /VmHWM:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0;
        peakKilobytes = Math.max(peakKilobytes, Number(peak));
        // The name, in brackets, may hold blanks; user and system time come eleven fields after it.
        const fields = read(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ") ?? [];
        ticks.set(
          pid,
          Math.max(ticks.get(pid) ?? 0, Number(fields[11] ?? 0) + Number(fields[12] ?? 0)),
        );
      }
    },
    totals: () => ({
      cpuSeconds:
        peakKilobytes === 0 ? null : ticks.values().reduce((sum, all) => sum + all, 0) / TICKS,
      peakMegabytes: peakKilobytes === 0 ? null : peakKilobytes / 1_024,
    }),
  };
}

/** A process and its descendants. */
function family(pid: number): number[] {
  const lists = globSync(`/proc/${pid}/task/*/children`).map(read);
  const children = lists.flatMap((list) => list.split(" ").filter((child) => child !== ""));
  return [pid, ...children.map(Number).flatMap(family)];
}

/** Empty for a process that has ended, and without /proc. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
