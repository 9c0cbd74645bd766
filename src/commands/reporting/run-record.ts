/**
 * One run: its settings and the results of its stages. Stages may run in several processes, such as a harvest and a render:
 * `night.json` in the state has the results of earlier ones.
 *
 * A run ends with a report: a line of the history, `report.md` in the state, and the summary and annotations of a CI run. A
 * failure to write the report is logged and does not end the command.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pRetry from "p-retry";
import { z } from "zod";
import { parseJson } from "../../contract/decode.ts";
import { DiskError, StateInUse } from "../../contract/errors.ts";
import { SecretFinder } from "../../util/secrets.ts";
import { asDiskError, atomicWrite, makeFolder } from "../../files/disk.ts";
import { annotationsOf } from "../../report/annotations.ts";
import { addToHistory, readHistory } from "../../report/history.ts";
import { entryOf, type HistoryEntry, type RunReport } from "../../report/run-report.ts";
import { summaryOf } from "../../report/summary.ts";
import type { Settings } from "../../settings/settings.ts";
import { readPointer, takeLock } from "../../snapshot/index.ts";
import type { Served } from "../embedded.ts";
import { log } from "../program.ts";
import { runStages, type Stage } from "../stages.ts";
import { reportOf, type StageResults } from "./make-report.ts";

/** Written by another process of this program, so `parts` is not validated. */
const savedSchema = z.object({
  parts: z.record(z.string(), z.unknown()),
  stages: z.record(z.string(), z.int().min(0)),
  printed: z.array(z.string()),
});

const NAME = "night.json";

export type RunRecord = ReturnType<typeof beginRun>;

/**
 * A run that begins with this process.
 *
 * @param served the embedded service, where the settings name no service
 */
export function beginRun(settings: Settings, signal: AbortSignal, served: Served = {}) {
  return {
    settings,
    signal,
    embeddedUrl: served.embeddedUrl,
    fileRemarks: served.fileRemarks,
    /** Results of the stages of this process. */
    made: {} as StageResults,
    /** Of an earlier process of the run. */
    earlier: {} as StageResults,
    /** Milliseconds by the title of the stage. */
    stages: {} as Record<string, number>,
    /** Annotations that were printed. */
    printed: new Set<string>(),
    /** The last report, for `--json`; undefined before the first. */
    report: undefined as RunReport | undefined,
  };
}

/** Continues the run whose harvest made the published snapshot, or begins a new one. */
export function continueRun(settings: Settings, signal: AbortSignal): RunRecord {
  const record = beginRun(settings, signal);
  const saved = readSaved(join(settings.stateDir, NAME));
  const { harvest }: StageResults = saved?.parts ?? {};
  if (saved === undefined || harvest?.snapshot !== readPointer(settings.stateDir)) return record;
  const { parts: earlier, stages, printed } = saved;
  return { ...record, earlier, stages, printed: new Set(printed) };
}

/** Undefined where the file is missing or invalid: the report then has fewer facts. */
function readSaved(path: string): z.output<typeof savedSchema> | undefined {
  try {
    return savedSchema.safeParse(parseJson(readFileSync(path, "utf8"))).data;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw asDiskError("read", path, error);
  }
}

/**
 * Runs stages and writes the report, also after a failure, which is thrown again.
 *
 * @param hasEnded false where another command continues the run, and adds the line of the history
 */
export async function runAndReport(
  record: RunRecord,
  stages: readonly Stage[],
  hasEnded: () => boolean = () => true,
): Promise<void> {
  try {
    await runStages(stages, record.settings.output.quiet, record.stages);
  } catch (failure) {
    // The other run, which holds the state, writes its own report.
    if (!(failure instanceof StateInUse)) await reportRun(record, failure);
    throw failure;
  }
  await reportRun(record, undefined, hasEnded());
}

/** Results of the whole run. A stage that used what was there says less of the pictures than one that fetched them. */
function resultsOf({ earlier, made }: RunRecord): StageResults {
  const pictures = earlier.pictures ?? made.pictures;
  return { ...earlier, ...made, ...(pictures === undefined ? {} : { pictures }) };
}

/** GitHub drops a summary of more than 1 MiB. */
const MAX_SUMMARY = 500_000;

/**
 * @param failure the error that ended the run, or undefined
 * @param ended false for a run that another process continues
 */
export async function reportRun(record: RunRecord, failure: unknown, ended = true): Promise<void> {
  const { settings, stages, printed } = record;
  const parts = resultsOf(record);
  const { stateDir, ci } = settings;
  const report = (record.report = reportOf(settings, parts, stages, failure));
  const secrets = new SecretFinder(settings.secrets);
  for (const annotation of annotationsOf(report)) {
    const line = secrets.redact(annotation);
    if (ci.annotations && !printed.has(line)) process.stderr.write(`${line}\n`);
    printed.add(line);
  }
  try {
    makeFolder(stateDir);
    const summary = secrets.redact(summaryOf(report, readHistory(stateDir))).slice(0, MAX_SUMMARY);
    atomicWrite(join(stateDir, "report.md"), summary);
    if (ci.summaryFile !== null && ended) appendFileSync(ci.summaryFile, summary);
    if (ended) await addLocked(stateDir, entryOf(report));
    const saved = { parts, stages, printed: [...printed] };
    atomicWrite(join(stateDir, NAME), JSON.stringify(saved));
  } catch (error) {
    const known = error instanceof StateInUse || error instanceof DiskError;
    if (!known && !(error instanceof Error && "code" in error)) throw error;
    log(`Cannot write the report: ${error.message}`);
  }
}

/** Another run holds the state only for the time that it takes to write a line. */
const LOCK_RETRIES = { retries: 19, factor: 1, minTimeout: 100 };

function addLocked(stateDir: string, entry: HistoryEntry): Promise<void> {
  const add = (): void => {
    using _lock = takeLock(stateDir);
    addToHistory(stateDir, entry);
  };
  return pRetry(add, { ...LOCK_RETRIES, shouldRetry: ({ error }) => error instanceof StateInUse });
}
