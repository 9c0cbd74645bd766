/**
 * The progress display: a list of stages on a terminal, plain lines elsewhere. It writes to stderr; stdout is for results.
 *
 * Plain are one line for each stage at its end, and one each minute of a long stage.
 */
import { Listr, ListrLogger, ProcessOutput } from "listr2";
import { disarmCommands, printable } from "../util/text.ts";
import { progressLines, type ShowProgress } from "./progress.ts";

export interface Stage {
  readonly title: string;
  /** Called before the stage runs; a skipped stage is displayed as such. */
  readonly skip?: () => boolean;
  /** @param showProgress displays a line, which replaces the one before on a terminal */
  readonly run: (showProgress: ShowProgress) => Promise<void> | void;
}

/** Leaves out the reason of a failure: it is the last line of the command. */
class StageLogger extends ListrLogger {
  override log(...[level, message, options]: Parameters<ListrLogger["log"]>): void {
    super.log(level, message, level === "FAILED" ? undefined : options);
  }
}

/** Interval of plain progress lines. */
const PLAIN_LINE_EVERY_MS = 60_000;

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
  if (quiet || plain) {
    for (const stage of stages) await runPlainly(stage, took, quiet ? () => undefined : say);
    return;
  }
  const logger = new StageLogger({ processOutput: new ProcessOutput(process.stderr) });
  const list = new Listr(
    stages.map((stage) => ({
      title: stage.title,
      skip: stage.skip ?? false,
      task: (_context: unknown, task: { output: string | undefined }) => {
        const lineOf = progressLines(true);
        return timed(stage, took, (progress) => {
          task.output = safe(lineOf(progress));
        });
      },
    })),
    { rendererOptions: { logger, showErrorMessage: false }, registerSignalListeners: false },
  );
  await list.run();
}

const safe = (line: string): string => disarmCommands(printable(line));

const say = (line: string): void => void process.stderr.write(`${safe(line)}\n`);

async function timed(
  { title, run }: Stage,
  took: Record<string, number>,
  showProgress: ShowProgress,
): Promise<void> {
  const began = performance.now();
  try {
    await run(showProgress);
  } finally {
    took[title] = Math.round(performance.now() - began);
  }
}

async function runPlainly(
  stage: Stage,
  took: Record<string, number>,
  print: (line: string) => void,
): Promise<void> {
  const { title } = stage;
  if (stage.skip?.() === true) return print(`${title}: skipped`);
  const lineOf = progressLines(false);
  let latest = "at work";
  const timer = setInterval(() => print(`${title}: ${latest}`), PLAIN_LINE_EVERY_MS);
  let end = "failed after ";
  try {
    await timed(stage, took, (progress) => {
      latest = lineOf(progress);
    });
    end = "";
  } finally {
    clearInterval(timer);
    print(`${title}: ${end}${((took[title] ?? 0) / 1_000).toFixed(1)} s`);
  }
}
