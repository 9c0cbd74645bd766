/** Builds a site of an NDJSON file that a service in another process serves: both processes are measured. */
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { withService } from "../service.ts";

const [data = "", ...args] = process.argv.slice(2);
const PROGRAM = join(import.meta.dirname, "../../commonplace.mjs");

process.exitCode = await withService(data, "0", (url) => {
  const env = { ...process.env, QUOTES_BASE_URL: url };
  const { status } = spawnSync(process.execPath, [PROGRAM, "build", ...args], {
    env,
    stdio: "inherit",
  });
  return Promise.resolve(status ?? 1);
});
