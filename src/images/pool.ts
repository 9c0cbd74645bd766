/**
 * Child processes for jobs that may not survive them: decoders and Pango are given what other people wrote.
 *
 * A child does one job at a time, so that a crash names its job, and inherits no environment: a decoder that was taken
 * over finds no token in it.
 */
import { availableParallelism } from "node:os";
import pLimit from "p-limit";
import { Tinypool } from "tinypool";

export class JobFailed extends Error {
  override readonly name = "JobFailed";
  /** The job was done and refused for this reason; null where the child died or had to be killed. */
  readonly reason: string | null;

  constructor(reason: string | null, message: string) {
    super(message);
    this.reason = reason;
  }
}

interface PoolOptions {
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

export type Pool<Job, Result> = ReturnType<typeof openPool<Job, Result>>;

export function openPool<Job, Result>({ entry, env, jobTimeoutMs, signal, ...more }: PoolOptions) {
  const lanes = more.lanes ?? Math.min(availableParallelism(), MOST_LANES);
  const limit = pLimit(lanes);
  let children: Tinypool | null = null;
  // A signal that was aborted before sends no event.
  let isClosed = signal?.aborted ?? false;
  signal?.addEventListener("abort", () => void close(), { once: true });

  /**
   * @throws {JobFailed} when the job itself says no, or the child crashed or hung over it
   * @throws {Error} when the job met a bug
   */
  function run(job: Job): Promise<Result> {
    // Counted here, since the time of a job begins when a child takes it.
    return limit(async () => {
      if (isClosed) throw new JobFailed(null, "it was dismissed");
      children ??= new Tinypool({
        runtime: "child_process",
        serialization: "advanced",
        filename: entry.href,
        env: { ...env },
        execArgv: NODE_OPTIONS,
        minThreads: lanes,
        maxThreads: lanes,
      });
      try {
        return (await children.run(job, { signal: AbortSignal.timeout(jobTimeoutMs) })) as Result;
      } catch (thrown) {
        // What a job threw comes as plain fields; an `Error` is of the pool: the child is gone.
        if (thrown instanceof Error) throw new JobFailed(null, thrown.message);
        const { reason, message, stack } = thrown as { reason?: unknown } & Error;
        if (typeof reason === "string") throw new JobFailed(reason, message);
        const bug = `Cannot do a job in a child process: ${stack ?? message}`;
        throw new Error(bug, { cause: thrown });
      }
    });
  }

  /** Ends every child; jobs in hand and waiting fail. */
  async function close(): Promise<void> {
    isClosed = true;
    // Nothing of the pool keeps the process running: a child that is slow to end would let it end here, with status 13.
    const alive = setInterval(() => undefined, 1_000);
    try {
      await children?.destroy();
    } finally {
      clearInterval(alive);
    }
  }

  return { run, close, [Symbol.asyncDispose]: close };
}
