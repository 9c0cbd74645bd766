/**
 * The requests that pictures may send to the host of the service: they count in the ledger of the harvest, and none is sent
 * before the time that the service named.
 */
import { StoppedEarly } from "../contract/errors.ts";
import type { Ledger } from "../contract/ledger.ts";
import { retryAfterMs } from "../http/retry-after.ts";
import { readAskedWaitMs, throttleWaitMs } from "../http/wait.ts";
import { openIntactWork, openLedger, takeLock } from "../snapshot/index.ts";
import type { Refusal } from "./fetch-picture.ts";

export interface PictureBudget {
  /** Counts one request to the service's host in the budget; false when it must not be sent. */
  readonly mayRequest: () => boolean;
  /** Stores the time before which the service's host gets no request. */
  readonly onRefusal: (refusal: Refusal) => void;
}

export interface BudgetOptions {
  readonly stateDir: string;
  /** The service in the state. */
  readonly service: string;
  /** Requests of a run, those of the harvest included; null for no limit. */
  readonly maxRequests: number | null;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export const NO_REQUESTS: PictureBudget = { mayRequest: () => false, onRefusal: () => undefined };

/**
 * Calls `work` with a budget: the requests that `--max-requests` leaves to the run, and none before the time that the service
 * named. The requests of a run that was killed count.
 */
export async function withPictureBudget<T>(
  options: BudgetOptions,
  work: (budget: PictureBudget) => Promise<T>,
): Promise<T> {
  using opened = new DisposableStack();
  try {
    opened.use(takeLock(options.stateDir));
  } catch (error) {
    if (!(error instanceof StoppedEarly)) throw error;
    // Another run uses the ledger, so the number of its requests is unknown.
    return await work(NO_REQUESTS);
  }
  const database = opened.use(openIntactWork(options.stateDir));
  const ledger = openLedger(database, options.service, options.now, true);
  return await work(budgetOf(ledger, options)).finally(() => ledger.close());
}

function budgetOf(ledger: Ledger, { maxRequests, now }: BudgetOptions): PictureBudget {
  let refused = false;
  return {
    mayRequest: () => {
      const spent = maxRequests !== null && ledger.requests >= maxRequests;
      if (refused || spent || now() < ledger.notBefore) return false;
      ledger.countRequest();
      return true;
    },
    onRefusal: ({ throttled, header, body }) => {
      const askedMs = throttled
        ? readAskedWaitMs(header, body, now())
        : retryAfterMs(header("retry-after"), header("date"), now());
      // The stage decides about failures that name no time.
      if (!throttled && (askedMs ?? 0) === 0) return;
      refused = true;
      if (throttled) ledger.learnQuota(null, askedMs);
      ledger.postpone(now() + throttleWaitMs(askedMs, 1, Math.random()));
    },
  };
}
