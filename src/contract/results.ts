/** Progress events and results of a harvest, the facts that each snapshot stores, and the history of builds. */
import { z } from "zod";
import type { LearnedQuota } from "./ledger.ts";
import { parseJson } from "./decode.ts";

/** How complete a harvest is (docs/walk.md, section 1). Only the first two labels may remove quotes. */
export type HarvestLabel = "complete:proved" | "complete:sliced" | "best-effort" | "partial";

export function isComplete(label: HarvestLabel): boolean {
  return label === "complete:proved" || label === "complete:sliced";
}

/** Result of a harvest; each snapshot stores it as the fact `harvest`. */
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

/** The host of the embedded service in the state: its port differs in each run. */
export const EMBEDDED = "embedded";

/** The same for a file of the operator's own quotes, which may move or change its format. */
export const OWN = "own-quotes";

/** Stored in each snapshot as the fact `source`. */
export interface SourceFact {
  /** The service's host, port and path, or `embedded`, or `own-quotes`. */
  readonly host: string;
  /** Scheme, host and port of the service; absent where there is none, and in snapshots of older versions. */
  readonly origin?: string;
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

/** How a published collection differs from the previous one. */
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

const count = z.int().min(0);
const changes = z.object({ added: count, changed: count, removed: count });

/** A build in the history, also one that failed. It holds numbers only, no text that the service sent. */
export const buildEntrySchema = z.object({
  /** When the build ended, ISO 8601 in UTC. */
  at: z.iso.datetime(),
  /** Exit status of the process. */
  status: z.int().min(0).max(255),
  /** Id of the snapshot published then; null for none. */
  snapshot: z.string().max(100).nullable(),
  /** Label of the harvest that made the snapshot. */
  label: z.string().max(40).nullable(),
  quotes: count.nullable(),
  change: changes.nullable(),
  /** Requests of the run, milliseconds waited because the service asked for it, retries, unreadable records. */
  calls: count.nullable(),
  waitedMs: count.nullable(),
  retries: count.nullable(),
  quarantined: count.nullable(),
  /** Pages that differ from the previous build. */
  pages: changes.nullable(),
  pictures: z.object({ made: count, reused: count, failed: count }).nullable(),
  files: count.nullable(),
  bytes: count.nullable(),
  /** Null where no audit was made. */
  findings: count.nullable(),
  /** Milliseconds of each stage, by its title. */
  stages: z.record(z.string().max(40), count),
});

export type BuildEntry = z.output<typeof buildEntrySchema>;

/** Milliseconds of all stages. */
export function durationOf({ stages }: BuildEntry): number {
  return Object.values(stages).reduce((sum, ms) => sum + ms, 0);
}

/** Reads a line of the history; null when it is not an entry. */
export function readEntry(line: string): BuildEntry | null {
  return buildEntrySchema.safeParse(parseJson(line)).data ?? null;
}

/** Names of which several spellings count as one. */
export interface MergedNames {
  readonly total: number;
  /** The first few, largest first: the spelling shown, and the others. */
  readonly first: {
    readonly kind: "author" | "tag";
    readonly name: string;
    readonly others: readonly string[];
  }[];
}
