/** What V8 is told of memory: what is thrown away at once, and what is to be given back before more is asked for. */
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** With less in memory, looking for what may go costs more than it gives back. */
const WORTH_COLLECTING = 48 * 2 ** 20;

/**
 * Collects garbage now, if there may be much. V8 would do so when it needs room, and until then a million quotes'
 * catalogue stays in memory beside the pages made from it. The flag is the process's and stays, since threads would take
 * it from each other; the function is seen by new contexts alone.
 */
export function collectGarbage(): void {
  if (getHeapStatistics().used_heap_size < WORTH_COLLECTING) return;
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

/**
 * For threads that are started from now on: pages are small, and what they are made of is thrown away with each.
 *
 * V8 looks which objects live long and allocates their like among the old; of a page's that is wrong, and an old object
 * keeps whatever young ones it names, so that every page stayed until the next large collection. And each scavenge is
 * done by its own thread: the other has a page to render meanwhile.
 */
export function expectShortLives(): void {
  setFlagsFromString("--no-allocation-site-pretenuring");
  setFlagsFromString("--no-parallel-scavenge");
}
