/** Progress events and results of a harvest, and the facts that each snapshot stores. */
import type { LearnedQuota } from "./ledger.ts";

/** How complete a harvest is (docs/walk.md, section 1). Only the first two labels may remove quotes. */
export type HarvestLabel =
  "complete:proved" | "complete:sliced" | "best-effort" | "partial" | "failed";

export function isComplete(label: HarvestLabel): boolean {
  return label === "complete:proved" || label === "complete:sliced";
}

/** Stored in each snapshot as the fact `harvest`. */
export interface HarvestFact {
  readonly label: HarvestLabel;
  /** What the label assumes about the service. */
  readonly assumption: string;
  /** ISO 8601, UTC. */
  readonly started: string;
  readonly finished: string;
  /** Requests sent, over all the sessions of the run. */
  readonly requests: number;
  /** Waits that the service asked for: number and total. */
  readonly waits: number;
  readonly waitedMs: number;
  readonly retries: number;
  /** Quotes served more than once in the run: windows overlap. */
  readonly duplicates: number;
  /** Repaired links, plus quotes that only a probe found. */
  readonly repaired: number;
  readonly removed: number;
  /** Records that could not be read. */
  readonly quarantined: number;
}

/** Stored in each snapshot as the fact `source`. */
export interface SourceFact {
  /** The service's host and port, or `embedded`. */
  readonly host: string;
  /** Records in one page; 0 when unknown. */
  readonly pageSize: number;
}

/** Stored as the fact `curated` in each snapshot that knows its curated quotes. */
export interface CuratedFact {
  /** When the curated list was last read to its end, ISO 8601. */
  readonly asOf: string;
  /** Curated quotes of the snapshot. */
  readonly quotes: number;
}

/** How a published collection differs from the one before it. */
export interface CollectionChange {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** Removed because they no longer pass the selection. */
  readonly deselected: number;
}

/** A record that could not be read: its offset in the service's list, and the reason. */
export interface UnreadRecord {
  readonly offset: number;
  readonly reason: string;
}

/** Report of one run; each snapshot stores it as the fact `night`, for the page about the build. */
export interface RunFact {
  readonly change: CollectionChange;
  /** Requests of this run alone; a harvest may take several runs. */
  readonly calls: number;
  /** Null when the host's quota is unknown. */
  readonly quota: LearnedQuota | null;
  /** Why the harvest stopped early; null when it did not. */
  readonly stopped: string | null;
  /** The first few. */
  readonly unread: readonly UnreadRecord[];
  /** One line each: tags that the tag list lacks, a filter that the service ignores. */
  readonly remarks: readonly string[];
}

export interface HarvestResult extends Pick<RunFact, "change" | "stopped" | "remarks"> {
  readonly harvest: HarvestFact;
  /** As stored in the snapshot, where one was published. */
  readonly night: RunFact;
  /** Id of the snapshot that is published now; null for none. */
  readonly snapshot: string | null;
  /** Whether this harvest published it. */
  readonly published: boolean;
  readonly quotes: number;
  readonly languages: Readonly<Record<string, number>>;
  /** When to resume, ISO 8601; null when no wait is needed. */
  readonly resumeAt: string | null;
  /** The first few. */
  readonly quarantined: readonly UnreadRecord[];
  /** Exit status of a process that only harvests. */
  readonly exitStatus: number;
}

/** Progress of a harvest. */
export type HarvestEvent =
  | { readonly kind: "phase"; readonly phase: HarvestPhase }
  | {
      readonly kind: "window";
      readonly windows: number;
      readonly quotes: number;
      /** Quotes expected in all; null when unknown. */
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
