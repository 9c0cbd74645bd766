/**
 * One child process and the jobs it has in hand. It may crash or hang: all of them fail then, and the child is dead.
 *
 * A child inherits no environment: a decoder that was taken over finds no token in it.
 */
import { type ChildProcess, fork } from "node:child_process";
import type { Answer, Outcome, Task } from "./messages.ts";

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

/** Little heap: pixels live outside of it. */
const NODE_OPTIONS = [
  "--disable-warning=ExperimentalWarning",
  "--max-old-space-size=128",
  "--max-semi-space-size=2",
];

/**
 * What a large picture took goes back to the system, and not to a list of the allocator's: glibc keeps blocks under its
 * thresholds. Other systems do not know these names.
 */
const ALLOCATOR = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "131072" };

export class Child {
  readonly #process: ChildProcess;
  readonly #jobTimeoutMs: number;
  readonly #pending = new Map<number, (outcome: Outcome | ChildFailed) => void>();
  #jobs = 0;
  #ended: ChildFailed | null = null;
  #retired = false;
  #rss = 0;

  constructor(options: ChildOptions) {
    this.#jobTimeoutMs = options.jobTimeoutMs;
    this.#process = fork(options.entry, {
      env: { ...ALLOCATOR, ...options.env },
      execArgv: NODE_OPTIONS,
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.#process.on("message", ({ id, outcome, rss }: Answer) => {
      this.#rss = rss;
      this.#pending.get(id)?.(outcome);
    });
    this.#process.on("error", (error) => this.#end(`it could not be used: ${error.message}`));
    this.#process.on("exit", (code, signal) => this.#end(`it ended with ${signal ?? code ?? "?"}`));
  }

  /** Whether it may be given more jobs. */
  get open(): boolean {
    return this.#ended === null && !this.#retired;
  }

  /** Memory it held at the end of its last job, in bytes. */
  get rss(): number {
    return this.#rss;
  }

  /** @returns what the job said; a `ChildFailed` when the child died or was killed meanwhile */
  async run(job: unknown): Promise<Outcome | ChildFailed> {
    if (this.#ended !== null) return this.#ended;
    const task: Task = { id: ++this.#jobs, job };
    const { promise, resolve } = Promise.withResolvers<Outcome | ChildFailed>();
    this.#pending.set(task.id, resolve);
    const timer = setTimeout(() => this.#end("a job hung"), this.#jobTimeoutMs);
    this.#process.send(task, (error) => {
      if (error !== null) this.#end(`it could not be told: ${error.message}`);
    });
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#pending.delete(task.id);
      if (this.#retired && this.#pending.size === 0) this.kill();
    }
  }

  /** Takes no more jobs, and ends when it has done those in hand. */
  retire(): void {
    this.#retired = true;
    if (this.#pending.size === 0) this.kill();
  }

  kill(): void {
    this.#end("it was dismissed");
  }

  #end(why: string): void {
    if (this.#ended !== null) return;
    this.#ended = new ChildFailed(why);
    this.#process.kill("SIGKILL");
    for (const settle of this.#pending.values()) settle(this.#ended);
  }
}
