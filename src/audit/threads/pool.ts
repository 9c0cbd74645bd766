/**
 * The audit's worker threads. A task is made only when a thread is free, so a million pages never wait in memory; a
 * single task is done without a thread, since starting one takes longer.
 */
import { Tinypool } from "tinypool";
import { eachOf } from "../../contract/work.ts";
import { openReader, type FileRead, type Task } from "./reader.ts";
import type { ThreadSetup } from "./site-files.ts";

/** Enough to keep a thread from waiting, few enough to keep its memory small. */
const BATCH = 256;

/** @param size items of a task */
export function* batches<T>(
  items: Iterable<T>,
  task: (items: readonly T[]) => Task,
  size = BATCH,
): Generator<Task> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield task(batch);
    batch = [];
  }
  if (batch.length > 0) yield task(batch);
}

/** Pages are garbage as soon as they are read: a small heap is collected often and costs nothing in time. */
const LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 };

export class AuditPool {
  readonly #pool: Tinypool;
  readonly #threads: number;
  readonly #setup: ThreadSetup;
  #reader: ReturnType<typeof openReader> | null = null;

  constructor(setup: ThreadSetup, threads: number) {
    this.#setup = setup;
    this.#threads = threads;
    this.#pool = new Tinypool({
      filename: new URL("./reader.ts", import.meta.url).href,
      workerData: setup,
      resourceLimits: LIMITS,
      minThreads: 0,
      // Between two kinds of tasks: a thread that starts again compiles its code again.
      idleTimeout: 60_000,
      maxThreads: threads,
    });
  }

  /** Runs all tasks; results come in the order in which tasks end. */
  async run(tasks: Generator<Task>, take: (files: FileRead[]) => void): Promise<void> {
    const [first, second] = [tasks.next(), tasks.next()];
    if (first.done === true) return;
    if (second.done === true) {
      this.#reader ??= openReader(this.#setup);
      return take(await this.#reader(first.value));
    }
    const all = (function* () {
      yield first.value;
      yield second.value;
      yield* tasks;
    })();
    await eachOf(all, this.#threads, async (task) => {
      take((await this.#pool.run(task)) as FileRead[]);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.destroy();
  }
}
