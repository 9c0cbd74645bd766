/**
 * `npm test`, and with `--long` `npm run test:long`: vitest, watched so that it always ends. Other arguments are those of
 * vitest, such as a file; a project that is named, as another browser, is run whole. CI_MINUTES bounds the long tier: no test
 * begins once so many minutes are spent.
 */
import process from "node:process";

const LONG = "--long";
const args = process.argv.slice(2);
const isLong = args.includes(LONG);
if (isLong) process.env["TESTS"] = "long";
const { CI_MINUTES = "" } = process.env;
const minutes = isLong && CI_MINUTES !== "" ? Number(CI_MINUTES) : null;
if (minutes !== null && !(minutes > 0)) {
  process.stderr.write("Cannot use CI_MINUTES: expected a number of minutes, such as 25\n");
  process.exit(64);
}
// It reads the tier when it is loaded.
const { supervise } = await import("../test/support/vitest/supervise.ts");
const { tierArgs } = await import("../test/support/tier.ts");
const given = args.filter((arg) => arg !== LONG);
const tier = given.some((arg) => arg.startsWith("--project")) ? [] : tierArgs(isLong);
process.exit(await supervise({ args: [...tier, ...given], minutes }));
