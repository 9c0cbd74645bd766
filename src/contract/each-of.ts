/**
 * Works through a list of any length, a few at a time, and never holds more of it than that.
 *
 * @param width how many at a time
 * @throws what the first failing `work` threw, after those in hand have ended; no further item is begun
 */
export async function eachOf<Item>(
  items: Iterable<Item>,
  width: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const shared = (function* () {
    yield* items;
  })();
  const lane = async (): Promise<void> => {
    // A loop that throws ends the generator, and with it the other loops.
    for (const item of shared) await work(item);
  };
  const lanes = await Promise.allSettled(Array.from({ length: width }, lane));
  const failure = lanes.find(({ status }) => status === "rejected");
  if (failure?.status === "rejected") throw failure.reason;
}
