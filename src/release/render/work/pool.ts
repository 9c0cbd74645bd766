/** The threads that render, each with a queue of its own that is kept two batches long. */
import { Worker } from "node:worker_threads";
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

export interface PoolOptions extends ThreadData {
  /** The bundle's module that a thread runs: `thread.ts`, compiled. */
  readonly module: string;
  readonly threads: number;
  /** What `process.env` is in the threads. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onSlow: (component: string, reason: string) => void;
}

export class Pool {
  readonly #threads: Thread[] = [];
  readonly #most: number;
  readonly #start: () => Thread;
  #closed = false;
  #isHeldBack = false;

  constructor({ module, threads, env, onSlow, ...data }: PoolOptions) {
    this.#most = threads;
    this.#start = () =>
      new Thread(module, data, env, { onSlow, onReady: () => this.#startInAdvance() });
    this.#startNext();
  }

  /** One after another: starting is work, and the thread that makes the catalogue meanwhile is what everybody waits for. */
  #startNext(): void {
    if (this.#threads.length < this.#most && !this.#closed) this.#threads.push(this.#start());
  }

  #startInAdvance(): void {
    if (!this.#isHeldBack) this.#startNext();
  }

  /** Starts no further thread until there are pages for it: the processors are wanted for something else. */
  holdBack(): void {
    this.#isHeldBack = true;
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
    const wanted = Math.min(this.#most, Math.ceil(pages / WORTH_A_THREAD));
    while (this.#threads.length < wanted) this.#startNext();
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
    this.#closed = true;
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
    { onSlow, onReady }: Pick<PoolOptions, "onSlow"> & { readonly onReady: () => void },
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
      if (reply.type === "ready") onReady();
      else if (reply.type === "slow") onSlow(reply.component, reply.reason);
      else if (reply.type === "done") this.#asked.shift()?.resolve(reply.value);
      else this.#asked.shift()?.reject(reply.error);
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
