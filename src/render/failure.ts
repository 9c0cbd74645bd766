/** An error on its way from a worker thread: its class, its code and its path would be lost. */
import { Refusal } from "../contract/errors.ts";

export interface Failure {
  readonly message: string;
  readonly stack: string | undefined;
  /** The file system's code, such as ENOSPC. */
  readonly code: string | undefined;
  readonly path: string | undefined;
  /** Of a `Refusal`: what the process exits with. */
  readonly exitStatus: number | undefined;
}

class RefusalOfThread extends Refusal {
  readonly exitStatus: number;

  constructor(message: string, exitStatus: number) {
    super(message);
    this.exitStatus = exitStatus;
  }
}

export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) {
    return {
      message: String(error),
      stack: undefined,
      code: undefined,
      path: undefined,
      exitStatus: undefined,
    };
  }
  const { code, path } = error as NodeJS.ErrnoException;
  return {
    message: error.message,
    stack: error.stack,
    // A DOMException's code is a number.
    code: typeof code === "string" ? code : undefined,
    path,
    exitStatus: error instanceof Refusal ? error.exitStatus : undefined,
  };
}

/** The error as the thread threw it. */
export function errorOf({ message, stack, code, path, exitStatus }: Failure): Error {
  if (exitStatus !== undefined) return new RefusalOfThread(message, exitStatus);
  const error: NodeJS.ErrnoException = new Error(message);
  if (stack !== undefined) error.stack = stack;
  if (code !== undefined) error.code = code;
  if (path !== undefined) error.path = path;
  return error;
}
