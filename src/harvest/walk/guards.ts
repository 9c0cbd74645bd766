/**
 * When a walk leads nowhere, reads too much that cannot be read, or grows too large (docs/walk.md, section 7). In the
 * first two cases the run has failed and the published snapshot stays; in the last it stops and may go on.
 */
import { StoppedEarly } from "../../contract/errors.ts";
import { WalkFailed } from "../../contract/refused-answer.ts";
import type { HarvestContext } from "../context.ts";
import type { ChainState } from "./chain.ts";

/** The same window three times in a row at growing offsets: the service does not heed `offset`. */
const MOST_REPEATS = 2;
/** Windows in a row that bring the walk no further. */
const MOST_IDLE = 20;
const MOST_RESTARTS = 3;
/**
 * Far beyond a bad stretch: no need to read the rest, and on a small budget it would never be read. A page of which
 * nothing can be read is a new schema.
 */
const HOPELESS = [
  { records: 1_000, share: 0.1 },
  { records: 20, share: 0.9 },
];

/** @throws {WalkFailed} when the walk goes in circles */
export function guardAgainstLoops({ repeats, idle, restarts, offset, furthest }: ChainState): void {
  if (repeats >= MOST_REPEATS) {
    throw new WalkFailed(
      `Cannot walk the collection: the service sends the same quotes at offset ${offset} as before it`,
    );
  }
  if (idle >= MOST_IDLE || restarts > MOST_RESTARTS) {
    throw new WalkFailed(
      `Cannot walk the collection: ${restarts > MOST_RESTARTS ? `${restarts} new starts` : `${idle} windows in a row`} lead no further than offset ${furthest}`,
    );
  }
}

/** @throws {StoppedEarly} when the run is larger than it may be */
export function guardAgainstSize({ store, limits }: HarvestContext): void {
  if (store.quotesSeen > limits.maxQuotes) {
    throw new StoppedEarly(
      `Cannot read more than ${limits.maxQuotes} quotes: --max-quotes raises the limit`,
    );
  }
  if (store.bytes > limits.maxWorkBytes) {
    throw new StoppedEarly(
      `Cannot let the working file grow over ${limits.maxWorkBytes / 1e9} GB: --max-work-gb raises the limit`,
    );
  }
}

/**
 * @param ended whether these are all the records there are
 * @throws {WalkFailed} when too many of them could not be read
 */
export function guardAgainstBadRecords(
  records: number,
  bad: number,
  ended: boolean,
  { limits: { maxUnreadable }, store }: HarvestContext,
): void {
  const share = bad / Math.max(1, records);
  const hopeless = HOPELESS.some(
    (than) => records >= than.records && share > Math.max(than.share, maxUnreadable),
  );
  // A single bad record is never the whole service's fault, however small the collection.
  const tooMany = ended && bad > 1 && share > maxUnreadable;
  if (!hopeless && !tooMany) return;
  const percent = Math.min(100, Math.ceil(share * 100));
  throw new WalkFailed(
    `Cannot trust this harvest: ${bad} of ${records} records could not be read (${store.unreadable}); --max-unreadable ${percent} publishes the rest`,
  );
}
