/**
 * The frame of every command: prints its result, sets the exit status, and handles signals.
 *
 * A `Refusal` is printed as one line; any other failure is a bug and is printed with its stack.
 */
import { Console } from "node:console";
import { addAbortListener } from "node:events";
import {
  EXIT,
  NothingHarvested,
  Refusal,
  SIGNAL_STATUS,
  withNextStep,
} from "../contract/errors.ts";
import { printableJson, printableLines } from "../util/text.ts";
import { asDiskError } from "../files/disk.ts";
import type { Settings } from "../settings/settings.ts";
import type { Values } from "../settings/sources.ts";

export interface ProgramContext {
  readonly settings: Settings;
  /** All checked options; `settings` does not have those of a single command. */
  readonly options: Values;
  /** Arguments that belong to no option. */
  readonly words: readonly string[];
  /** Aborted by SIGINT, SIGTERM, SIGHUP and SIGBREAK: the command saves its progress, then returns or throws. */
  readonly signal: AbortSignal;
}

export interface Outcome {
  /** A few lines for a person; absent where the command has written to stdout itself. */
  readonly text?: string;
  /** Printed instead of `text` with `--json`. */
  readonly result?: unknown;
  /** Why the command fails although it has a result; decides the exit status. */
  readonly refusal?: Refusal | undefined;
}

/** Module of a command. */
export interface Program {
  run(context: ProgramContext): Promise<Outcome> | Outcome;
}

/** Longest time between a signal and the end of the process. */
const GRACE_MS = 4_500;

/** npm forwards a signal that the terminal has sent already: a second one within this time is the same signal. */
const SAME_SIGNAL_MS = 500;

/** Time for servers and threads to close after a failure. */
const LEAVE_AFTER_MS = 1_000;

const SHOW_CURSOR = "\u001B[?25h";

/** Runs `work`, prints its outcome, and sets the exit status. */
export async function inProcess(
  json: boolean,
  work: (signal: AbortSignal) => Promise<Outcome>,
): Promise<void> {
  // Code of a fork may log; stdout is only for the result of the command.
  globalThis.console = new Console(process.stderr);
  const signal = obeySignals();
  const stopped = () => (signal.aborted ? (signal.reason as Interrupted) : null);
  watchOutput(signal);
  process.once("uncaughtException", (error) => process.exit(report(error, json)));
  try {
    const outcome = await work(signal);
    const why = stopped();
    if (why === null) process.exitCode = print(outcome, json);
    // A signal is the normal end of a server.
    else if (outcome.text === undefined) process.exitCode = why.exitStatus;
    else process.exitCode = report(why, json, outcome.result);
  } catch (error) {
    process.exitCode = report(stopped() ?? error, json);
    // A server or a thread may be left, which would keep the process alive.
    setTimeout(() => process.exit(), signal.aborted ? 0 : LEAVE_AFTER_MS).unref();
  }
}

/** A signal asked the process to end. */
class Interrupted extends Refusal {
  override readonly name = "Interrupted";
  readonly exitStatus: number;

  constructor(signal: string, exitStatus: number) {
    super(`Stopped by ${signal}`);
    this.exitStatus = exitStatus;
  }
}

/**
 * Aborts the work at the first signal and ends the process at the second.
 *
 * The listeners are never removed: a library that has the only listener raises the signal again, which ends the process.
 */
function obeySignals(): AbortSignal {
  const stop = new AbortController();
  let stoppedAt = 0;
  process.on("exit", () => {
    if (stop.signal.aborted && process.stderr.isTTY) process.stderr.write(SHOW_CURSOR);
  });
  for (const [name, status] of Object.entries(SIGNAL_STATUS)) {
    process.on(name, () => {
      if (stop.signal.aborted) {
        if (performance.now() - stoppedAt > SAME_SIGNAL_MS) process.exit(status);
        return;
      }
      stoppedAt = performance.now();
      stop.abort(new Interrupted(name, status));
      setTimeout(() => process.exit(status), GRACE_MS).unref();
    });
  }
  return stop.signal;
}

/** @returns the exit status */
function print({ text, result, refusal }: Outcome, json: boolean): number {
  if (json && refusal !== undefined) return report(refusal, json, result);
  if (json && result !== undefined) process.stdout.write(`${printableJson(result)}\n`);
  else if (text !== undefined) process.stdout.write(`${printableLines(text)}\n`);
  return refusal === undefined ? EXIT.done : report(refusal, json);
}

/**
 * Prints why the command failed on stderr, and with `--json` also on stdout.
 *
 * @param result what the command did before
 * @returns the exit status
 */
function report(error: unknown, json: boolean, result: unknown = {}): number {
  const isBug = !(error instanceof Refusal);
  const status = isBug ? EXIT.bug : error.exitStatus;
  const reason = error instanceof Error ? error.message : String(error);
  const advised = error instanceof NothingHarvested ? reason : withNextStep(reason, status);
  const message = advised.replace(/\s+/g, " ").trim();
  if (json) process.stdout.write(`${printableJson({ ...Object(result), status, message })}\n`);
  log(isBug && error instanceof Error ? (error.stack ?? message) : message);
  return status;
}

/**
 * Handles errors of stdout and stderr. A closed pipe, as of `commonplace export | head`, is no failure; a full disk is one. A
 * command that has failed keeps its exit status. Errors of stderr are ignored: only progress is lost. After a signal a terminal may
 * be gone.
 */
function watchOutput(signal: AbortSignal): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (signal.aborted) process.exit((signal.reason as Interrupted).exitStatus);
    if (process.exitCode || error.code === "EPIPE") process.exit();
    throw asDiskError("write", "stdout", error);
  });
  process.stderr.on("error", () => undefined);
}

/** Writes a line to stderr. */
export function log(line: string): void {
  process.stderr.write(`${printableLines(line)}\n`);
}

/** Resolves when `signal` is aborted. */
export function untilStopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => addAbortListener(signal, () => resolve()));
}
