/** Snapshot → thumbnails: each picture that a quote names, small and safe, in the site's folder. */
import { join } from "node:path";
import type { Settings } from "../settings/settings.ts";
import { openPublished } from "../snapshot/published/read.ts";
import { makeThumbnails } from "../thumbnails/make-thumbnails.ts";
import type { PictureReport } from "../thumbnails/report.ts";
import { EMBEDDED_ORIGIN } from "./embedded.ts";
import { withPictureBudget } from "./picture-budget.ts";

export interface PicturesHow {
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  /** Address of the embedded service, where the settings name no other. */
  readonly embeddedUrl: string | undefined;
}

/**
 * Makes the thumbnails of the snapshot that stands.
 *
 * @throws {PublishRefused} under the policy `fail`, when a picture cannot be had
 * @throws {DiskError} when a file cannot be written
 */
export async function makePictures(
  settings: Settings,
  { signal, say, embeddedUrl }: PicturesHow,
): Promise<PictureReport> {
  const { stateDir, outDir, site, service } = settings;
  const snapshot = openPublished(stateDir);
  try {
    return await withPictureBudget(settings, (mayRequest) =>
      makeThumbnails(snapshot?.images() ?? [], {
        cacheDir: join(stateDir, "thumbnails"),
        outDir: join(outDir, "_pictures"),
        policy: site.pictures,
        ownOrigin: service.baseUrl === null ? EMBEDDED_ORIGIN : new URL(service.baseUrl).origin,
        ...(embeddedUrl === undefined ? {} : { ownAddress: embeddedUrl }),
        mayRequest,
        signal,
        onProgress: (pictures) => say(`${pictures} pictures`),
      }),
    );
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
