/** Runs a program and measures it: wall time, processor time and the memory of its largest process. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
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
  const sampler = new Sampler(child.pid ?? 0);
  const timer = setInterval(() => sampler.sample(), SAMPLE_EVERY_MS);
  const exit = once(child, "exit") as Promise<[number | null]>;
  const [[status], output] = await Promise.all([exit, text(child.stdout)]);
  const seconds = (performance.now() - started) / 1_000;
  clearInterval(timer);
  if (status !== 0) throw new Error(`Cannot measure ${script}: it ended with status ${status}`);
  const last = output.trim().split("\n").at(-1) ?? "null";
  const { cpuSeconds, peakMegabytes } = sampler;
  return {
    seconds,
    cpuSeconds,
    peakMegabytes,
    result: JSON.parse(last === "" ? "null" : last) as T,
  };
}

/** Kernel ticks in a second; 100 on every Linux there is. */
const TICKS = 100;

/** Reads CPU time and memory of a process and its children from /proc. */
class Sampler {
  readonly #root: number;
  readonly #ticks = new Map<number, number>();
  #peak = 0;

  constructor(root: number) {
    this.#root = root;
  }

  get peakMegabytes(): number | null {
    return this.#peak === 0 ? null : this.#peak / 1_024;
  }

  get cpuSeconds(): number | null {
    if (this.#ticks.size === 0) return null;
    return [...this.#ticks.values()].reduce((sum, ticks) => sum + ticks, 0) / TICKS;
  }

  sample(): void {
    for (const pid of family(this.#root)) {
      const peak = /VmHWM:\s+(\d+)/.exec(read(pid, "status"))?.[1];
      this.#peak = Math.max(this.#peak, Number(peak ?? 0));
      // The name, in brackets, may hold blanks; user and system time come eleven fields after it.
      const fields = read(pid, "stat").split(") ").at(-1)?.split(" ") ?? [];
      const ticks = Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
      if (ticks > 0) this.#ticks.set(pid, ticks);
    }
  }
}

function family(pid: number): number[] {
  let threads: string[];
  try {
    threads = readdirSync(`/proc/${pid}/task`);
  } catch (error) {
    // The process has ended, or this system has no /proc.
    if (error instanceof Error) return [];
    throw error;
  }
  const children = threads.flatMap((thread) =>
    read(pid, `task/${thread}/children`).split(" ").filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(family)];
}

function read(pid: number, what: string): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, "utf8");
  } catch (error) {
    if (error instanceof Error) return "";
    throw error;
  }
}
