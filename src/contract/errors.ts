/**
 * Errors that are thrown on purpose, each with an exit status, and advice for each status.
 *
 * A program prints only the message of a `Refusal`; any other error is a bug and is printed with its stack. Messages name
 * the action and the value: `Cannot read results[3].pk: expected an integer, got null`.
 */

/** Exit status by meaning, as in sysexits.h where that has one. */
export const EXIT = {
  done: 0,
  bug: 1,
  usage: 64,
  refused: 65,
  unavailable: 69,
  disk: 74,
  stopped: 75,
  configuration: 78,
} as const;

/** Base class of every error that is thrown on purpose. */
export abstract class Refusal extends Error {
  /** Exit status of the process when this is not caught. */
  abstract readonly exitStatus: number;
}

/** Makes the base of an error class. Unlike the class, the name is kept when an error comes from another thread. */
function refusal<Name extends string>(name: Name, exitStatus: number) {
  return class extends Refusal {
    override readonly name = name;
    readonly exitStatus = exitStatus;
  };
}

/** The command line cannot be understood. */
export class UsageError extends refusal("UsageError", EXIT.usage) {}

/** The result must not be published: the audit has findings, or too many quotes would be removed. */
export class PublishRefused extends refusal("PublishRefused", EXIT.refused) {}

/** The service did not give a usable answer within the attempts allowed. */
export class ServiceUnavailable extends refusal("ServiceUnavailable", EXIT.unavailable) {}

/** A file or database could not be read or written. */
export class DiskError extends refusal("DiskError", EXIT.disk) {}

/** The run stopped early and kept its progress: a later run resumes it. */
export class StoppedEarly extends refusal("StoppedEarly", EXIT.stopped) {}

/** Another run uses the state folder, so this run must not write a report. */
export class StateInUse extends StoppedEarly {}

/** Nothing was harvested yet, so there is no progress to resume. */
export class NothingHarvested extends StoppedEarly {
  constructor(stateDir: string) {
    super(`Cannot read ${stateDir}: no snapshot is there; run "npm run harvest" first`);
  }
}

/** A setting is wrong, or the service refuses the credential. */
export class ConfigurationError extends refusal("ConfigurationError", EXIT.configuration) {}

const REFUSALS = [
  UsageError,
  PublishRefused,
  ServiceUnavailable,
  DiskError,
  StoppedEarly,
  ConfigurationError,
] as const;

/** An error as data, for another thread or process: a plain copy would lose its class, code and path. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** The file system's code, such as ENOSPC. */
  readonly code: string | undefined;
  readonly path: string | undefined;
}

export function failureOf(thrown: unknown): Failure {
  const error: NodeJS.ErrnoException = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { name, message, stack, code, path } = error;
  // A DOMException's code is a number.
  return { name, message, stack, path, code: typeof code === "string" ? code : undefined };
}

/** Restores an error from data, with its class: that decides the exit status. */
export function errorOf({ name, message, ...rest }: Failure): Error {
  const refusal = REFUSALS.map((Known) => new Known(message)).find((known) => known.name === name);
  return refusal ?? Object.assign(new Error(message), rest);
}

/** What an answer means, or the lack of one; `src/client/verdict.ts` has the table. */
export type Verdict =
  "busy" | "unreachable" | "broken" | "too large" | "refused" | "no list" | "wrong setting";

/** An answer of the service that a retry would not change: 400, 404 and others (docs/walk.md, section 8). */
export class PermanentAnswer extends ServiceUnavailable {
  readonly status: number;
  /** Whether the start of the list was served between two such answers. */
  readonly servesStart: boolean;
  /** What the service answered, as a clause; empty where no answer says it. */
  readonly reason: string;

  constructor(message: string, status: number, { servesStart = false, reason = "" } = {}) {
    super(message);
    this.status = status;
    this.servesStart = servesStart;
    this.reason = reason;
  }
}

/** The service sends what can never be a page: a record a line, another type of JSON. */
export class GarbledAnswer extends ServiceUnavailable {}

/**
 * The service fails at this address but answers the start of the list: a single record, a large offset or the size of the
 * page may be the cause (docs/walk.md, section 8).
 */
export class ServerFault extends StoppedEarly {
  /** The failure as a clause, without the address. */
  readonly reason: string;
  /** `busy`, `broken` or `too large`. */
  readonly verdict: Verdict;
  /** HTTP status; 0 without an answer, 504 for a time-out, 200 for a body that cannot be read. */
  readonly status: number;
  /** Whether the service had answered anything before. */
  readonly hadAnswers: boolean;

  constructor(
    message: string,
    { reason, verdict, status, hadAnswers }: Omit<ServerFault, keyof StoppedEarly>,
  ) {
    super(message);
    this.reason = reason;
    this.verdict = verdict;
    this.status = status;
    this.hadAnswers = hadAnswers;
  }
}

/** The service ignored a filter of the selection, so this run read other quotes than those selected. */
export class FilterIgnored extends ConfigurationError {}

/** Nothing of this run may be published, and resuming it would not help (docs/walk.md, section 7). */
export class WalkFailed extends ServiceUnavailable {}

/** Exit status of each signal that ends a command in order: 128 and its number. SIGBREAK exists on Windows alone. */
export const SIGNAL_STATUS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143, SIGBREAK: 149 } as const;

/** Meaning of each exit status, as a clause. */
export const STATUS_MEANING: Readonly<Record<number, string>> = {
  [EXIT.done]: "done",
  [EXIT.bug]: "a bug; the stack is printed",
  [EXIT.usage]: "the command line is wrong, or names a file or a site that does not exist",
  [EXIT.refused]: "refused to publish: the audit, the shrink guard or a limit of the host",
  [EXIT.unavailable]: "the service gave no usable answer, after retries",
  [EXIT.disk]: "a file could not be read or written",
  [EXIT.stopped]:
    "stopped early with progress kept: quota, wait budget or another run; or nothing was harvested yet",
  [EXIT.configuration]: "a setting is wrong, or the service refuses the credential",
  129: "stopped by SIGHUP (its terminal was closed), progress kept",
  130: "stopped by SIGINT (Ctrl-C), progress kept",
  143: "stopped by SIGTERM, progress kept",
  149: "stopped by SIGBREAK (Ctrl-Break on Windows), progress kept",
};

/** Next step for each status, as a clause after the message. None for a bug or a wrong command line. */
const NEXT_STEP: Readonly<Record<number, string>> = {
  [EXIT.refused]: "publish nothing of this run and keep the last site",
  [EXIT.unavailable]: "keep the last site, the next run tries again",
  [EXIT.disk]: "check the disk, then run the command again",
  [EXIT.stopped]: "the next run continues from here",
  [EXIT.configuration]: "correct it, then run the command again",
  ...Object.fromEntries(
    Object.values(SIGNAL_STATUS).map((status) => [status, "the next run continues from here"]),
  ),
};

/** More advice for a report, whose readers may not have started the run. */
const IN_A_REPORT: Readonly<Record<number, string>> = {
  [EXIT.bug]: "This is a bug: report it with the lines above.",
  [EXIT.usage]: "First run the command that the message names, or read `--help`.",
  [EXIT.refused]:
    "Where the shrink guard refused, `--allow-shrink` publishes the smaller collection.",
  [EXIT.disk]: "The disk may be full or not writable.",
  [EXIT.configuration]: "The cause is the setting that the message names, or the credential.",
};

/** Appends the next step to a message, in one line. */
export function withNextStep(message: string, exitStatus: number): string {
  const next = NEXT_STEP[exitStatus];
  return next === undefined ? message : `${message}; ${next}`;
}

/** Returns advice in whole sentences; empty where a status needs none. */
export function adviceFor(exitStatus: number): string {
  const next = NEXT_STEP[exitStatus];
  const sentence = next === undefined ? "" : `${next.charAt(0).toUpperCase()}${next.slice(1)}.`;
  return `${sentence} ${IN_A_REPORT[exitStatus] ?? ""}`.trim();
}
