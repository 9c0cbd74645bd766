/**
 * Child processes for jobs that may crash them: decoders and Pango read untrusted input.
 *
 * A child does one job at a time, so that a crash names its job. It inherits no environment: code that an attacker injects finds
 * no token there.
 */
import { availableParallelism } from "node:os";
import pLimit from "p-limit";
import { Tinypool } from "tinypool";

export class JobFailed extends Error {
  override readonly name = "JobFailed";
  /** Reason of the error that the job threw; null where the child crashed or was killed. */
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
  /** Concurrent jobs; default one per core, at most 4: more gain little and take memory. */
  readonly lanes?: number | undefined;
  /** The child of a longer job is killed. */
  readonly jobTimeoutMs: number;
  readonly signal?: AbortSignal;
}

const MOST_LANES = 4;

/** A small heap: pixels are outside of it. */
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
  // A signal that is already aborted sends no event.
  let isClosed = signal?.aborted ?? false;
  signal?.addEventListener("abort", () => void close(), { once: true });

  /**
   * @throws {JobFailed} when the job throws an error with a reason, or the child crashes or hangs
   * @throws {Error} for any other error of the job
   */
  function run(job: Job): Promise<Result> {
    // Tinypool's own queue would count against the timeout of a job.
    return limit(async () => {
      if (isClosed) throw new JobFailed(null, "the pool is closed");
      children ??= start();
      try {
        return (await children.run(job, { signal: AbortSignal.timeout(jobTimeoutMs) })) as Result;
      } catch (thrown) {
        // An error of the job arrives as a plain object; an `Error` means that the child is gone.
        if (thrown instanceof Error) throw new JobFailed(null, thrown.message);
        const { reason, message, stack } = thrown as { reason?: unknown } & Error;
        if (typeof reason === "string") throw new JobFailed(reason, message);
        const bug = `Cannot do a job in a child process: ${stack ?? message}`;
        throw new Error(bug, { cause: thrown });
      }
    });
  }

  function start(): Tinypool {
    const pool = new Tinypool({
      runtime: "child_process",
      serialization: "advanced",
      filename: entry.href,
      env: { ...env },
      execArgv: NODE_OPTIONS,
      minThreads: lanes,
      maxThreads: lanes,
    });
    // A child that dies without a job, such as one that cannot start, does not end the run.
    pool.on("error", () => undefined);
    return pool;
  }

  /** Ends every child; running and waiting jobs fail. */
  async function close(): Promise<void> {
    isClosed = true;
    // The pool does not keep the process alive: while a child is slow to end, the process would exit with status 13.
    const alive = setInterval(() => undefined, 1_000);
    try {
      await children?.destroy();
    } finally {
      clearInterval(alive);
    }
  }

  return { run, close, [Symbol.asyncDispose]: close };
}
