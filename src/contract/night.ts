/**
 * What a night tells besides its quotes: kept in the snapshot, so that the page about a build says the same however
 * often it is made.
 */
import type { CollectionChange, HarvestResult } from "./harvest-result.ts";
import type { LearnedQuota } from "./ledger.ts";

/** Kept in each snapshot as the fact `night`. */
export interface NightFact {
  readonly change: CollectionChange;
  /** Requests of this night alone; a run may take several. */
  readonly calls: number;
  /** Null when nothing is known of the host's quota. */
  readonly quota: LearnedQuota | null;
  readonly stopped: string | null;
  /** Records that could not be read, with reasons: the first few. */
  readonly unread: HarvestResult["quarantined"];
  readonly remarks: readonly string[];
}

/** Spellings that are one name: the one that is shown, and the others. */
export interface MergedName {
  readonly kind: "author" | "tag";
  readonly name: string;
  readonly others: readonly string[];
}

export interface MergedNames {
  readonly total: number;
  /** The first few, largest first. */
  readonly first: readonly MergedName[];
}
