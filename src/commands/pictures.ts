/**
 * Snapshot → thumbnails: writes a small, re-encoded copy of each picture that a quote names into the site's folder.
 *
 * Requests to the service's own host count in the ledger of the harvest. This stage never waits: a host that asks for a wait
 * gets no more requests in this run, nor in any run before the wait is over.
 */
import { join } from "node:path";
import { readAskedWaitMs, throttleWaitMs } from "../http/wait.ts";
import { RUNTIME } from "../client/connection.ts";
import { StoppedEarly } from "../contract/errors.ts";
import type { Ledger } from "../contract/ledger.ts";
import { retryAfterMs } from "../http/retry-after.ts";
import { SecretFinder } from "../util/secrets.ts";
import type { Refusal } from "../images/fetch-picture.ts";
import { makeThumbnails, type PictureReport } from "../images/thumbnails.ts";
import type { Settings } from "../settings/settings.ts";
import { openPublished } from "../snapshot/index.ts";
import { takeLock } from "../snapshot/lock.ts";
import { openIntactWork } from "../snapshot/recover.ts";
import { openLedger } from "../snapshot/work/ledger.ts";
import { EMBEDDED_ORIGIN } from "./embedded.ts";
import { hostOf } from "../harvest/run/session.ts";

export interface PicturesHow {
  readonly signal: AbortSignal;
  readonly showProgress: (line: string) => void;
  /** Address of the embedded service, where the settings name no service. */
  readonly embeddedUrl: string | undefined;
  /** False to use only pictures that were fetched before. */
  readonly network: boolean;
}

/**
 * Makes the thumbnails of the published snapshot.
 *
 * @throws {PublishRefused} under the policy `fail`, when a picture cannot be fetched
 */
export async function makePictures(
  settings: Settings,
  { signal, showProgress, embeddedUrl, network }: PicturesHow,
): Promise<PictureReport> {
  const { stateDir, outDir, site, service, secrets, now } = settings;
  using snapshot = openPublished(stateDir);
  const finder = new SecretFinder(secrets);
  const make = (budget: PictureBudget): Promise<PictureReport> =>
    makeThumbnails(snapshot?.images() ?? [], {
      ...{ ...budget, network, signal, now },
      cacheDir: join(stateDir, "thumbnails"),
      outDir: join(outDir, "_pictures"),
      policy: site.pictures,
      ownOrigin: service.baseUrl === null ? EMBEDDED_ORIGIN : new URL(service.baseUrl).origin,
      ...(embeddedUrl === undefined ? {} : { ownAddress: embeddedUrl }),
      redact: (text) => finder.redact(text),
      onProgress: (pictures) => showProgress(`${pictures} pictures`),
    });
  // Without requests it needs no budget, and no lock.
  return await (network ? withPictureBudget(settings, make) : make(NO_REQUESTS));
}

export interface PictureBudget {
  /** Counts one request to the service's host in the budget; false when it must not be sent. */
  readonly mayRequest: () => boolean;
  /** Stores the time before which the service's host gets no request. */
  readonly onRefusal: (refusal: Refusal) => void;
}

const NO_REQUESTS: PictureBudget = { mayRequest: () => false, onRefusal: () => undefined };

/**
 * Calls `work` with a budget: the requests that `--max-requests` leaves to the run, and none before the time that the service
 * named. The requests of a run that was killed count.
 */
export async function withPictureBudget<T>(
  settings: Settings,
  work: (budget: PictureBudget) => Promise<T>,
): Promise<T> {
  using opened = new DisposableStack();
  try {
    opened.use(takeLock(settings.stateDir));
  } catch (error) {
    if (!(error instanceof StoppedEarly)) throw error;
    // Another run uses the ledger, so the number of its requests is unknown.
    return await work(NO_REQUESTS);
  }
  const database = opened.use(openIntactWork(settings.stateDir));
  const ledger = openLedger(database, hostOf(settings), settings.now, true);
  return await work(budgetOf(ledger, settings)).finally(() => ledger.close());
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
      // The stage decides about failures that name no time.
      if (!throttled && (askedMs ?? 0) === 0) return;
      refused = true;
      if (throttled) ledger.learnQuota(null, askedMs);
      ledger.postpone(now() + throttleWaitMs(askedMs, 1, RUNTIME.random()));
    },
  };
}
