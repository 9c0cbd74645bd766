/**
 * Renders in a process that never had the credential: a theme is code of its own, and could read it in the memory of the
 * process that harvests.
 *
 * Without a credential there is nothing to keep from it, and no second process.
 */
import { fork, type ChildProcess } from "node:child_process";
import { errorOf, failureOf, type Failure } from "../contract/errors.ts";
import type { RenderReport } from "../render/rendering.ts";
import type { Settings } from "../settings/settings.ts";
import { renderFromSnapshot, type RenderHow } from "./render-site.ts";

/** What the process is sent: settings without the credential, and the clock as a moment. */
export interface RenderOrder {
  readonly settings: Omit<Settings, "now">;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What it answers. */
export type RenderAnswer =
  | { readonly kind: "progress"; readonly line: string }
  | { readonly kind: "done"; readonly report: RenderReport }
  | { readonly kind: "failed"; readonly failure: Failure };

/**
 * Renders every page that differs from what lies in the output folder.
 *
 * @throws what `renderFromSnapshot` throws, and the reason of `signal`
 */
export async function renderApart(settings: Settings, how: RenderHow): Promise<RenderReport> {
  if (settings.secrets.length === 0) return renderFromSnapshot(settings, how);
  return renderInChild(settings, how);
}

/** The same in a process of its own, whatever the settings. */
export async function renderInChild(settings: Settings, how: RenderHow): Promise<RenderReport> {
  const { signal, showProgress } = how;
  signal.throwIfAborted();
  const child = fork(new URL("./render-process.ts", import.meta.url), {
    execArgv: ["--disable-warning=ExperimentalWarning"],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  child.stderr?.on("data", (piece: Buffer) => process.stderr.write(piece));
  const stop = (): void => void child.kill("SIGTERM");
  signal.addEventListener("abort", stop, { once: true });
  try {
    const answer = await answerOf(child, orderOf(settings), showProgress);
    signal.throwIfAborted();
    if (answer.kind === "done") return answer.report;
    throw errorOf(answer.failure);
  } finally {
    signal.removeEventListener("abort", stop);
    child.kill("SIGKILL");
  }
}

function orderOf({ now, ...settings }: Settings): RenderOrder {
  return {
    settings: { ...settings, service: { ...settings.service, token: null }, secrets: [] },
    now: now(),
  };
}

type Ended = Exclude<RenderAnswer, { readonly kind: "progress" }>;

function answerOf(
  child: ChildProcess,
  order: RenderOrder,
  showProgress: (line: string) => void,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    child.on("message", (answer: RenderAnswer) => {
      if (answer.kind === "progress") showProgress(answer.line);
      else resolve(answer);
    });
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      const why = `Cannot render: the process ended with ${signal ?? code ?? "nothing"}`;
      resolve({ kind: "failed", failure: failureOf(why) });
    });
    child.send(order);
  });
}
