/**
 * Threads that work through tasks, one for each core. A task is made only when a thread is free for it, so a million
 * pages never wait in memory.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Task, TaskResult, ThreadSetup } from "./messages.ts";

/** Pages are garbage as soon as they are read: a small heap is collected often and costs nothing in time. */
const LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 };

export class AuditPool {
  readonly #workers: readonly Worker[];

  constructor(setup: ThreadSetup, threads: number) {
    const script = new URL("./thread.ts", import.meta.url);
    this.#workers = Array.from(
      { length: threads },
      () => new Worker(script, { workerData: setup, resourceLimits: LIMITS }),
    );
  }

  /** Runs all tasks; the order of the results is that of their ends. */
  async run(tasks: Iterator<Task>, take: (result: TaskResult) => void): Promise<void> {
    await Promise.all(
      this.#workers.map(async (worker) => {
        for (let task = tasks.next(); task.done !== true; task = tasks.next()) {
          worker.postMessage(task.value);
          // A thread that throws emits `error`, which rejects here.
          const [result] = (await once(worker, "message")) as [TaskResult];
          take(result);
        }
      }),
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}
