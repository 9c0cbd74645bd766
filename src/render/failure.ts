/** An error on its way from a worker thread: its class, its code and its path would be lost. */
import { toRefusal } from "../contract/errors.ts";

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

/** The error as the thread threw it. */
export function errorOf({ name, message, ...rest }: Failure): Error {
  return toRefusal(name, message) ?? Object.assign(new Error(message), rest);
}
