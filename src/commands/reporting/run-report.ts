/** What a run came to, by those of its stages that ran: the source of the summary, the annotations and the history. */
import type { AuditReport } from "../../audit/audit.ts";
import { lineOf } from "../../audit/finding.ts";
import {
  buildEntrySchema,
  type BuildEntry,
  type HarvestFact,
  type HarvestResult,
} from "../../contract/results.ts";
import { EXIT, Refusal } from "../../contract/errors.ts";
import { printable } from "../../contract/text.ts";
import type { PictureReport } from "../../images/thumbnails.ts";
import type { BuildReport } from "../../report/build-json.ts";
import type { Settings } from "../../settings/settings.ts";
import { openSiteAs } from "../../site/index.ts";
import { openPublished } from "../../snapshot/index.ts";
import { presetOf } from "../host-limits.ts";

/** Results that the report of a run needs, some of them of an earlier process. */
export interface StageResults {
  harvest?: HarvestResult;
  pictures?: PictureReport;
  build?: BuildReport;
  audit?: AuditReport;
}

export type RunReport = Readonly<ReturnType<typeof reportOf>>;

/** Findings of the audit that are listed. */
const NAMED = 50;

/**
 * @param stages milliseconds by stage, in the order in which they ran
 * @param failure what ended the run; undefined where nothing did
 */
export function reportOf(
  settings: Settings,
  { harvest, pictures, build, audit }: StageResults,
  stages: Readonly<Record<string, number>>,
  failure: unknown,
) {
  using snapshot = openPublished(settings.stateDir);
  using site = build === undefined ? null : openSiteAs(settings);
  const { files, bytes } = presetOf(settings).limits;
  const { maxRequests: calls, maxWaitMs: waitMs } = settings.walk;
  const failed = failure !== undefined;
  const status = failure instanceof Refusal ? failure.exitStatus : EXIT.bug;
  const message = failure instanceof Error ? failure.message : String(failure);
  // A harvest that was cut short may have left nothing to publish.
  const hasNothing = harvest !== undefined && harvest.exitStatus !== EXIT.done;
  const why = hasNothing ? printable(harvest.stopped ?? "the harvest was cut short") : null;
  return {
    /** When the run ended, ISO 8601 in UTC. */
    at: new Date(settings.now()).toISOString(),
    status: failed ? status : (harvest?.exitStatus ?? EXIT.done),
    /** The one line that says why, where the run failed; null where it did not. */
    failure: failed ? printable(message) : why,
    /** The published snapshot; null where there is none. */
    snapshot: snapshot?.id ?? null,
    /** The last harvest and its own facts; null where this run has none. */
    harvest: harvest === undefined ? null : { ...harvest.harvest, ...harvest.night },
    quotes: snapshot?.count() ?? null,
    /** When the data that is shown was read; null when nothing is. */
    dataAsOf: snapshot?.fact<HarvestFact>("harvest")?.finished ?? null,
    /** Days after which that is called old. */
    staleAfterDays: settings.site.staleAfterDays,
    merged: site?.lastBuild().merged ?? null,
    pictures: pictures === undefined ? null : namedOf(pictures),
    build: build ?? null,
    audit: audit === undefined ? null : findingsOf(audit),
    /** What the settings and the host allow; null where there is no limit. */
    budget: { calls, waitMs, files, bytes },
    stages,
  };
}

function namedOf({ made, reused, failed, failures }: PictureReport) {
  return { made, reused, failed, failures };
}

function findingsOf({ pages, total, findings }: AuditReport) {
  return { pages, total, findings: findings.slice(0, NAMED).map(lineOf) };
}

/** The line of the history: what the schema knows of the report. */
export function entryOf(report: RunReport): BuildEntry {
  const { harvest, build, audit } = report;
  return buildEntrySchema.parse({
    ...report,
    label: harvest?.label ?? null,
    change: harvest?.change ?? null,
    calls: harvest?.calls ?? null,
    waitedMs: harvest === null ? null : Math.round(harvest.waitedMs),
    retries: harvest?.retries ?? null,
    quarantined: harvest?.quarantined ?? null,
    pages: build?.changes ?? null,
    files: build?.files ?? null,
    bytes: build?.bytes ?? null,
    findings: audit?.total ?? null,
  } satisfies Record<keyof BuildEntry, unknown>);
}

/** Whether the data shown is older than the settings call fresh. */
export function isOld({ dataAsOf, at, staleAfterDays }: RunReport): boolean {
  if (dataAsOf === null) return false;
  return Date.parse(at) - Date.parse(dataAsOf) > staleAfterDays * 86_400_000;
}

/** Each budget that has a limit, by name, with the share of it that is spent, from 0. */
export function spentShares({ harvest, build, budget }: RunReport): [string, number][] {
  const spent: [string, number | undefined, number | null | undefined][] = [
    ["Calls", harvest?.calls, budget.calls ?? harvest?.quota?.limit],
    ["Files", build?.files, budget.files],
    ["Bytes", build?.bytes, budget.bytes],
  ];
  return spent.flatMap(([name, used, most]): [string, number][] =>
    used === undefined || typeof most !== "number" ? [] : [[name, used / Math.max(1, most)]],
  );
}
