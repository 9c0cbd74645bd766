/**
 * Temporary files of one run of the tests, in memory where there is room, since hundreds of databases would wait for a
 * disk; and Node's compile cache, for the processes that the tests start.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { privateCache } from "../../../src/files/private-cache.mjs";

const MEMORY = "/dev/shm";
/** Bytes; a run needs less than a quarter of them. */
const ROOM = 4e9;

/** Containers often give it 64 MB, or forbid to run programs there, which some tests do. */
function isUsable(memory: string): boolean {
  if (!existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < ROOM) return false;
  const probe = join(mkdtempSync(join(memory, "commonplace-probe-")), "probe");
  writeFileSync(probe, "#!/bin/sh\n", { mode: 0o700 });
  const { status } = spawnSync(probe);
  rmSync(dirname(probe), { recursive: true });
  return status === 0;
}

export default function setup(): () => void {
  const folder = mkdtempSync(
    join(
      isUsable(MEMORY) ? MEMORY : tmpdir(),
      `commonplace-tests-${process.env["TEST_RUN"] ?? ""}-`,
    ),
  );
  // Windows looks for it under two other names.
  for (const name of ["TMPDIR", "TEMP", "TMP"]) process.env[name] = folder;
  process.env["TEST_SITES"] = join(folder, "sites");
  mkdirSync(process.env["TEST_SITES"]);
  process.env["BUNDLE_DIR"] = join(folder, "bundles");
  process.env["XDG_CACHE_HOME"] ??= join(process.cwd(), "node_modules/.cache");
  const compiled = privateCache("tests");
  if (compiled !== null) process.env["NODE_COMPILE_CACHE"] ??= compiled;
  // A browser that ends with its worker may still write.
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
