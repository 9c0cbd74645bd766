/** Makes the report of a run from the results of its stages, and its line in the history. */
import { EXIT, Refusal } from "../../contract/errors.ts";
import type { HarvestFact, HarvestResult } from "../../contract/harvest-result.ts";
import { printable } from "../../contract/printable.ts";
import type { BuildEntry } from "../../contract/build-entry.ts";
import { lineOf } from "../../audit/finding.ts";
import type { RunReport } from "../../report/run-report.ts";
import type { Settings } from "../../settings/settings.ts";
import { openSiteAs } from "../../site/index.ts";
import { openPublished } from "../../snapshot/index.ts";
import type { PictureReport } from "../../images/report.ts";
import { presetOf } from "../host/limits.ts";
import type { RunRecord } from "./run-record.ts";

/** Of pictures and findings, in what a program reads. */
const NAMED = 50;

/** @param failure what ended the run; undefined where nothing did */
export function collect(
  settings: Settings,
  record: RunRecord,
  failure: unknown,
  now: Date,
): RunReport {
  const { harvest, pictures, build, audit } = record.parts;
  const published = publishedIn(settings.stateDir);
  const { limits } = presetOf(settings);
  return {
    at: now.toISOString(),
    status: failure === undefined ? (harvest?.exitStatus ?? EXIT.done) : statusOf(failure),
    failure: failure === undefined ? stoppedWithNothing(harvest) : messageOf(failure),
    snapshot: published?.id ?? null,
    harvest: harvest === undefined ? null : { ...harvest.harvest, ...harvest.night },
    quotes: published?.quotes ?? null,
    dataAsOf: published?.harvest?.finished ?? null,
    staleAfterDays: settings.site.staleAfterDays,
    merged: build === undefined ? null : mergedIn(settings),
    pictures: pictures === undefined ? null : picturesOf(pictures),
    build: build ?? null,
    audit:
      audit === undefined
        ? null
        : {
            pages: audit.pages,
            total: audit.total,
            findings: audit.findings.slice(0, NAMED).map(lineOf),
          },
    budget: {
      calls: settings.walk.maxRequests,
      waitMs: settings.walk.maxWaitMs,
      files: limits.files,
      bytes: limits.bytes,
    },
    stages: record.stages,
  };
}

export function entryOf(report: RunReport): BuildEntry {
  const { harvest, build, pictures } = report;
  return {
    at: report.at,
    status: report.status,
    snapshot: report.snapshot,
    label: harvest?.label ?? null,
    quotes: report.quotes,
    change: harvest === null ? null : three(harvest.change),
    calls: harvest?.calls ?? null,
    waitedMs: harvest === null ? null : Math.round(harvest.waitedMs),
    retries: harvest?.retries ?? null,
    quarantined: harvest?.quarantined ?? null,
    pages: build === null ? null : three(build.changes),
    pictures:
      pictures === null
        ? null
        : { made: pictures.made, reused: pictures.reused, failed: pictures.failed },
    files: build?.files ?? null,
    bytes: build?.bytes ?? null,
    findings: report.audit?.total ?? null,
    stages: { ...report.stages },
  };
}

/** Id of the published snapshot; null when there is none. */
export function snapshotIn(stateDir: string): string | null {
  return publishedIn(stateDir)?.id ?? null;
}

interface Published {
  readonly id: string;
  readonly quotes: number;
  readonly harvest: HarvestFact | undefined;
}

function publishedIn(stateDir: string): Published | null {
  const snapshot = openPublished(stateDir);
  if (snapshot === null) return null;
  try {
    const harvest = snapshot.fact<HarvestFact>("harvest");
    return { id: snapshot.id, quotes: snapshot.count(), harvest };
  } finally {
    snapshot.close();
  }
}

function mergedIn(settings: Settings): RunReport["merged"] {
  const site = openSiteAs(settings);
  try {
    return site.lastBuild().merged;
  } finally {
    site.close();
  }
}

function picturesOf({ made, reused, failed, failures }: PictureReport): RunReport["pictures"] {
  return { made, reused, failed, failures: failures.slice(0, NAMED) };
}

function three({ added, changed, removed }: Three): Three {
  return { added, changed, removed };
}

type Three = Pick<HarvestResult["change"], "added" | "changed" | "removed">;

/** Why a harvest that was cut short left nothing to publish; null where it left something. */
function stoppedWithNothing(harvest: HarvestResult | undefined): string | null {
  if (harvest === undefined || harvest.exitStatus === EXIT.done) return null;
  return printable(harvest.stopped ?? "the harvest was cut short");
}

function statusOf(failure: unknown): number {
  return failure instanceof Refusal ? failure.exitStatus : EXIT.bug;
}

function messageOf(failure: unknown): string {
  return printable(failure instanceof Error ? failure.message : String(failure));
}
