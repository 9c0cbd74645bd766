/** What a harvest tells while it runs and when it has ended. */
import type { LearnedQuota } from "./ledger.ts";

/**
 * How far the published collection can be trusted (docs/walk.md, section 1). Only the first two may remove quotes.
 */
export type HarvestLabel =
  "complete:proved" | "complete:sliced" | "best-effort" | "partial" | "failed";

export function isComplete(label: HarvestLabel): boolean {
  return label === "complete:proved" || label === "complete:sliced";
}

/** Kept in each snapshot as the fact `harvest`. */
export interface HarvestFact {
  readonly label: HarvestLabel;
  /** What must be true of the service for the label to be. */
  readonly assumption: string;
  /** ISO 8601, UTC. */
  readonly started: string;
  readonly finished: string;
  /** Requests sent, over all the sessions of the run. */
  readonly requests: number;
  /** Times the service asked to wait, and how long that took in all. */
  readonly waits: number;
  readonly waitedMs: number;
  readonly retries: number;
  /** Quotes served more than once in the run, as overlapping windows make them. */
  readonly duplicates: number;
  /** Broken links mended, and quotes found only by asking for them. */
  readonly repaired: number;
  readonly removed: number;
  /** Records that could not be read. */
  readonly quarantined: number;
}

/** Kept in each snapshot as the fact `source`. */
export interface SourceFact {
  /** The service's host and port, or `embedded`. */
  readonly host: string;
  /** Records that it sends in one page; 0 when that was not found out. */
  readonly pageSize: number;
}

/** Kept in each snapshot that knows which of its quotes are curated, as the fact `curated`. */
export interface CuratedFact {
  /** When the list of curated quotes was last read to its end, ISO 8601. */
  readonly asOf: string;
  /** Curated quotes of the snapshot. */
  readonly quotes: number;
}

/** How a published collection differs from the one before it. */
export interface CollectionChange {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** Left out because the selection no longer asks for them. */
  readonly deselected: number;
}

/** A record that could not be read: where it stood in the service's list, and why. */
export interface UnreadRecord {
  readonly offset: number;
  readonly reason: string;
}

/** What a harvest reports besides its quotes; each snapshot keeps it as the fact `night`, for the page about the build. */
export interface RunFact {
  readonly change: CollectionChange;
  /** Requests of this run alone; a harvest may take several runs. */
  readonly calls: number;
  /** Null when nothing is known of the host's quota. */
  readonly quota: LearnedQuota | null;
  readonly stopped: string | null;
  /** The first few. */
  readonly unread: readonly UnreadRecord[];
  readonly remarks: readonly string[];
}

export interface HarvestResult {
  readonly harvest: HarvestFact;
  /** The same as it is kept in the snapshot, where one was published. */
  readonly night: RunFact;
  /** The snapshot that stands now; null when none does. */
  readonly snapshot: string | null;
  /** Whether this harvest published it. */
  readonly published: boolean;
  readonly quotes: number;
  readonly languages: Readonly<Record<string, number>>;
  readonly change: CollectionChange;
  /** Why it ended before the collection did; null when it did not. */
  readonly stopped: string | null;
  /** When to go on, ISO 8601; null when there is nothing to wait for. */
  readonly resumeAt: string | null;
  /** The first few. */
  readonly quarantined: readonly UnreadRecord[];
  /** Remarks worth a line each: tags without an entry in the list, a filter the service ignores. */
  readonly remarks: readonly string[];
  /** What a process that only harvests exits with. */
  readonly exitStatus: number;
}

/** What happens during a harvest, to be shown as progress. */
export type HarvestEvent =
  | { readonly kind: "phase"; readonly phase: HarvestPhase }
  | {
      readonly kind: "window";
      readonly windows: number;
      readonly quotes: number;
      /** Quotes expected in all; null when nothing is known. */
      readonly expected: number | null;
    }
  | { readonly kind: "call"; readonly requests: number }
  | {
      readonly kind: "wait";
      /** Milliseconds since the epoch. */
      readonly until: number;
      readonly why: string;
    }
  | { readonly kind: "retry"; readonly why: string }
  | { readonly kind: "remark"; readonly text: string };

export type HarvestPhase =
  "walk" | "audit" | "slice" | "freshen" | "reconcile" | "tags" | "curated" | "publish";

export type ReportHarvest = (event: HarvestEvent) => void;
