/**
 * A few child processes and the jobs that wait for them. Children start when there is work and are replaced when they
 * die, so a job that kills its child costs the others nothing but the start of a new one.
 */
import { Child, ChildFailed, type ChildOptions } from "./child.ts";

export interface PoolOptions extends ChildOptions {
  /** Children at most. */
  readonly size: number;
  /** A child that holds more memory after a job is replaced, in bytes: allocators keep what a large picture took. */
  readonly maxRss: number;
}

/** The job was done and refused; `reason` is the word the child gave. */
export class JobRefused extends Error {
  override readonly name = "JobRefused";
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

export class Pool<Job, Result> {
  readonly #options: PoolOptions;
  readonly #idle: Child[] = [];
  readonly #all = new Set<Child>();
  readonly #waiting: (() => void)[] = [];
  #busy = 0;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /**
   * @throws {JobRefused} when the job itself says no
   * @throws {ChildFailed} when the child crashed or hung over it
   * @throws {Error} when the child met a bug
   */
  async run(job: Job): Promise<Result> {
    while (this.#busy >= this.#options.size && !this.#closed) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    if (this.#closed) throw new ChildFailed("it was dismissed");
    this.#busy++;
    const child = this.#take();
    try {
      const outcome = await child.run(job);
      if (outcome instanceof ChildFailed) throw outcome;
      if (outcome.ok) return outcome.value as Result;
      if (outcome.reason !== null) throw new JobRefused(outcome.reason, outcome.message);
      throw new Error(`Cannot do a job in a child process: ${outcome.message}`);
    } finally {
      this.#busy--;
      this.#giveBack(child);
      this.#waiting.shift()?.();
    }
  }

  /** Ends every child; jobs in hand and waiting fail. */
  close(): void {
    this.#closed = true;
    for (const child of this.#all) child.kill();
    this.#all.clear();
    this.#idle.length = 0;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #take(): Child {
    for (let child = this.#idle.pop(); child !== undefined; child = this.#idle.pop()) {
      if (child.alive) return child;
      this.#all.delete(child);
    }
    const child = new Child(this.#options);
    this.#all.add(child);
    return child;
  }

  #giveBack(child: Child): void {
    if (child.alive && child.rss <= this.#options.maxRss) this.#idle.push(child);
    else {
      child.kill();
      this.#all.delete(child);
    }
  }
}
