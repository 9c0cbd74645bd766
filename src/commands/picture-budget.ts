/**
 * The budget of pictures that live on the service's own host: the ledger of the harvest before them, gone on with.
 */
import { StoppedEarly } from "../contract/errors.ts";
import type { Settings } from "../settings/settings.ts";
import { takeLock, type Lock } from "../snapshot/lock.ts";
import { openLedger } from "../snapshot/work/ledger.ts";
import { openWork } from "../snapshot/work/work.ts";
import { blockFor, hostOf } from "./harvesting/session.ts";

/** Takes one request to the service's host from the budget; false when none may be sent. */
export type MayRequest = () => boolean;

/**
 * Does `work` within what the run's `--max-requests` leaves, a run that was killed in it included, and not before the
 * time that the service named.
 *
 * @throws {DiskError} when the state cannot be written
 */
export async function withPictureBudget<T>(
  settings: Settings,
  work: (mayRequest: MayRequest) => Promise<T>,
): Promise<T> {
  const lock = lockOrNull(settings.stateDir);
  // Another run has the ledger: what it sends is not known, so nothing more is sent.
  if (lock === null) return work(() => false);
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
      const mayRequest = (): boolean => {
        const spent = maxRequests !== null && ledger.requests >= maxRequests;
        if (spent || settings.now() < ledger.notBefore) return false;
        ledger.spend();
        return true;
      };
      return await work(mayRequest).finally(() => ledger.close());
    } finally {
      database.close();
    }
  } finally {
    lock.release();
  }
}

function lockOrNull(stateDir: string): Lock | null {
  try {
    return takeLock(stateDir);
  } catch (error) {
    if (error instanceof StoppedEarly) return null;
    throw error;
  }
}
