/** The result of a harvest, and what it reports meanwhile. */
import type { HarvestFact, RunFact, UnreadRecord } from "./facts.ts";

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
