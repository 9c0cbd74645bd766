import { getOrCompute } from "./get-or-compute.ts";

/** Memoises a function of one argument. All results stay in memory, so its arguments must be few. */
export function memoise<Key, Result>(compute: (key: Key) => Result): (key: Key) => Result {
  const results = new Map<Key, Result>();
  return (key) => getOrCompute(results, key, compute);
}
