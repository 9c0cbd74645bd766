/** The threads that render, each with a queue of its own that is kept two batches long. */
import { Worker } from "node:worker_threads";
import { errorOf } from "./failure.ts";
import type { RoutePages } from "../inside/types.ts";
import type {
  Answers,
  Batch,
  BatchDone,
  Reply,
  Request,
  Resources,
  ThreadData,
} from "./messages.ts";

/** So that a thread never waits for the next batch while it has none. */
const BATCHES_AHEAD = 2;

/** For fewer pages, another thread would still be importing the bundle when they are done. */
const WORTH_A_THREAD = 256;

/**
 * A page is small and soon forgotten: with the default, each thread keeps 150 MB of what it threw away, and is no faster.
 */
const HEAP = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 };

export interface PoolOptions extends Omit<ThreadData, "turn" | "place"> {
  /** The bundle's module that a thread runs: `gate.ts`, compiled. */
  readonly module: string;
  /** Threads to start now; the others start when there are pages for them. */
  readonly atOnce: number;
  readonly threads: number;
  /** What `process.env` is in the threads. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onSlow: (component: string, reason: string) => void;
}

export class Pool {
  readonly #threads: Thread[] = [];
  readonly #most: number;
  readonly #start: (place: number) => Thread;

  constructor({ module, atOnce, threads, env, onSlow, ...shared }: PoolOptions) {
    const turn = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    this.#most = threads;
    this.#start = (place) => new Thread(module, { ...shared, turn, place }, env, onSlow);
    this.#startUpTo(atOnce);
  }

  #startUpTo(count: number): void {
    while (this.#threads.length < Math.min(count, this.#most)) {
      this.#threads.push(this.#start(this.#threads.length));
    }
  }

  /** Lists all pages, on the first thread. */
  list(): Promise<RoutePages[]> {
    const [first] = this.#threads;
    if (first === undefined) throw new Error("Cannot list the pages: there is no thread");
    return first.ask<"list">({ type: "list" });
  }

  /**
   * Renders batches as they come, on all threads.
   *
   * @param fill whether to make all fragments first, each thread its part
   * @param pages how many are to be rendered
   * @param onDone told of each batch, in no order
   */
  async render<B extends Batch>(
    { fill, pages, ...shared }: Omit<Resources, "fill"> & Work,
    batches: Iterator<B>,
    onDone: (batch: B, done: BatchDone) => void,
  ): Promise<void> {
    const feed = async (thread: Thread): Promise<void> => {
      for (let next = batches.next(); next.done !== true; next = batches.next()) {
        const { route, paths, files, props, mtimes, digestsBefore } = next.value;
        const batch = { route, paths, files, props, mtimes, digestsBefore };
        onDone(next.value, await thread.ask<"render">({ type: "render", batch }));
      }
    };
    this.#startUpTo(Math.ceil(pages / WORTH_A_THREAD));
    await Promise.all(
      this.#threads.map(async (thread, place) => {
        const part = { index: place + 1, count: this.#threads.length };
        const resources = { ...shared, fill: fill ? part : null };
        await thread.ask<"open">({ type: "open", resources });
        await Promise.all(Array.from({ length: BATCHES_AHEAD }, () => feed(thread)));
      }),
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}

interface Work {
  readonly fill: boolean;
  readonly pages: number;
}

interface Asked {
  readonly resolve: (value: Answers[keyof Answers]) => void;
  readonly reject: (error: unknown) => void;
}

class Thread {
  readonly #worker: Worker;
  readonly #asked: Asked[] = [];
  #failure: Error | undefined;

  constructor(
    module: string,
    data: ThreadData,
    env: PoolOptions["env"],
    onSlow: PoolOptions["onSlow"],
  ) {
    this.#worker = new Worker(module, {
      workerData: data,
      env: { ...env },
      argv: [],
      // Not what the command was started with: what is imported before it would cost each thread a compiler of TypeScript.
      execArgv: ["--disable-warning=ExperimentalWarning"],
      resourceLimits: HEAP,
    });
    this.#worker.on("message", (reply: Reply) => {
      if (reply.type === "slow") onSlow(reply.component, reply.reason);
      else if (reply.type === "done") this.#asked.shift()?.resolve(reply.value);
      else this.#asked.shift()?.reject(errorOf(reply));
    });
    this.#worker.on("error", (error: Error) => this.#fail(error));
    this.#worker.on("exit", () => this.#fail(new Error("Cannot render: a thread ended")));
  }

  async ask<Type extends Request["type"]>(
    request: Request & { type: Type },
  ): Promise<Answers[Type]> {
    if (this.#failure !== undefined) throw this.#failure;
    return new Promise<Answers[Type]>((resolve, reject) => {
      this.#asked.push({ resolve: (value) => resolve(value as Answers[Type]), reject });
      this.#worker.postMessage(request);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#asked.splice(0)) reject(error);
  }
}
