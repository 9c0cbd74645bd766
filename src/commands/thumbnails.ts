/** Snapshot → thumbnails: each picture that a quote names, small and safe, in the site's folder. */
import { join } from "node:path";
import { SecretFinder } from "../contract/secrets/finder.ts";
import type { Settings } from "../settings/settings.ts";
import { openPublished } from "../snapshot/index.ts";
import { makeThumbnails } from "../images/make-thumbnails.ts";
import type { PictureReport } from "../images/report.ts";
import { EMBEDDED_ORIGIN } from "./embedded.ts";
import { NO_REQUESTS, withPictureBudget, type PictureBudget } from "./picture-budget.ts";

export interface PicturesHow {
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  /** Address of the embedded service, where the settings name no other. */
  readonly embeddedUrl: string | undefined;
  /** False to use only images that were fetched before, without a request. */
  readonly network: boolean;
}

/**
 * Makes the thumbnails of the published snapshot.
 *
 * @throws {PublishRefused} under the policy `fail`, when a picture cannot be had
 * @throws {DiskError} when a file cannot be written
 */
export async function makePictures(
  settings: Settings,
  { signal, say, embeddedUrl, network }: PicturesHow,
): Promise<PictureReport> {
  const { stateDir, outDir, site, service, secrets, now } = settings;
  const snapshot = openPublished(stateDir);
  const finder = new SecretFinder(secrets);
  const make = (budget: PictureBudget): Promise<PictureReport> =>
    makeThumbnails(snapshot?.images() ?? [], {
      cacheDir: join(stateDir, "thumbnails"),
      outDir: join(outDir, "_pictures"),
      policy: site.pictures,
      ownOrigin: service.baseUrl === null ? EMBEDDED_ORIGIN : new URL(service.baseUrl).origin,
      ...(embeddedUrl === undefined ? {} : { ownAddress: embeddedUrl }),
      network,
      ...budget,
      redact: (text) => finder.redact(text),
      signal,
      now,
      onProgress: (pictures) => say(`${pictures} pictures`),
    });
  try {
    // Without requests it needs no budget, and no lock.
    return await (network ? withPictureBudget(settings, make) : make(NO_REQUESTS));
  } finally {
    snapshot?.close();
  }
}

export function describePictures({ addresses, made, reused, failures }: PictureReport): string {
  const lines = failures.map(({ address, reason, detail }) => `  ${address}: ${reason}, ${detail}`);
  const failed = addresses - made - reused;
  return [`${addresses} pictures: ${made} made, ${reused} reused, ${failed} failed`, ...lines].join(
    "\n",
  );
}
