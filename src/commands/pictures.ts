/**
 * Snapshot → thumbnails: writes a small, re-encoded copy of each picture that a quote names into the site's folder.
 *
 * Requests to the service's own host count in the ledger of the harvest. This stage never waits: a host that asks for a wait
 * gets no more requests in this run, nor in any run before the wait is over.
 */
import { join } from "node:path";
import { serviceKey } from "../harvest/index.ts";
import { NO_REQUESTS, type PictureBudget, withPictureBudget } from "../images/budget.ts";
import { makeThumbnails, type PictureReport } from "../images/thumbnails.ts";
import { withdrawReport } from "../report/build-json.ts";
import type { Settings } from "../settings/settings.ts";
import { openPublished } from "../snapshot/index.ts";
import { SecretFinder } from "../util/secrets.ts";
import { EMBEDDED_ORIGIN } from "./embedded.ts";
import type { ShowProgress } from "./progress.ts";
import type { RunRecord } from "./reporting/run-record.ts";
import type { Stage } from "./stages.ts";

export interface PicturesHow {
  readonly signal: AbortSignal;
  readonly showProgress: ShowProgress;
  /** Address of the embedded service, where the settings name no service. */
  readonly embeddedUrl: string | undefined;
  /** False to use only pictures that were fetched before. */
  readonly network: boolean;
}

/** @param network false to use only pictures that were fetched before */
export function picturesStage(record: RunRecord, network: boolean): Stage {
  return {
    title: "Pictures",
    run: async (showProgress) => {
      const { settings, signal, embeddedUrl, made } = record;
      // As `OutputFolder.change()` does, which loads what a process with a credential must not.
      withdrawReport(settings.outDir);
      made.pictures = await makePictures(settings, { signal, showProgress, embeddedUrl, network });
    },
  };
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
  const { stateDir, outDir, site, service, proxies, secrets, now } = settings;
  using snapshot = openPublished(stateDir);
  const finder = new SecretFinder(secrets);
  const make = (budget: PictureBudget): Promise<PictureReport> =>
    makeThumbnails(snapshot?.images() ?? [], {
      ...{ ...budget, network, signal, now, proxies },
      cacheDir: join(stateDir, "thumbnails"),
      outDir: join(outDir, "_pictures"),
      policy: site.pictures,
      ownOrigin: service.baseUrl === null ? EMBEDDED_ORIGIN : new URL(service.baseUrl).origin,
      ...(embeddedUrl === undefined ? {} : { ownAddress: embeddedUrl }),
      redact: (text) => finder.redact(text),
      onProgress: (done) => showProgress({ done, of: null, what: "pictures" }),
    });
  // Without requests it needs no budget, and no lock.
  if (!network) return await make(NO_REQUESTS);
  const { maxRequests } = settings.walk;
  const budget = { stateDir, service: serviceKey(settings), maxRequests, now };
  return await withPictureBudget(budget, make);
}
