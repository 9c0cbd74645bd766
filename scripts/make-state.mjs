/**
 * Makes the state folder `test/fixtures/states/<version>` with the code of this checkout: run it once, before the format of
 * the snapshot changes. Two complete harvests of the quotes on courage of the embedded service, and one that stops halfway.
 *
 *     node scripts/make-state.mjs 2
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const [version = ""] = process.argv.slice(2);
if (!/^[1-9]\d*$/.test(version)) {
  throw new RangeError("Cannot make a state: expected the version of its format, such as 2");
}
const stateDir = process.argv[3] ?? join(ROOT, "test/fixtures/states", version);
if (existsSync(stateDir)) {
  throw new RangeError(
    `Cannot make ${stateDir}: it exists; a state of an earlier version never changes`,
  );
}

/** The clock of each night, and its options. */
const NIGHTS = [
  ["2026-11-25T03:00:00Z"],
  ["2026-11-26T03:00:00Z"],
  ["2026-11-27T03:00:00Z", "--max-requests", "1", "--page-size", "10"],
];

for (const [now, ...options] of NIGHTS) {
  const program = [join(ROOT, "scripts/commonplace.mjs"), "harvest", "--state", stateDir];
  execFileSync(process.execPath, [...program, "--quiet", ...options], {
    env: { PATH: process.env.PATH, SITE_NOW: now, QUOTES_TAGS: "courage" },
    stdio: "inherit",
  });
}
// Every other file is made again.
const KEPT = ["current", "snapshots", "work.sqlite"];
for (const name of readdirSync(stateDir)) {
  if (!KEPT.includes(name)) rmSync(join(stateDir, name), { recursive: true });
}
