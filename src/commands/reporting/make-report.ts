/** The report of a run, from the results of its stages, the published snapshot and the settings. */
import type { AuditReport } from "../../audit/audit.ts";
import { lineOf } from "../../audit/finding.ts";
import { EXIT, Refusal, StoppedEarly } from "../../contract/errors.ts";
import type { HarvestResult } from "../../contract/results.ts";
import type { HostReport } from "../../hosts/prepare-host.ts";
import { presetOf } from "../../hosts/fit.ts";
import type { OgReport } from "../../images/og/make-images.ts";
import type { PictureReport } from "../../images/thumbnails.ts";
import type { RenderReport } from "../../render/render-channel.ts";
import type { MergeReport } from "../../render/shards.ts";
import type { BuildReport, RunReport } from "../../report/run-report.ts";
import type { SearchReport } from "../../search/index-site.ts";
import type { Settings } from "../../settings/settings.ts";
import { openSiteAs } from "../../site/index.ts";
import { openPublished } from "../../snapshot/index.ts";
import { printable } from "../../util/text.ts";
import { linesOf, type Notes } from "./notes.ts";

/** What each stage returned; missing where it did not run. */
export interface StageResults {
  notes?: Notes;
  harvest?: HarvestResult;
  pictures?: PictureReport;
  cards?: OgReport;
  render?: RenderReport;
  merge?: MergeReport;
  search?: SearchReport;
  host?: HostReport;
  report?: BuildReport;
  audit?: AuditReport;
}

/** Listed findings of the audit. */
const NAMED = 50;

/**
 * @param stages milliseconds by stage, in the order in which they ran
 * @param failure the error that ended the run, or undefined
 */
export function reportOf(
  settings: Settings,
  { harvest, pictures, report: build, audit, notes }: StageResults,
  stages: Readonly<Record<string, number>>,
  failure: unknown,
): RunReport {
  using snapshot = openPublished(settings.stateDir);
  using site = build === undefined ? null : openSiteAs(settings);
  const { files, bytes } = presetOf(settings).limits;
  const { maxRequests: calls, maxWaitMs: waitMs } = settings.walk;
  const error: unknown = failure ?? refusalIn(harvest);
  const status = error instanceof Refusal ? error.exitStatus : EXIT.bug;
  const message = error instanceof Error ? error.message : String(error);
  return {
    at: new Date(settings.now()).toISOString(),
    status: error === undefined ? EXIT.done : status,
    failure: error === undefined ? null : printable(message),
    snapshot: snapshot?.id ?? null,
    harvest: harvest === undefined ? null : { ...harvest.harvest, ...harvest.night },
    quotes: snapshot?.count() ?? null,
    dataAsOf: snapshot?.fact("harvest")?.finished ?? null,
    staleAfterDays: settings.site.staleAfterDays,
    merged: site?.lastBuild().merged ?? null,
    pictures: pictures === undefined ? null : namedOf(pictures),
    build: build ?? null,
    audit: audit === undefined ? null : findingsOf(audit),
    notes: linesOf(notes),
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
