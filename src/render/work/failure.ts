/** An error on its way from a thread: its class, and what the file system says besides its text, would be lost. */
import { DiskError } from "../../contract/errors.ts";

export interface Failure {
  readonly error: unknown;
  readonly code: string | undefined;
  readonly path: string | undefined;
  readonly isDiskError: boolean;
}

export function failureOf(error: unknown): Failure {
  const { code, path } = error as NodeJS.ErrnoException;
  return { error, code, path, isDiskError: error instanceof DiskError };
}

/** The error as it was. */
export function errorOf({ error, code, path, isDiskError }: Failure): unknown {
  if (!(error instanceof Error)) return error;
  if (isDiskError) return new DiskError(error.message, { cause: error });
  return Object.assign(error, { code, path });
}
