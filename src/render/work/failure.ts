/** An error on its way from a thread: what the file system says besides its text would be lost. */

export interface Failure {
  readonly error: unknown;
  readonly code: string | undefined;
  readonly path: string | undefined;
}

export function failureOf(error: unknown): Failure {
  const { code, path } = error as NodeJS.ErrnoException;
  return { error, code, path };
}

/** The error as it was. */
export function errorOf({ error, code, path }: Failure): unknown {
  return error instanceof Error ? Object.assign(error, { code, path }) : error;
}
