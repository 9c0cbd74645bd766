/** The facts of a run for the summary, the annotations and the history, from the results of its stages. */
import type { AuditReport } from "../../audit/audit.ts";
import { lineOf } from "../../audit/finding.ts";
import {
  buildEntrySchema,
  type BuildEntry,
  type HarvestFact,
  type HarvestResult,
} from "../../contract/results.ts";
import { EXIT, Refusal, StoppedEarly } from "../../contract/errors.ts";
import { printable } from "../../util/text.ts";
import type { PictureReport } from "../../images/thumbnails.ts";
import type { BuildReport } from "../../report/build-json.ts";
import type { Settings } from "../../settings/settings.ts";
import { openSiteAs } from "../../site/index.ts";
import { openPublished } from "../../snapshot/index.ts";
import { presetOf } from "../../hosts/fit.ts";
import { linesOf, type Notes } from "./notes.ts";

/** Results that a report needs; some may come from an earlier process. */
export interface StageResults {
  harvest?: HarvestResult;
  pictures?: PictureReport;
  build?: BuildReport;
  audit?: AuditReport;
  notes?: Notes;
}

export type RunReport = Readonly<ReturnType<typeof reportOf>>;

/** Listed findings of the audit. */
const NAMED = 50;

/**
 * @param stages milliseconds by stage, in the order in which they ran
 * @param failure the error that ended the run, or undefined
 */
export function reportOf(
  settings: Settings,
  { harvest, pictures, build, audit, notes }: StageResults,
  stages: Readonly<Record<string, number>>,
  failure: unknown,
) {
  using snapshot = openPublished(settings.stateDir);
  using site = build === undefined ? null : openSiteAs(settings);
  const { files, bytes } = presetOf(settings).limits;
  const { maxRequests: calls, maxWaitMs: waitMs } = settings.walk;
  const error: unknown = failure ?? refusalIn(harvest);
  const status = error instanceof Refusal ? error.exitStatus : EXIT.bug;
  const message = error instanceof Error ? error.message : String(error);
  return {
    /** When the run ended, ISO 8601 in UTC. */
    at: new Date(settings.now()).toISOString(),
    status: error === undefined ? EXIT.done : status,
    /** The reason, in one line; null for a run that did not fail. */
    failure: error === undefined ? null : printable(message),
    snapshot: snapshot?.id ?? null,
    /** Null for a run without a harvest. */
    harvest: harvest === undefined ? null : { ...harvest.harvest, ...harvest.night },
    quotes: snapshot?.count() ?? null,
    /** When the published quotes were read; null without a snapshot. */
    dataAsOf: snapshot?.fact<HarvestFact>("harvest")?.finished ?? null,
    staleAfterDays: settings.site.staleAfterDays,
    merged: site?.lastBuild().merged ?? null,
    pictures: pictures === undefined ? null : namedOf(pictures),
    build: build ?? null,
    audit: audit === undefined ? null : findingsOf(audit),
    /** One line each. */
    notes: linesOf(notes),
    /** Limits of the settings and the host; null for no limit. */
    budget: { calls, waitMs, files, bytes },
    stages,
  };
}

/** Why a harvest ended without a snapshot to publish; undefined where there is one. */
export function refusalIn(harvest: HarvestResult | undefined): StoppedEarly | undefined {
  if (harvest === undefined || harvest.exitStatus === EXIT.done) return undefined;
  return new StoppedEarly(harvest.stopped ?? "Cannot continue");
}

function namedOf({ made, reused, failed, failures }: PictureReport) {
  return { made, reused, failed, failures };
}

function findingsOf({ pages, total, findings }: AuditReport) {
  return { pages, total, findings: findings.slice(0, NAMED).map(lineOf) };
}

/** The line of the history: the fields of the schema. */
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

export function isOld({ dataAsOf, at, staleAfterDays }: RunReport): boolean {
  if (dataAsOf === null) return false;
  return Date.parse(at) - Date.parse(dataAsOf) > staleAfterDays * 86_400_000;
}

/** The spent share of each budget that has a limit, from 0. */
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
