/**
 * How long a test waits for what never comes, in milliseconds. They are guards: no test passes because it waited.
 *
 * `TEST_PATIENCE` multiplies all of them, for a slow or busy machine: `TEST_PATIENCE=3 npm test`.
 */
const patience = Number(process.env["TEST_PATIENCE"] ?? 1);
if (!(patience > 0)) {
  throw new Error("Cannot use TEST_PATIENCE: expected a number above 0, such as 3");
}

export const TEST_MS = 120_000 * patience;

export const HOOK_MS = 180_000 * patience;

export const POLL_MS = 30_000 * patience;

/** A wait inside a test ends before the test does, and so says what it waited for. */
export const WAIT_MS = 0.8 * TEST_MS;

/** A run from which nothing is heard for longer than a hook and a test may last is stuck, such as in a loop. */
export const QUIET_MS = TEST_MS + HOOK_MS;

/** In the words of vitest. */
export const LIMITS = {
  testTimeout: TEST_MS,
  hookTimeout: HOOK_MS,
  expect: { poll: { timeout: POLL_MS } },
};
