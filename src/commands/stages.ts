/**
 * The one progress display: a list of stages that people watch on a terminal, and plain lines everywhere else.
 *
 * It writes to stderr, so that stdout belongs to results.
 */
import { Listr, ListrLogger, ProcessOutput } from "listr2";

export interface Stage {
  readonly title: string;
  /** @param say shows a line of progress, replacing the one before on a terminal */
  run(say: (line: string) => void): Promise<void>;
}

/** Plain progress lines come at most this often, so that a CI log stays readable. */
const PLAIN_LINE_EVERY_MS = 10_000;

/** Runs stages in order; the first failure ends the list and is thrown as it was. */
export async function runStages(stages: readonly Stage[], quiet: boolean): Promise<void> {
  const plain = !process.stderr.isTTY || "CI" in process.env || "NO_COLOR" in process.env;
  const logger = new ListrLogger({ processOutput: new ProcessOutput(process.stderr) });
  const list = new Listr(
    stages.map((stage) => ({
      title: stage.title,
      task: (_context: unknown, task: { output: string | undefined }) =>
        stage.run(throttled((line) => (task.output = line), plain ? PLAIN_LINE_EVERY_MS : 0)),
    })),
    quiet
      ? { renderer: "silent", registerSignalListeners: false }
      : {
          renderer: plain ? "simple" : "default",
          rendererOptions: { logger },
          registerSignalListeners: false,
        },
  );
  await list.run();
}

function throttled(say: (line: string) => void, everyMs: number): (line: string) => void {
  let last = -Infinity;
  return (line) => {
    const now = performance.now();
    if (now - last < everyMs) return;
    last = now;
    say(line);
  };
}
