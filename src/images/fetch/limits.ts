/** What one picture may cost us: the numbers of the guard. */

/** All of it: look-up, redirects, headers, body. */
export const DEADLINE_MS = 10_000;

/** 5 MiB. */
export const MAX_BYTES = 5 * 1_048_576;

export const MAX_REDIRECTS = 3;
