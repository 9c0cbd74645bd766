/**
 * The one progress display: a list of stages that people watch on a terminal, and plain lines everywhere else.
 *
 * It writes to stderr, so that stdout belongs to results.
 */
import { Listr, ListrLogger, ProcessOutput } from "listr2";
import { harmless, printable } from "../contract/text.ts";

export interface Stage {
  readonly title: string;
  /** Asked when its turn comes; a stage that is skipped is shown so. */
  readonly skip?: () => boolean;
  /** @param showProgress shows a line of progress, replacing the one before on a terminal */
  run(showProgress: (line: string) => void): Promise<void> | void;
}

/** Leaves out why a stage failed: that is the last line of the program, and is printed once. */
class StageLogger extends ListrLogger {
  override log(...[level, message, options]: Parameters<ListrLogger["log"]>): void {
    super.log(level, message, level === "FAILED" ? undefined : options);
  }
}

/** Plain progress lines come at most this often, so that a CI log stays readable. */
const PLAIN_LINE_EVERY_MS = 10_000;

/**
 * Runs stages in order; the first failure ends the list and is thrown as it was.
 *
 * @param took receives the milliseconds of each stage by its title, also of one that fails
 */
export async function runStages(
  stages: readonly Stage[],
  quiet: boolean,
  took: Record<string, number> = {},
): Promise<void> {
  const plain = !process.stderr.isTTY || "CI" in process.env || "NO_COLOR" in process.env;
  const logger = new StageLogger({ processOutput: new ProcessOutput(process.stderr) });
  const list = new Listr(
    stages.map((stage) => ({
      title: stage.title,
      skip: stage.skip ?? false,
      task: async (_context: unknown, task: { output: string | undefined }) => {
        const show = (line: string): void => void (task.output = harmless(printable(line)));
        const began = performance.now();
        try {
          await stage.run(throttled(show, plain ? PLAIN_LINE_EVERY_MS : 0));
        } finally {
          took[stage.title] = Math.round(performance.now() - began);
        }
      },
    })),
    quiet
      ? { renderer: "silent", registerSignalListeners: false }
      : {
          renderer: plain ? "simple" : "default",
          rendererOptions: { logger, showErrorMessage: false },
          registerSignalListeners: false,
        },
  );
  await list.run();
}

function throttled(show: (line: string) => void, everyMs: number): (line: string) => void {
  let last = -Infinity;
  return (line) => {
    const now = performance.now();
    if (now - last < everyMs) return;
    last = now;
    show(line);
  };
}
