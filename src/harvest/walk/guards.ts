/**
 * Limits of a walk (docs/walk.md, section 7). A walk without progress ends, and the list is read in slices. Too many unreadable
 * records fail the run. A walk that is too large stops it, and may be resumed.
 */
import { StoppedEarly, WalkFailed } from "../../contract/errors.ts";
import type { HarvestContext } from "../context.ts";
import type { ChainState } from "./chain.ts";

/** Repeats of a window at growing offsets after which the service is taken to ignore `offset`. */
const MOST_REPEATS = 2;
/** Windows without a new key after which the pages are taken to begin anew. */
const MOST_BARREN = 3;
/** Windows that lead no further after which the walk ends. */
const MOST_IDLE = 20;
/** The same for a walk that never led beyond its first page. */
const MOST_IDLE_FIRST = 2;
const MOST_RESTARTS = 3;
/**
 * Numbers of records, and shares of unreadable ones, at which the walk fails before its end, which a small budget might
 * never reach. A page without a readable record has another schema.
 */
const HOPELESS = [
  { records: 1_000, share: 0.1 },
  { records: 20, share: 0.9 },
];

/** Why the walk of a list leads no further, since its pages go round in circles; null while it makes progress. */
export function findLoop(state: ChainState): string | null {
  const { repeats, idle, restarts, offset, furthest, barren } = state;
  if (repeats >= MOST_REPEATS) {
    return `the service sends the same quotes at offset ${offset} as before it`;
  }
  if (barren >= MOST_BARREN) {
    return `the pages up to offset ${state.end} repeat quotes of earlier pages`;
  }
  // No offset but 0 leads on from the first page.
  const isFirst = state.reach <= state.pageSize;
  if (isFirst && offset === 0 && idle > MOST_IDLE_FIRST) return "no page follows the first one";
  if (restarts > MOST_RESTARTS || (restarts > 1 && isFirst))
    return `${restarts} new starts lead no further than ${furthest}`;
  return idle >= MOST_IDLE ? `${idle} windows lead no further than offset ${furthest}` : null;
}

/** @throws {StoppedEarly} when the run exceeds a limit of size */
export function guardAgainstSize({ store, limits }: HarvestContext): void {
  if (store.quotesSeen > limits.maxQuotes) {
    throw new StoppedEarly(
      `Cannot read more than ${limits.maxQuotes} quotes: select fewer by language or tag (docs/config.md)`,
    );
  }
  if (store.bytes > limits.maxWorkBytes) {
    throw new StoppedEarly(
      `Cannot let the working file grow over ${limits.maxWorkBytes / 1e9} GB: select fewer quotes by language or tag (docs/config.md)`,
    );
  }
}

/** Whether so many records could not be read that a run fails at its end. One never fails it, however small the list is. */
export function areTooManyBad(records: number, bad: number, maxUnreadable: number): boolean {
  return bad > 1 && bad / Math.max(1, records) > maxUnreadable;
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
  const tooMany = ended && areTooManyBad(records, bad, maxUnreadable);
  if (!hopeless && !tooMany) return;
  throw new WalkFailed(
    `Cannot trust this harvest: ${bad} of ${records} records could not be read (${store.unreadable}); ${adviceFor(share, store.unreadable)}`,
  );
}

/** Share of unreadable records from which there is no rest to publish. */
const NEARLY_ALL = 0.9;

function adviceFor(share: number, reasons: string): string {
  if (share < NEARLY_ALL) {
    return `--max-unreadable ${Math.min(100, Math.ceil(share * 100))} publishes the rest`;
  }
  return reasons.includes("Cannot read pk")
    ? "a quote needs an integer below 2^53 as its key, in a field pk or id: ask the service for one, or make a file of its quotes (docs/own-quotes.md)"
    : "check that QUOTES_BASE_URL is the address of a quotes service (docs/contract.md)";
}
