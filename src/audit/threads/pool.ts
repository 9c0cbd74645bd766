/**
 * The audit's worker threads. A task is made only when a thread is free, so a million pages never wait in memory; a
 * single task is done without a thread, since starting one takes longer.
 */
import { Tinypool } from "tinypool";
import { eachOf } from "../../contract/each-of.ts";
import type { ForeignFragment, PageToAudit } from "../page/rules.ts";
import type { Task, TaskResult, ThreadSetup } from "./messages.ts";
import { openReader } from "./reader.ts";

/** Enough to keep a thread from waiting, few enough to keep its memory small. */
const BATCH = 64;

export function pageTasks(pages: Iterable<PageToAudit>): Generator<Task> {
  return batches(pages, (some) => ({ kind: "pages", pages: some }));
}

export function fileTasks(files: Iterable<string>): Generator<Task> {
  return batches(files, (some) => ({ kind: "files", files: some }));
}

/** One by one: databases are large. */
export function otherTasks(folder: string, files: Iterable<string>): Generator<Task> {
  return batches(files, (some) => ({ kind: "others", folder, files: some }), 1);
}

/** By file, so that each is read once. */
export function fragmentTasks(wanted: ForeignFragment[]): Generator<Task> {
  wanted.sort((a, b) => (a.file < b.file ? -1 : 1));
  return batches(wanted, (some) => ({ kind: "fragments", fragments: some }));
}

function* batches<T>(
  items: Iterable<T>,
  task: (some: readonly T[]) => Task,
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
      filename: new URL("./thread.ts", import.meta.url).href,
      workerData: setup,
      resourceLimits: LIMITS,
      minThreads: 0,
      maxThreads: threads,
    });
  }

  /** Runs all tasks; results come in the order in which tasks end. */
  async run(tasks: Generator<Task>, take: (result: TaskResult) => void): Promise<void> {
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
      take((await this.#pool.run(task)) as TaskResult);
    });
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}
