/** Plays one night: the program as CI runs it, at the hour of the night. */
import { fork, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { start, type Finished } from "../support/run/index.ts";
import type { Done, Order } from "./driver.ts";
import type { FaultProxy } from "./proxy.ts";

export interface BuildHow {
  readonly stateDir: string;
  readonly outDir: string;
  readonly budget: number;
  /** Milliseconds since the epoch. */
  readonly moment: number;
  readonly kill: "harvest" | "render" | null;
  readonly random: () => number;
}

function orderFor(proxy: FaultProxy, { stateDir, outDir, budget, moment }: BuildHow): Order {
  return {
    args: [
      ...["--base-url", proxy.url, "--state", stateDir, "--out", outDir],
      ...["--max-requests", String(budget), "--max-wait", "20"],
    ],
    // With a credential pages are rendered by a process of their own: Node keeps a bundle's modules, and these the plan.
    env: {
      ...{ SITE_NOW: new Date(moment).toISOString(), SITE_CARDS: "0", NO_COLOR: "1" },
      QUOTES_TOKEN: "token-of-the-nights",
    },
  };
}

/** Each stage starts a thread for each core, which so small a site does not need. Best effort: not every system can. */
function onOneCore({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  spawnSync("taskset", ["-cp", String(availableParallelism() - 1), String(pid)]);
}

/** `npm run build`, in a process of its own. */
export async function build(proxy: FaultProxy, how: BuildHow): Promise<Finished> {
  const { kill, random } = how;
  const { args, env } = orderFor(proxy, how);
  const { child, finished } = start("build", args, env);
  onOneCore(child);
  const end = (): void => void child.kill("SIGKILL");
  const last = 2 + Math.floor(random() * 4);
  proxy.onCall = (call) => {
    if (kill === "harvest" && call === last) end();
  };
  const delayMs = random() * 400;
  child.stderr?.on("data", (lines: Buffer) => {
    if (kill === "render" && lines.includes("Render")) setTimeout(end, delayMs);
  });
  return finished;
}

/** The same nights in one process. */
export class Driver {
  #child: ChildProcess | null = null;

  async build(proxy: FaultProxy, how: BuildHow): Promise<Finished> {
    proxy.onCall = () => undefined;
    if (this.#child === null) {
      this.#child = fork(join(import.meta.dirname, "driver.ts"), {
        execArgv: ["--disable-warning=ExperimentalWarning"],
        env: {
          PATH: process.env["PATH"],
          SITE_DIR: process.env["SITE_DIR"],
          TMPDIR: process.env["TMPDIR"],
          NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
        },
      });
      onOneCore(this.#child);
    }
    this.#child.send(orderFor(proxy, how));
    const [{ status, why }] = (await once(this.#child, "message")) as [Done];
    return { status, signal: null, stdout: "", stderr: why };
  }

  /** Resolves once it has let go of its files. */
  async close(): Promise<void> {
    if (this.#child === null) return;
    const ended = once(this.#child, "exit");
    if (this.#child.kill("SIGKILL")) await ended;
  }
}

export const lastLine = (stderr: string): string => stderr.trimEnd().split("\n").at(-1) ?? "";
