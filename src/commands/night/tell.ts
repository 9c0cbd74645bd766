/**
 * Tells a night to everybody who asks: the history, `report.md` in the state, the CI run's summary and its annotations.
 *
 * It ends no build: where the report cannot be written, one line says so.
 */
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { SecretFinder } from "../../contract/secrets/finder.ts";
import { DiskError, StateInUse } from "../../contract/errors.ts";
import { atomicWrite } from "../../files/atomic-write.ts";
import { addToHistory } from "../../report/history.ts";
import { annotationsOf } from "../../report/annotations.ts";
import { summaryOf } from "../../report/summary.ts";
import type { Settings } from "../../settings/settings.ts";
import { takeLock } from "../../snapshot/lock.ts";
import { collect, entryOf } from "./collect.ts";
import { say } from "../program.ts";
import type { Night } from "./night.ts";

/** Another run may hold the state for the moment it takes to write a line. */
const LOCK_TRIES = 20;
const LOCK_WAIT_MS = 100;

/** GitHub drops a summary of more than 1 MiB. */
const MOST_SUMMARY = 500_000;

export interface TellHow {
  /** What ended the night; undefined where nothing did. */
  readonly failure?: unknown;
  /** Whether the night ends here: a harvest alone is told, and its line written by what makes the site of it. */
  readonly ended: boolean;
}

/** What was told is in `night.report`, for `--json`. */
export async function tell(settings: Settings, night: Night, how: TellHow): Promise<void> {
  const { stateDir, ci } = settings;
  const report = (night.report = collect(settings, night, how.failure, new Date(settings.now())));
  const secrets = new SecretFinder(settings.secrets);
  const fresh = annotationsOf(report)
    .map((line) => secrets.redact(line))
    .filter((line) => !night.told.has(line));
  if (ci.annotations) for (const line of fresh) process.stderr.write(`${line}\n`);
  for (const line of fresh) night.told.add(line);
  try {
    mkdirSync(stateDir, { recursive: true });
    const summary = secrets.redact(summaryOf(report).slice(0, MOST_SUMMARY));
    atomicWrite(join(stateDir, "report.md"), summary);
    if (ci.summaryFile !== null && how.ended) appendFileSync(ci.summaryFile, summary);
    if (how.ended) await locked(stateDir, () => addToHistory(stateDir, entryOf(report)));
    night.save(stateDir);
  } catch (error) {
    const known = error instanceof StateInUse || error instanceof DiskError;
    if (!known && !(error instanceof Error && "code" in error)) throw error;
    say(`Cannot write the report: ${error.message}`);
  }
}

async function locked(stateDir: string, work: () => void): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      const lock = takeLock(stateDir);
      try {
        work();
      } finally {
        lock.release();
      }
      return;
    } catch (error) {
      if (!(error instanceof StateInUse) || tries === LOCK_TRIES) throw error;
      await setTimeout(LOCK_WAIT_MS);
    }
  }
}

/**
 * Does a night's work and tells it, however it ends; a failure is thrown again.
 *
 * @param hasEnded false after work that another process will go on with
 */
export async function toldNight(
  settings: Settings,
  night: Night,
  work: () => Promise<void>,
  hasEnded: () => boolean = () => true,
): Promise<void> {
  try {
    await work();
  } catch (failure) {
    // The run that holds the state reports itself.
    if (!(failure instanceof StateInUse)) await tell(settings, night, { failure, ended: true });
    throw failure;
  }
  await tell(settings, night, { ended: hasEnded() });
}
