/**
 * When a walk leads nowhere (harvest.md §5.6), or reads too much that cannot be read. Either way the run has failed
 * and the old snapshot stands.
 */
import { WalkFailed } from "../../contract/refused-answer.ts";
import type { ChainState } from "./chain.ts";

/** The same window three times in a row at growing offsets: the service does not heed `offset`. */
const MOST_REPEATS = 2;
/** One bad record is quarantined; more than this share of all fails the run. */
const BAD_SHARE = 0.01;
/**
 * Far beyond a bad stretch: no need to read the rest, and on a small budget it would never be read. A page of which
 * nothing can be read is a new schema.
 */
const HOPELESS = [
  { records: 1_000, share: 0.1 },
  { records: 20, share: 0.9 },
];

/** @throws {WalkFailed} when the walk goes in circles */
export function guardAgainstLoops(state: ChainState): void {
  if (state.repeats >= MOST_REPEATS) {
    throw new WalkFailed(
      `Cannot walk the collection: the service sends the same quotes at offset ${state.offset} as before it`,
    );
  }
  const most = (2 * state.end) / Math.max(1, state.pageSize) + 50;
  if (state.windows > most) {
    throw new WalkFailed(
      `Cannot walk the collection: ${state.windows} windows for ${state.end} quotes lead to no end`,
    );
  }
}

/**
 * @param ended whether these are all the records there are
 * @throws {WalkFailed} when too many of them could not be read
 */
export function guardAgainstBadRecords(records: number, bad: number, ended: boolean): void {
  const share = bad / Math.max(1, records);
  const hopeless = HOPELESS.some((than) => records >= than.records && share > than.share);
  // A single bad record is never the whole service's fault, however small the collection.
  const tooMany = ended && bad > 1 && share > BAD_SHARE;
  if (!hopeless && !tooMany) return;
  throw new WalkFailed(`Cannot trust this harvest: ${bad} of ${records} records could not be read`);
}
