/**
 * The audit's worker threads. A task is made only when a thread is free, so a million pages never wait in memory; a
 * single task is done without a thread, since starting one takes longer.
 */
import { availableParallelism } from "node:os";
import { Tinypool } from "tinypool";
import { eachOf } from "../../contract/work.ts";
import { Reader, type FileRead, type Item, type Kind, type ThreadSetup } from "./reader.ts";

const THREADS = availableParallelism();

/** Files of a task: enough to keep a thread from waiting, few enough to keep its memory small. */
const BATCH = 256;

export class AuditPool {
  readonly #pool: Tinypool;
  /** Reads what needs no thread. */
  readonly #reader: Reader;

  constructor(setup: ThreadSetup) {
    this.#reader = new Reader(setup);
    this.#pool = new Tinypool({
      filename: new URL("./reader.ts", import.meta.url).href,
      workerData: setup,
      // Pages are garbage as soon as they are read: a small heap is collected often and costs nothing in time.
      resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 },
      minThreads: 0,
      // Between two kinds of tasks: a thread that starts again compiles its code again.
      idleTimeout: 60_000,
      maxThreads: THREADS,
    });
  }

  /** Reads all items of a kind; results come in the order in which tasks end. */
  async read<K extends Kind>(
    kind: K,
    items: Iterable<Item<K>>,
    take: (files: FileRead[]) => void,
  ): Promise<void> {
    // The databases of the state folder are large.
    const batches = batchesOf(items, kind === "state" ? 1 : BATCH);
    await eachOf(batches, THREADS, async ({ batch, isOnly }) => {
      const task = { kind, items: batch };
      take(
        isOnly ? await this.#reader.readAll(task) : ((await this.#pool.run(task)) as FileRead[]),
      );
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.destroy();
  }
}

function* batchesOf<T>(
  items: Iterable<T>,
  size: number,
): Generator<{ readonly batch: readonly T[]; readonly isOnly: boolean }> {
  let batch: T[] = [];
  let isOnly = true;
  for (const item of items) {
    if (batch.length === size) {
      isOnly = false;
      yield { batch, isOnly };
      batch = [];
    }
    batch.push(item);
  }
  if (batch.length > 0) yield { batch, isOnly };
}
