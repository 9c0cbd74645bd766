/** A process with a pool of its own: says its child's process id, and waits to be killed. */
import { openPool } from "../../../src/images/pool.ts";

const pool = openPool<string, number>({
  entry: new URL("./misbehaving-child.ts", import.meta.url),
  lanes: 1,
  jobTimeoutMs: 60_000,
});
process.send?.(await pool.run("pid"));
