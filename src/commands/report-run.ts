/**
 * Reports a run: a line of the history, `report.md` in the state, the summary and the annotations of a CI run.
 *
 * A report that cannot be written ends no build: one line says so.
 */
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { lineOf } from "../audit/finding.ts";
import type { BuildEntry } from "../contract/build-entry.ts";
import { DiskError, EXIT, Refusal, StateInUse } from "../contract/errors.ts";
import type { HarvestFact, HarvestResult } from "../contract/harvest-result.ts";
import { printable } from "../contract/printable.ts";
import { SecretFinder } from "../contract/secrets/finder.ts";
import { atomicWrite } from "../files/atomic-write.ts";
import { annotationsOf } from "../report/annotations.ts";
import { addToHistory } from "../report/history.ts";
import type { RunReport } from "../report/run-report.ts";
import { summaryOf } from "../report/summary.ts";
import type { Settings } from "../settings/settings.ts";
import { openSiteAs } from "../site/index.ts";
import { openPublished } from "../snapshot/index.ts";
import { takeLock } from "../snapshot/lock.ts";
import { presetOf } from "./host-limits.ts";
import { say } from "./program.ts";
import type { RunRecord } from "./run-record.ts";
import { runStages, type Stage } from "./stages.ts";

/** Another run may hold the state for the moment it takes to write a line. */
const LOCK_TRIES = 20;
const LOCK_WAIT_MS = 100;

/** GitHub drops a summary of more than 1 MiB. */
const MOST_SUMMARY = 500_000;

/** Of pictures and findings, in what a program reads. */
const NAMED = 50;

export interface RunEnd {
  /** What ended the run; undefined where nothing did. */
  readonly failure?: unknown;
  /** Whether the run ends here. After a harvest alone, the command that renders its snapshot adds the line of the history. */
  readonly ended: boolean;
}

/**
 * Runs the stages of a run and reports it, however it ends; a failure is thrown again.
 *
 * @param hasEnded false after stages that another process will go on with
 */
export async function runAndReport(
  settings: Settings,
  record: RunRecord,
  stages: readonly Stage[],
  hasEnded: () => boolean = () => true,
): Promise<void> {
  try {
    await runStages(stages, settings.output.quiet, record.stages);
  } catch (failure) {
    // The run that holds the state reports itself.
    if (!(failure instanceof StateInUse))
      await reportRun(settings, record, { failure, ended: true });
    throw failure;
  }
  await reportRun(settings, record, { ended: hasEnded() });
}

/** Reports a run; the report is in `record.report` then, for `--json`. */
export async function reportRun(settings: Settings, record: RunRecord, how: RunEnd): Promise<void> {
  const { stateDir, ci } = settings;
  const report = (record.report = reportOf(settings, record, how.failure));
  const secrets = new SecretFinder(settings.secrets);
  const fresh = annotationsOf(report)
    .map((line) => secrets.redact(line))
    .filter((line) => !record.printed.has(line));
  if (ci.annotations) for (const line of fresh) process.stderr.write(`${line}\n`);
  for (const line of fresh) record.printed.add(line);
  try {
    mkdirSync(stateDir, { recursive: true });
    const summary = secrets.redact(summaryOf(report).slice(0, MOST_SUMMARY));
    atomicWrite(join(stateDir, "report.md"), summary);
    if (ci.summaryFile !== null && how.ended) appendFileSync(ci.summaryFile, summary);
    if (how.ended) await addLocked(stateDir, entryOf(report));
    record.save(stateDir);
  } catch (error) {
    const known = error instanceof StateInUse || error instanceof DiskError;
    if (!known && !(error instanceof Error && "code" in error)) throw error;
    say(`Cannot write the report: ${error.message}`);
  }
}

async function addLocked(stateDir: string, entry: BuildEntry): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      using _lock = takeLock(stateDir);
      return addToHistory(stateDir, entry);
    } catch (error) {
      if (!(error instanceof StateInUse) || tries === LOCK_TRIES) throw error;
      await setTimeout(LOCK_WAIT_MS);
    }
  }
}

/** @param failure what ended the run; undefined where nothing did */
function reportOf(settings: Settings, { parts, stages }: RunRecord, failure: unknown): RunReport {
  const { harvest, pictures, build, audit } = parts;
  using snapshot = openPublished(settings.stateDir);
  using site = build === undefined ? null : openSiteAs(settings);
  const { files, bytes } = presetOf(settings).limits;
  const { maxRequests: calls, maxWaitMs: waitMs } = settings.walk;
  const failed = failure !== undefined;
  return {
    at: new Date(settings.now()).toISOString(),
    status: failed ? statusOf(failure) : (harvest?.exitStatus ?? EXIT.done),
    failure: failed ? messageOf(failure) : stoppedWithNothing(harvest),
    snapshot: snapshot?.id ?? null,
    harvest: harvest === undefined ? null : { ...harvest.harvest, ...harvest.night },
    quotes: snapshot?.count() ?? null,
    dataAsOf: snapshot?.fact<HarvestFact>("harvest")?.finished ?? null,
    staleAfterDays: settings.site.staleAfterDays,
    merged: site?.lastBuild().merged ?? null,
    pictures:
      pictures === undefined
        ? null
        : { ...ofPictures(pictures), failures: pictures.failures.slice(0, NAMED) },
    build: build ?? null,
    audit:
      audit === undefined
        ? null
        : {
            ...{ pages: audit.pages, total: audit.total },
            findings: audit.findings.slice(0, NAMED).map(lineOf),
          },
    budget: { calls, waitMs, files, bytes },
    stages,
  };
}

function entryOf(report: RunReport): BuildEntry {
  const { at, status, snapshot, quotes, harvest, build, pictures, audit, stages } = report;
  return {
    ...{ at, status, snapshot, quotes },
    label: harvest?.label ?? null,
    change: harvest === null ? null : ofChange(harvest.change),
    calls: harvest?.calls ?? null,
    waitedMs: harvest === null ? null : Math.round(harvest.waitedMs),
    retries: harvest?.retries ?? null,
    quarantined: harvest?.quarantined ?? null,
    pages: build === null ? null : ofChange(build.changes),
    pictures: pictures === null ? null : ofPictures(pictures),
    files: build?.files ?? null,
    bytes: build?.bytes ?? null,
    findings: audit?.total ?? null,
    stages: { ...stages },
  };
}

type Change = NonNullable<BuildEntry["change"]>;
type Pictures = NonNullable<BuildEntry["pictures"]>;
const ofChange = ({ added, changed, removed }: Change): Change => ({ added, changed, removed });
const ofPictures = ({ made, reused, failed }: Pictures): Pictures => ({ made, reused, failed });

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
