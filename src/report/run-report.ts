/** What a run came to, by those of its stages that ran: the source of the summary, the annotations and the history. */
import type { HarvestFact, RunFact } from "../contract/harvest-result.ts";
import type { MergedNames } from "../contract/merged-names.ts";
import type { BuildReport } from "./build-json.ts";

export interface RunReport {
  /** When the run ended, ISO 8601 in UTC. */
  readonly at: string;
  readonly status: number;
  /** The one line that says why, where the run failed; null where it did not. */
  readonly failure: string | null;
  /** The published snapshot; null where there is none. */
  readonly snapshot: string | null;
  /** The last harvest and its own facts; null where this run has none. */
  readonly harvest: (HarvestFact & RunFact) | null;
  readonly quotes: number | null;
  /** When the data that is shown was read; null when nothing is. */
  readonly dataAsOf: string | null;
  /** Days after which that is called old. */
  readonly staleAfterDays: number;
  readonly merged: MergedNames | null;
  readonly pictures: ReportedPictures | null;
  readonly build: BuildReport | null;
  readonly audit: ReportedAudit | null;
  readonly budget: RunBudget;
  /** Milliseconds by stage, in the order in which they ran. */
  readonly stages: Readonly<Record<string, number>>;
}

/** What the settings and the host allow; null where there is no limit. */
interface RunBudget {
  readonly calls: number | null;
  readonly waitMs: number;
  readonly files: number | null;
  readonly bytes: number | null;
}

interface ReportedPictures {
  readonly made: number;
  readonly reused: number;
  readonly failed: number;
  readonly failures: readonly {
    readonly address: string;
    readonly reason: string;
    readonly detail: string;
  }[];
}

interface ReportedAudit {
  readonly pages: number;
  readonly total: number;
  /** A line each, the first few. */
  readonly findings: readonly string[];
}

/** Whether the data shown is older than the settings call fresh. */
export function isOld({ dataAsOf, at, staleAfterDays }: RunReport): boolean {
  if (dataAsOf === null) return false;
  return Date.parse(at) - Date.parse(dataAsOf) > staleAfterDays * 86_400_000;
}

/** Each budget that has a limit, by name, with the share of it that is spent, from 0. */
export function spentShares({ harvest, build, budget }: RunReport): [string, number][] {
  const calls = budget.calls ?? harvest?.quota?.limit ?? null;
  const spent: [string, number | undefined, number | null][] = [
    ["Calls", harvest?.calls, calls],
    ["Files", build?.files, budget.files],
    ["Bytes", build?.bytes, budget.bytes],
  ];
  return spent.flatMap(([name, used, most]) =>
    used === undefined || most === null ? [] : [[name, used / Math.max(1, most)]],
  );
}
