/**
 * The budget of pictures that live on the service's own host: the ledger of the harvest before them, gone on with.
 *
 * Pictures never wait: a host that wants to be left alone is not asked again in this run, nor by any before its time.
 */
import { readAskedWaitMs, retryAfterMs, throttleWaitMs } from "../client/wait.ts";
import { RUNTIME } from "../client/connection.ts";
import { StoppedEarly } from "../contract/errors.ts";
import type { Ledger } from "../contract/ledger.ts";
import type { Settings } from "../settings/settings.ts";
import { takeLock, type Lock } from "../snapshot/lock.ts";
import { openLedger } from "../snapshot/work/ledger.ts";
import { openWork } from "../snapshot/work/work.ts";
import type { Refusal } from "../images/refusal.ts";
import { blockFor, hostOf } from "./harvesting/session.ts";

export interface PictureBudget {
  /** Takes one request to the service's host from the budget; false when none may be sent. */
  readonly mayRequest: () => boolean;
  /** Notes until when the service's host wants to be left alone: on disk when it returns. */
  readonly onRefusal: (refusal: Refusal) => void;
}

export const NO_REQUESTS: PictureBudget = { mayRequest: () => false, onRefusal: () => undefined };

/**
 * Does `work` within what the run's `--max-requests` leaves, a run that was killed in it included, and not before the
 * time that the service named.
 *
 * @throws {DiskError} when the state cannot be written
 */
export async function withPictureBudget<T>(
  settings: Settings,
  work: (budget: PictureBudget) => Promise<T>,
): Promise<T> {
  const lock = lockOrNull(settings.stateDir);
  // Another run has the ledger: what it sends is not known, so nothing more is sent.
  if (lock === null) return work(NO_REQUESTS);
  const { maxRequests } = settings.walk;
  try {
    const database = openWork(settings.stateDir);
    try {
      const ledger = openLedger(
        database,
        hostOf(settings),
        settings.now,
        blockFor(maxRequests),
        true,
      );
      return await work(budgetOf(ledger, settings)).finally(() => ledger.close());
    } finally {
      database.close();
    }
  } finally {
    lock.release();
  }
}

function budgetOf(ledger: Ledger, { walk, now }: Settings): PictureBudget {
  let refused = false;
  return {
    mayRequest: () => {
      const spent = walk.maxRequests !== null && ledger.requests >= walk.maxRequests;
      if (refused || spent || now() < ledger.notBefore) return false;
      ledger.countRequest();
      return true;
    },
    onRefusal: ({ throttled, header, body }) => {
      const askedMs = throttled
        ? readAskedWaitMs(header, body, now())
        : retryAfterMs(header("retry-after"), header("date"), now());
      // Trouble that names no time is for the stage to judge.
      if (!throttled && (askedMs ?? 0) === 0) return;
      refused = true;
      if (throttled) {
        ledger.learnQuota({
          at: now(),
          limit: null,
          remaining: 0,
          resetMs: askedMs,
          refused: true,
        });
      }
      ledger.postpone(now() + throttleWaitMs(askedMs, 1, RUNTIME.random()));
    },
  };
}

function lockOrNull(stateDir: string): Lock | null {
  try {
    return takeLock(stateDir);
  } catch (error) {
    if (error instanceof StoppedEarly) return null;
    throw error;
  }
}
