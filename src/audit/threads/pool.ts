/** The audit's worker threads. A task is made only when a thread is free, so a million pages never wait in memory. */
import { Tinypool } from "tinypool";
import type { Task, TaskResult, ThreadSetup } from "./messages.ts";

/** Pages are garbage as soon as they are read: a small heap is collected often and costs nothing in time. */
const LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 };

export class AuditPool {
  readonly #pool: Tinypool;
  readonly #threads: number;

  constructor(setup: ThreadSetup, threads: number) {
    this.#threads = threads;
    this.#pool = new Tinypool({
      filename: new URL("./thread.ts", import.meta.url).href,
      workerData: setup,
      resourceLimits: LIMITS,
      minThreads: threads,
      maxThreads: threads,
    });
  }

  /** Runs all tasks; results come in the order in which tasks end. */
  async run(tasks: Iterator<Task>, take: (result: TaskResult) => void): Promise<void> {
    const work = async (): Promise<void> => {
      for (let task = tasks.next(); task.done !== true; task = tasks.next()) {
        take((await this.#pool.run(task.value)) as TaskResult);
      }
    };
    await Promise.all(Array.from({ length: this.#threads }, work));
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}
