/**
 * Reports a run: a line of the history, `report.md` in the state, the summary and the annotations of a CI run.
 *
 * A report that cannot be written ends no build: one line says so.
 */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { BuildEntry } from "../../contract/results.ts";
import { DiskError, StateInUse } from "../../contract/errors.ts";
import { SecretFinder } from "../../contract/secrets.ts";
import { atomicWrite, makeFolder } from "../../files/disk.ts";
import { addToHistory } from "../../report/history.ts";
import type { Settings } from "../../settings/settings.ts";
import { takeLock } from "../../snapshot/lock.ts";
import { log } from "../program.ts";
import { runStages, type Stage } from "../stages.ts";
import { annotationsOf } from "./annotations.ts";
import { entryOf, reportOf } from "./run-report.ts";
import type { RunRecord } from "./run-record.ts";
import { summaryOf } from "./summary.ts";

/** Another run may hold the state for the moment it takes to write a line. */
const LOCK_TRIES = 20;
const LOCK_WAIT_MS = 100;

/** GitHub drops a summary of more than 1 MiB. */
const MOST_SUMMARY = 500_000;

/**
 * Runs the stages of a run and reports it, however it ends; a failure is thrown again.
 *
 * @param hasEnded false after a harvest alone: the command that renders its snapshot adds the line of the history
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
    if (!(failure instanceof StateInUse)) await reportRun(settings, record, failure);
    throw failure;
  }
  await reportRun(settings, record, undefined, hasEnded());
}

/**
 * Reports a run; the report is in `record.report` then, for `--json`.
 *
 * @param failure what ended the run; undefined where nothing did
 * @param ended false for a run that another process will go on with
 */
export async function reportRun(
  settings: Settings,
  record: RunRecord,
  failure: unknown,
  ended = true,
): Promise<void> {
  const { stateDir, ci } = settings;
  const { parts, stages } = record;
  const report = (record.report = reportOf(settings, parts, stages, failure));
  const secrets = new SecretFinder(settings.secrets);
  const fresh = annotationsOf(report)
    .map((line) => secrets.redact(line))
    .filter((line) => !record.printed.has(line));
  if (ci.annotations) for (const line of fresh) process.stderr.write(`${line}\n`);
  for (const line of fresh) record.printed.add(line);
  try {
    makeFolder(stateDir);
    const summary = secrets.redact(summaryOf(report)).slice(0, MOST_SUMMARY);
    atomicWrite(join(stateDir, "report.md"), summary);
    if (ci.summaryFile !== null && ended) appendFileSync(ci.summaryFile, summary);
    if (ended) await addLocked(stateDir, entryOf(report));
    record.save(stateDir);
  } catch (error) {
    const known = error instanceof StateInUse || error instanceof DiskError;
    if (!known && !(error instanceof Error && "code" in error)) throw error;
    log(`Cannot write the report: ${error.message}`);
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
