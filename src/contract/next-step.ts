/**
 * What an exit status means and what to do about it: one table, for the last line of a terminal and for the report of a run.
 *
 * A failure names its own cause, so a step here is what it cannot know by itself.
 */
import { EXIT } from "./errors.ts";

/** What each exit status says, in half a line. */
export const STATUS_MEANING: Readonly<Record<number, string>> = {
  [EXIT.done]: "done",
  [EXIT.bug]: "a bug; the stack is printed",
  [EXIT.usage]: "the command line is wrong, or what the command reads is not there yet",
  [EXIT.refused]: "refused to publish: the audit, the shrink guard or a limit of the host",
  [EXIT.unavailable]: "the service gave no usable answer, after retries",
  [EXIT.disk]: "a file could not be read or written",
  [EXIT.stopped]: "stopped early with progress kept: quota, wait budget or another run",
  [EXIT.configuration]: "a setting is wrong, or the service refuses the credential",
  130: "stopped by SIGINT (Ctrl-C), progress kept",
  143: "stopped by SIGTERM, progress kept",
};

/** A clause each, to follow the message of a failure. None for a bug, which shows its stack, nor for a wrong command line. */
const NEXT_STEP: Readonly<Record<number, string>> = {
  [EXIT.refused]: "publish nothing of this run, the last site stays",
  [EXIT.unavailable]: "the last site stays, the next run tries again",
  [EXIT.disk]: "look at the disk, then run it again",
  [EXIT.stopped]: "the next run goes on from here",
  [EXIT.configuration]: "mend it, then run it again",
  130: "the next run goes on from here",
  143: "the next run goes on from here",
};

/** Additions for a report, which is read the morning after and by people who did not start the run. */
const IN_A_REPORT: Readonly<Record<number, string>> = {
  [EXIT.bug]: "This is a bug: report it with the lines above.",
  [EXIT.usage]: "Run first what the message names, or read `--help`.",
  [EXIT.refused]:
    "Where the shrink guard refused, `--allow-shrink` publishes the smaller collection.",
  [EXIT.disk]: "Is it full, may it be written?",
  [EXIT.configuration]: "It is the setting that is named, or the credential.",
};

/** @returns the message with what to do next behind it, in one line */
export function withNextStep(message: string, exitStatus: number): string {
  const next = NEXT_STEP[exitStatus];
  return next === undefined ? message : `${message}; ${next}`;
}

/** @returns whole sentences; empty for a status that asks for nothing */
export function adviceFor(exitStatus: number): string {
  const next = NEXT_STEP[exitStatus];
  const sentence = next === undefined ? "" : `${next.charAt(0).toUpperCase()}${next.slice(1)}.`;
  return `${sentence} ${IN_A_REPORT[exitStatus] ?? ""}`.trim();
}
