/** A process with a pool of its own: sends what its child answered; closes the pool after `linger`, else waits to be killed. */
import { openPool } from "../../../src/images/pool.ts";

const pool = openPool<string, number>({
  entry: new URL("./misbehaving-child.ts", import.meta.url),
  lanes: 1,
  jobTimeoutMs: 60_000,
});
const [, , job = "pid"] = process.argv;
process.send?.(await pool.run(job));
if (job === "linger") await pool.close();
