/**
 * Child processes for jobs that may not survive them: decoders and Pango are given what other people wrote.
 *
 * A child does one job at a time, so that a crash names its job, and inherits no environment: a decoder that was taken
 * over finds no token in it.
 */
import { availableParallelism } from "node:os";
import pLimit from "p-limit";
import { Tinypool } from "tinypool";

/** The child died or had to be killed. */
export class ChildFailed extends Error {
  override readonly name = "ChildFailed";
}

/** The job was done and refused; `reason` is that of the error that the job threw. */
export class JobRefused extends Error {
  override readonly name = "JobRefused";
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

export interface PoolOptions {
  /** Module whose default export does a job. */
  readonly entry: URL;
  readonly env?: Readonly<Record<string, string>>;
  /** Jobs at a time; default one a core, 4 at most: more gain little and take memory. */
  readonly lanes?: number | undefined;
  /** A job that takes longer has hung, in milliseconds. */
  readonly jobTimeoutMs: number;
  /** Closes the pool. */
  readonly signal?: AbortSignal;
}

const MOST_LANES = 4;

/** Little heap: pixels live outside of it. */
const NODE_OPTIONS = [
  "--disable-warning=ExperimentalWarning",
  "--max-old-space-size=128",
  "--max-semi-space-size=2",
];

export class Pool<Job, Result> {
  readonly #options: PoolOptions;
  readonly #lanes: number;
  readonly #limit: ReturnType<typeof pLimit>;
  #children: Tinypool | null = null;
  #closed: boolean;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#lanes = options.lanes ?? Math.min(availableParallelism(), MOST_LANES);
    this.#limit = pLimit(this.#lanes);
    // A signal that was aborted before sends no event.
    this.#closed = options.signal?.aborted ?? false;
    options.signal?.addEventListener("abort", () => void this.close(), { once: true });
  }

  /**
   * @throws {JobRefused} when the job itself says no
   * @throws {ChildFailed} when the child crashed or hung over it
   * @throws {Error} when the job met a bug
   */
  async run(job: Job): Promise<Result> {
    // Counted here, since the time of a job begins when a child takes it.
    return this.#limit(async () => {
      if (this.#closed) throw new ChildFailed("it was dismissed");
      this.#children ??= this.#start();
      const signal = AbortSignal.timeout(this.#options.jobTimeoutMs);
      try {
        return (await this.#children.run(job, { signal })) as Result;
      } catch (error) {
        throw failureOf(error);
      }
    });
  }

  /** Ends every child; jobs in hand and waiting fail. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#children?.destroy();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #start(): Tinypool {
    return new Tinypool({
      runtime: "child_process",
      serialization: "advanced",
      filename: this.#options.entry.href,
      env: { ...this.#options.env },
      execArgv: NODE_OPTIONS,
      minThreads: this.#lanes,
      maxThreads: this.#lanes,
    });
  }
}

/** What a job threw comes as plain fields; an `Error` is of the pool: the child is gone. */
function failureOf(thrown: unknown): Error {
  if (thrown instanceof Error) return new ChildFailed(thrown.message, { cause: thrown });
  const { reason, message, stack } = thrown as { reason?: unknown } & Error;
  return typeof reason === "string"
    ? new JobRefused(reason, message)
    : new Error(`Cannot do a job in a child process: ${stack ?? message}`);
}
