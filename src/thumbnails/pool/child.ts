/**
 * One child process and the one job it has in hand. It may crash or hang: the job then fails, and the child is dead.
 *
 * A child inherits no environment: a decoder that was taken over finds no token in it.
 */
import { type ChildProcess, fork } from "node:child_process";
import type { Answer, Task } from "./messages.ts";

/** The child died or had to be killed. */
export class ChildFailed extends Error {
  override readonly name = "ChildFailed";
}

export interface ChildOptions {
  /** Module that calls `serve`. */
  readonly entry: URL;
  readonly env: Readonly<Record<string, string>>;
  /** A job that takes longer has hung, in milliseconds. */
  readonly jobTimeoutMs: number;
}

interface Pending {
  readonly id: number;
  readonly settle: (outcome: Answer["outcome"] | ChildFailed) => void;
}

/** Little heap: pixels live outside of it. */
const NODE_OPTIONS = [
  "--disable-warning=ExperimentalWarning",
  "--max-old-space-size=128",
  "--max-semi-space-size=2",
];

export class Child {
  readonly #process: ChildProcess;
  readonly #jobTimeoutMs: number;
  #pending: Pending | null = null;
  #jobs = 0;
  #alive = true;
  #rss = 0;

  constructor(options: ChildOptions) {
    this.#jobTimeoutMs = options.jobTimeoutMs;
    this.#process = fork(options.entry, {
      env: { ...options.env },
      execArgv: NODE_OPTIONS,
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.#process.on("message", (answer: Answer) => {
      this.#rss = answer.rss;
      if (this.#pending?.id === answer.id) this.#pending.settle(answer.outcome);
    });
    this.#process.on("error", (error) => this.#end(`it could not be used: ${error.message}`));
    this.#process.on("exit", (code, signal) => this.#end(`it ended with ${signal ?? code ?? "?"}`));
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Memory it held at the end of its last job, in bytes. */
  get rss(): number {
    return this.#rss;
  }

  /** @returns what the job said; a `ChildFailed` when the child died or was killed over it */
  async run(job: unknown): Promise<Answer["outcome"] | ChildFailed> {
    const task: Task = { id: ++this.#jobs, job };
    const { promise, resolve } = Promise.withResolvers<Answer["outcome"] | ChildFailed>();
    this.#pending = { id: task.id, settle: resolve };
    const timer = setTimeout(() => this.#end("it hung"), this.#jobTimeoutMs);
    if (this.#alive) {
      this.#process.send(task, (error) => {
        if (error !== null) this.#end(`it could not be told: ${error.message}`);
      });
    } else resolve(new ChildFailed("it had ended"));
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#pending = null;
    }
  }

  kill(): void {
    this.#end("it was dismissed");
  }

  #end(why: string): void {
    if (!this.#alive) return;
    this.#alive = false;
    this.#process.kill("SIGKILL");
    this.#pending?.settle(new ChildFailed(why));
  }
}
