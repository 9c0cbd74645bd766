/** Memory that a large list took, given back before the next large thing asks for more. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Collects garbage now. V8 would do so when it needs room, and until then a million quotes' catalogue stays in memory
 * beside the pages made from it. The flag is the process's and stays, since threads would take it from each other; the
 * function is seen by new contexts alone.
 */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}
