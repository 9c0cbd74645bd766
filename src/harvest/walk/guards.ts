/**
 * Limits of a walk (docs/walk.md, section 7). A walk without progress or with too many unreadable records fails the run; a
 * walk that is too large stops it, and may be resumed.
 */
import { StoppedEarly, WalkFailed } from "../../contract/errors.ts";
import type { HarvestContext } from "../context.ts";
import type { ChainState } from "./chain.ts";

/** Repeats of a window at growing offsets after which the service is taken to ignore `offset`. */
const MOST_REPEATS = 2;
/** Windows without progress after which the walk fails. */
const MOST_IDLE = 20;
const MOST_RESTARTS = 3;
/**
 * Numbers of records, and shares of unreadable ones, at which the walk fails before its end, which a small budget might
 * never reach. A page without a readable record has another schema.
 */
const HOPELESS = [
  { records: 1_000, share: 0.1 },
  { records: 20, share: 0.9 },
];

/** @throws {WalkFailed} when the walk makes no progress */
export function guardAgainstLoops({ repeats, idle, restarts, offset, furthest }: ChainState): void {
  if (repeats >= MOST_REPEATS) {
    throw new WalkFailed(
      `Cannot walk the collection: the service sends the same quotes at offset ${offset} as before it`,
    );
  }
  if (idle >= MOST_IDLE || restarts > MOST_RESTARTS) {
    throw new WalkFailed(
      `Cannot walk the collection: ${restarts > MOST_RESTARTS ? `${restarts} new starts` : `${idle} windows`} lead no further than offset ${furthest}`,
    );
  }
}

/** @throws {StoppedEarly} when the run exceeds a limit of size */
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
 * @param ended whether the whole collection was read
 * @throws {WalkFailed} when too many records could not be read
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
  // One bad record never fails a run, however small the collection is.
  const tooMany = ended && bad > 1 && share > maxUnreadable;
  if (!hopeless && !tooMany) return;
  const percent = Math.min(100, Math.ceil(share * 100));
  throw new WalkFailed(
    `Cannot trust this harvest: ${bad} of ${records} records could not be read (${store.unreadable}); --max-unreadable ${percent} publishes the rest`,
  );
}
