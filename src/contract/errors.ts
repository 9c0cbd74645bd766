/**
 * Failures that are raised on purpose, each with an exit status.
 *
 * For a `Refusal` a program prints the message alone; any other error is a bug and is printed with its stack. Messages
 * name the action and the value: `Cannot read results[3].pk: expected an integer, got null`.
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

/** The base of every failure that is raised on purpose. */
export abstract class Refusal extends Error {
  /** Exit status of the process when this is not caught. */
  abstract readonly exitStatus: number;
}

/** The command line cannot be understood. */
export class UsageError extends Refusal {
  override readonly name = "UsageError";
  readonly exitStatus = EXIT.usage;
}

/** The result must not be published: the audit has findings, or too many quotes would be removed. */
export class PublishRefused extends Refusal {
  override readonly name = "PublishRefused";
  readonly exitStatus = EXIT.refused;
}

/** The service did not give a usable answer within the attempts allowed. */
export class ServiceUnavailable extends Refusal {
  override readonly name = "ServiceUnavailable";
  readonly exitStatus = EXIT.unavailable;
}

/** A file or database could not be read or written. */
export class DiskError extends Refusal {
  override readonly name = "DiskError";
  readonly exitStatus = EXIT.disk;
}

/** The run stopped early and kept its progress: a later run resumes it. */
export class StoppedEarly extends Refusal {
  override readonly name = "StoppedEarly";
  readonly exitStatus = EXIT.stopped;
}

/** Another run is using the state: this one must not write a report. */
export class StateInUse extends StoppedEarly {}

/** Nothing was harvested yet, so there is no progress to resume: its message says what to run. */
export class NothingHarvested extends StoppedEarly {}

/** A setting is wrong, or the service refuses the credential. */
export class ConfigurationError extends Refusal {
  override readonly name = "ConfigurationError";
  readonly exitStatus = EXIT.configuration;
}

const REFUSALS = [
  UsageError,
  PublishRefused,
  ServiceUnavailable,
  DiskError,
  StoppedEarly,
  ConfigurationError,
] as const;

/** An error on its way from another thread or process: its class, its code and its path would be lost. */
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

/** The error as it was thrown: its class decides the exit status. */
export function errorOf({ name, message, ...rest }: Failure): Error {
  const refusal = REFUSALS.map((Known) => new Known(message)).find((known) => known.name === name);
  return refusal ?? Object.assign(new Error(message), rest);
}
