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
  const iterator = items[Symbol.iterator]();
  let stopped = false;
  const lane = async (): Promise<void> => {
    try {
      for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
        await work(next.value);
        if (stopped) break;
      }
    } catch (error) {
      stopped = true;
      throw error;
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: width }, lane));
  if (stopped) iterator.return?.();
  const failure = lanes.find(({ status }) => status === "rejected");
  if (failure?.status === "rejected") throw failure.reason;
}
