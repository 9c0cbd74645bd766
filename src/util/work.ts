/** Divides work into parts, and limits how many calls run at once. */

/** One of `count` parts of the work: the share of one thread or one machine. */
export interface Part {
  /** From 1. */
  readonly index: number;
  readonly count: number;
}

/**
 * Calls `work` for each item, a few at a time; items are read lazily.
 *
 * @param width calls in flight at most
 * @throws the error of the first failing `work`, after the calls in flight have ended; no further call begins
 */
export async function eachOf<Item>(
  items: Iterable<Item>,
  width: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const shared = (function* () {
    yield* items;
  })();
  const worker = async (): Promise<void> => {
    // A loop that throws closes the generator, which ends the other loops.
    for (const item of shared) await work(item);
  };
  const results = await Promise.allSettled(Array.from({ length: width }, worker));
  const failure = results.find(({ status }) => status === "rejected");
  if (failure?.status === "rejected") throw failure.reason;
}
