/**
 * The progress display: a list of stages on a terminal, plain lines elsewhere. It writes to stderr; stdout is for results.
 */
import { Listr, ListrLogger, ProcessOutput } from "listr2";
import { disarmCommands, printable } from "../util/text.ts";

export interface Stage {
  readonly title: string;
  /** Called before the stage runs; a skipped stage is displayed as such. */
  readonly skip?: () => boolean;
  /** @param showProgress displays a line, which replaces the one before on a terminal */
  readonly run: (showProgress: (line: string) => void) => Promise<void> | void;
}

/** Leaves out the reason of a failure: it is the last line of the command. */
class StageLogger extends ListrLogger {
  override log(...[level, message, options]: Parameters<ListrLogger["log"]>): void {
    super.log(level, message, level === "FAILED" ? undefined : options);
  }
}

/** Interval of plain progress lines. */
const PLAIN_LINE_EVERY_MS = 10_000;

/**
 * Runs stages in order; the first failure ends the list and is thrown unchanged.
 *
 * @param took receives the milliseconds of each stage by its title, including a failed one
 */
export async function runStages(
  stages: readonly Stage[],
  quiet: boolean,
  took: Record<string, number> = {},
): Promise<void> {
  const plain = !process.stderr.isTTY || "CI" in process.env || "NO_COLOR" in process.env;
  const logger = new StageLogger({ processOutput: new ProcessOutput(process.stderr) });
  const list = new Listr(
    stages.map(({ title, skip = false, run }) => ({
      title,
      skip,
      task: async (_context: unknown, task: { output: string | undefined }) => {
        const began = performance.now();
        let shown = -Infinity;
        const showProgress = (line: string): void => {
          if (plain && performance.now() - shown < PLAIN_LINE_EVERY_MS) return;
          shown = performance.now();
          task.output = disarmCommands(printable(line));
        };
        try {
          await run(showProgress);
        } finally {
          took[title] = Math.round(performance.now() - began);
        }
      },
    })),
    {
      renderer: quiet ? "silent" : plain ? "simple" : "default",
      rendererOptions: { logger, showErrorMessage: false },
      registerSignalListeners: false,
    },
  );
  await list.run();
}
