/** Plays one night: the program as CI runs it, at the hour of the night. */
import { keepOnOneCore, run, start, type Finished } from "../support/run/index.ts";
import type { FaultProxy } from "./proxy.ts";

export interface BuildHow {
  readonly stateDir: string;
  readonly outDir: string;
  readonly budget: number;
  /** Milliseconds since the epoch. */
  readonly moment: number;
  /** In a process that builds other nights too. */
  readonly shared: boolean;
  readonly kill: "harvest" | "render" | null;
  readonly random: () => number;
}

/** `npm run build` */
export async function build(proxy: FaultProxy, how: BuildHow): Promise<Finished> {
  const { stateDir, outDir, budget, moment, kill, random, shared } = how;
  const args = [
    ...["--base-url", proxy.url, "--state", stateDir, "--out", outDir],
    ...["--max-requests", String(budget), "--max-wait", "20"],
  ];
  const env = { SITE_NOW: new Date(moment).toISOString(), SITE_CARDS: "0", NO_COLOR: "1" };
  proxy.onCall = () => undefined;
  if (shared) return run("build", args, env);
  // With a credential pages are rendered by a process of their own.
  const { child, finished } = start("build", args, { ...env, QUOTES_TOKEN: "token-of-the-nights" });
  keepOnOneCore(child);
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

export const lastLine = (stderr: string): string => stderr.trimEnd().split("\n").at(-1) ?? "";
