/** A child process with a few jobs at a time, replaced when it dies, and the jobs that wait for a place in it. */
import { Child, ChildFailed, type ChildOptions } from "./child.ts";
import type { Outcome } from "./messages.ts";

export interface TeamOptions extends ChildOptions {
  /** Jobs at a time. */
  readonly lanes: number;
  /** A child that holds more memory after a job is replaced, in bytes; its other jobs may be in the middle of theirs. */
  readonly maxRss: number;
}

export class Team {
  readonly #options: TeamOptions;
  readonly #waiting: (() => void)[] = [];
  #child: Child | null = null;
  #busy = 0;
  #closed = false;

  constructor(options: TeamOptions) {
    this.#options = options;
  }

  async run(job: unknown): Promise<Outcome | ChildFailed> {
    while (this.#busy >= this.#options.lanes && !this.#closed) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    if (this.#closed) return new ChildFailed("it was dismissed");
    this.#busy++;
    if (this.#child?.open !== true) this.#child = new Child(this.#options);
    const child = this.#child;
    try {
      return await child.run(job);
    } finally {
      this.#busy--;
      if (child.rss > this.#options.maxRss) child.retire();
      this.#waiting.shift()?.();
    }
  }

  /** Ends the child; jobs in hand and waiting fail. */
  close(): void {
    this.#closed = true;
    this.#child?.kill();
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
