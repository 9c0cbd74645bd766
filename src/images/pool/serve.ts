/**
 * The child's side: takes jobs, gives answers, and dies with its parent.
 *
 * It ends by SIGKILL, since an ordinary exit waits for threads, and those may be what hangs.
 */
import type { Answer, Outcome, Task } from "./messages.ts";

/** An error with a `reason` is the job's own refusal; any other is a bug and travels with its stack. */
export function serve(work: (job: never) => Promise<unknown>): void {
  process.on("message", (task: Task) => {
    void answer(work, task).then((message) => process.send?.(message));
  });
  process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
}

async function answer(work: (job: never) => Promise<unknown>, task: Task): Promise<Answer> {
  const outcome = await work(task.job as never).then(
    (value) => ({ ok: true, value }) as const,
    (error: unknown) => refusalOf(error),
  );
  return { id: task.id, outcome, rss: process.memoryUsage.rss() };
}

function refusalOf(error: unknown): Outcome {
  if (!(error instanceof Error)) return { ok: false, reason: null, message: String(error) };
  const reason = "reason" in error && typeof error.reason === "string" ? error.reason : null;
  return { ok: false, reason, message: reason === null ? (error.stack ?? "") : error.message };
}
