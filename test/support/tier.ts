/**
 * The two tiers of tests: `npm test` runs all, in their small form; `npm run test:long` runs the files that import this
 * module, in their long form. CONTRIBUTING.md has the table.
 */
import { TEST_MS } from "./vitest/limits.ts";

export const LONG = process.env["TESTS"] === "long";

/** Long forms end by their size; this is a guard against what hangs. */
export const LONG_MS = 60 * TEST_MS;

/**
 * The size of a test: that of its variable, else that of the tier.
 *
 * @returns the size, and the time that the test may take, in milliseconds
 */
export function sized(variable: string, small: number, long: number) {
  const count = Number(process.env[variable] ?? (LONG ? long : small));
  return { count, timeout: count > small ? LONG_MS : TEST_MS };
}
