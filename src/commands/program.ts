/**
 * What every command has in common: arguments in, one line and an exit status out, signals obeyed.
 *
 * A `Refusal` is printed as one line; any other failure is a bug and shows its stack. Secrets are taken out of the
 * process's environment and command line as soon as they are read, and out of everything that is written.
 */
import { Console } from "node:console";
import { addAbortListener } from "node:events";
import { EXIT, NothingHarvested, Refusal, withNextStep } from "../contract/errors.ts";
import { printableJson, printableLines } from "../contract/text.ts";
import { asDiskError } from "../files/disk.ts";
import type { Settings } from "../settings/settings.ts";
import type { Values } from "../settings/sources.ts";

export interface ProgramContext {
  readonly settings: Settings;
  /** The checked options, for those that are no part of the settings. */
  readonly options: Values;
  /** Words of the command line that belong to no option. */
  readonly words: readonly string[];
  /** Aborted by SIGINT and SIGTERM: keep what is done and return or throw. */
  readonly signal: AbortSignal;
}

export interface Outcome {
  /** What happened, for a person, in a line or a few; nothing where stdout already says it. */
  readonly text?: string;
  /** The same for a program; printed instead under `--json`. */
  readonly result?: unknown;
  /** Why the command failed although its work is done; it gives the exit status. */
  readonly refusal?: Refusal | undefined;
}

/** The module of a command. */
export interface Program {
  run(context: ProgramContext): Promise<Outcome> | Outcome;
}

/** Milliseconds between a signal and the end of the process, at most. */
const GRACE_MS = 4_500;

/** npm forwards a signal that the terminal has already sent: a second one as early as this is the same. */
const SAME_SIGNAL_MS = 500;

/** Time for servers and threads to close by themselves after a failure. */
const LEAVE_AFTER_MS = 1_000;

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

const SHOW_CURSOR = "\u001B[?25h";

/** Does the work of a process: obeys signals, prints what came of it, and sets the exit status. */
export async function inProcess(
  json: boolean,
  work: (signal: AbortSignal) => Promise<Outcome>,
): Promise<void> {
  // Settings, pages and packages of a fork log as they like: stdout is the command's result alone.
  globalThis.console = new Console(process.stderr);
  const signal = obeySignals();
  const stopped = () => (signal.aborted ? (signal.reason as Interrupted) : null);
  obeyOutput();
  process.once("uncaughtException", (error) => process.exit(report(error, json)));
  try {
    const outcome = await work(signal);
    const why = stopped();
    if (why === null) process.exitCode = print(outcome, json);
    // A server has nothing to say of a signal: it is how one ends.
    else if (outcome.text === undefined) process.exitCode = why.exitStatus;
    else process.exitCode = report(why, json, outcome.result);
  } catch (error) {
    process.exitCode = report(stopped() ?? error, json);
    // What was cut short may have left a server or a thread, which would keep the process alive.
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
 * The listeners stay: a library that finds itself alone with a signal raises it again, which would end the process at once.
 */
function obeySignals(): AbortSignal {
  const stop = new AbortController();
  let stoppedAt = 0;
  process.on("exit", () => {
    if (stop.signal.aborted && process.stderr.isTTY) process.stderr.write(SHOW_CURSOR);
  });
  for (const [name, status] of Object.entries(SIGNALS)) {
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
 * Says on stderr what ended the command, and under `--json` on stdout as well.
 *
 * @param result what was done all the same
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
 * A reader that leaves early is no failure, as `commonplace export | head` does; a file on a full disk is one. A command
 * that failed already keeps its status. On stderr only progress is lost.
 */
function obeyOutput(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (process.exitCode || error.code === "EPIPE") process.exit();
    throw asDiskError("write", "stdout", error);
  });
  process.stderr.on("error", () => undefined);
}

/** Writes a line about what happens on stderr. */
export function log(line: string): void {
  process.stderr.write(`${printableLines(line)}\n`);
}

/** Resolves when a signal asks the process to stop: what a server waits for. */
export function untilStopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => addAbortListener(signal, () => resolve()));
}
