/**
 * What every npm script has in common: arguments in, one line and an exit status out, signals obeyed.
 *
 * A `Refusal` is told in one line; any other failure is a bug and shows its stack. Secrets are taken out of the
 * process's environment and command line as soon as they are read, and out of everything that is written.
 */
import { EXIT, Refusal } from "../contract/errors.ts";
import { withNextStep } from "../contract/next-step.ts";
import { printableJson, printableLines } from "../contract/printable.ts";
import { SecretFinder } from "../contract/secrets/finder.ts";
import { helpText } from "../settings/help.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import { readOptions } from "../settings/sources.ts";
import type { Option } from "../settings/options.ts";
import { forgetCredential, withCredentialFile } from "./credential.ts";
import { guardOutput } from "./output/guard.ts";
import { withOwnFolders, type Writes } from "./output/own-folders.ts";
import { loadSite } from "./site-folder.ts";

export interface ProgramContext {
  readonly settings: Settings;
  /** The checked options by name, for those that are no part of the settings. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Aborted by SIGINT and SIGTERM: keep what is done and return or throw. */
  readonly signal: AbortSignal;
}

export interface Outcome {
  /** What happened, for a person, in a line or a few; nothing where stdout already says it. */
  readonly text?: string;
  /** The same for a program; printed instead under `--json`. */
  readonly result?: unknown;
  readonly exitStatus?: number;
  /** Why the world refuses what was done all the same; it gives the exit status. */
  readonly refusal?: Refusal | undefined;
}

export interface Program {
  /** The npm script's name. */
  readonly name: string;
  readonly summary: string;
  readonly options: Readonly<Record<string, Option>>;
  /** Folders that it takes and checks before it runs; default nothing. */
  readonly writes?: Writes;
  run(context: ProgramContext): Promise<Outcome>;
}

/** Seconds between a signal and the end of the process, come what may (design, "Exit status"). */
const GRACE_MS = 4_500;

/** Room for what still closes by itself after a failure. */
const LEAVE_AFTER_MS = 1_000;

const SIGNAL_STATUS = { SIGINT: 130, SIGTERM: 143 } as const;

/** Runs a program with this process's arguments and environment, and sets its exit status. */
export async function runProgram(program: Program): Promise<void> {
  const stop = new AbortController();
  let signalled: number | null = null;
  for (const [name, status] of Object.entries(SIGNAL_STATUS)) {
    process.once(name, () => {
      signalled = status;
      stop.abort(new Error(`stopped by ${name}`));
      setTimeout(() => process.exit(status), GRACE_MS).unref();
    });
  }
  quietOnClosedPipe();
  tellOfCrashes();
  try {
    const argv = process.argv.slice(2);
    if (argv.includes("--help")) {
      process.stdout.write(helpText(program.name, program.summary, program.options));
      return;
    }
    const options = readOptions(argv, program.options);
    const { config } = await loadSite(process.env);
    const settings = readSettings(options, withCredentialFile(process.env, options), config);
    forgetCredential(settings.secrets, process.env);
    guardOutput(new SecretFinder(settings.secrets));
    const context = { settings, options, signal: stop.signal };
    const outcome = await withOwnFolders(settings, program.writes ?? "nothing", () =>
      program.run(context),
    );
    print(outcome, settings.output.json);
    const { refusal, exitStatus = EXIT.done } = outcome;
    process.exitCode = signalled ?? (refusal === undefined ? exitStatus : tell(refusal));
  } catch (error) {
    process.exitCode = signalled ?? tell(error);
    // What was cut short may have left a server or a thread, which would keep the process alive.
    setTimeout(() => process.exit(), signalled === null ? LEAVE_AFTER_MS : 0).unref();
  }
}

function print(outcome: Outcome, json: boolean): void {
  if (json && outcome.result !== undefined) {
    process.stdout.write(`${printableJson(outcome.result)}\n`);
  } else if (outcome.text !== undefined) {
    process.stdout.write(`${printableLines(outcome.text)}\n`);
  }
}

/** Says what went wrong on stderr and gives the status to exit with. */
function tell(error: unknown): number {
  if (error instanceof Refusal) {
    const line = withNextStep(error.message, error.exitStatus).replace(/\s+/g, " ").trim();
    say(line);
    return error.exitStatus;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  say(text);
  return EXIT.bug;
}

/** What is thrown where nobody waits for it is told like any other bug: Node itself would write past the guard. */
function tellOfCrashes(): void {
  process.once("uncaughtException", (error) => process.exit(tell(error)));
}

/** `npm run export | head` closes the pipe early; that is the reader's right and no failure. */
function quietOnClosedPipe(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(EXIT.done);
    throw error;
  });
}

/** Writes a line about what happens on stderr. */
export function say(line: string): void {
  process.stderr.write(`${printableLines(line)}\n`);
}

/** Resolves when a signal asks the process to stop: what a server waits for. */
export function untilStopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
