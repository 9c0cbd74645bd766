/**
 * The audit's worker threads. A task is made only when a thread is free, so a million pages never wait in memory; a
 * single task is done without a thread, since starting one takes longer.
 */
import { availableParallelism } from "node:os";
import { Tinypool } from "tinypool";
import { eachOf } from "../../contract/work.ts";
import {
  Reader,
  type FileRead,
  type Items,
  type Task,
  type TaskKind,
  type ThreadSetup,
} from "./reader.ts";

const THREADS = availableParallelism();

/** Files of a task: enough to keep a thread from waiting, few enough to keep its memory small. */
const BATCH = 256;

/** Pages are garbage as soon as they are read: a small heap is collected often and costs nothing in time. */
const LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 };

export class AuditPool {
  readonly #pool: Tinypool;
  /** Reads what needs no thread. */
  readonly #reader: Reader;

  constructor(setup: ThreadSetup) {
    this.#reader = new Reader(setup);
    this.#pool = new Tinypool({
      filename: new URL("./reader.ts", import.meta.url).href,
      workerData: setup,
      resourceLimits: LIMITS,
      minThreads: 0,
      // Between two kinds of tasks: a thread that starts again compiles its code again.
      idleTimeout: 60_000,
      maxThreads: THREADS,
    });
  }

  /** Reads all files of a kind; results come in the order in which tasks end. */
  async read<Kind extends TaskKind>(
    kind: Kind,
    items: Iterable<Items[Kind]>,
    take: (files: FileRead[]) => void,
  ): Promise<void> {
    const tasks = tasksOf(kind, items);
    const [first, second] = [tasks.next(), tasks.next()];
    if (first.done === true) return;
    if (second.done === true) return take(await this.#reader.read(first.value));
    const all = (function* () {
      yield first.value;
      yield second.value;
      yield* tasks;
    })();
    await eachOf(all, THREADS, async (task) => {
      take((await this.#pool.run(task)) as FileRead[]);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.destroy();
  }
}

function* tasksOf<Kind extends TaskKind>(
  kind: Kind,
  files: Iterable<Items[Kind]>,
): Generator<Task> {
  // The databases of the state folder are large.
  const size = kind === "state" ? 1 : BATCH;
  let items: Items[Kind][] = [];
  for (const file of files) {
    items.push(file);
    if (items.length < size) continue;
    yield { kind, items } as Task;
    items = [];
  }
  if (items.length > 0) yield { kind, items } as Task;
}
