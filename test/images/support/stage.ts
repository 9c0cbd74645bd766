/** Runs of the stage over one state folder, one after another. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { makeThumbnails, type ThumbnailOptions } from "../../../src/images/thumbnails.ts";
import type { FaultServer } from "../../support/http/index.ts";
import { tempFolder } from "../../support/run/index.ts";

export const DAY_MS = 24 * 3_600_000;

export function stageFor(host: FaultServer) {
  const folder = tempFolder("pictures");
  const cacheDir = join(folder, "thumbnails");
  const outDir = join(folder, "dist", "_pictures");
  return {
    cacheDir,
    outDir,
    run: (paths: readonly string[], more: Partial<ThumbnailOptions> = {}) =>
      makeThumbnails(
        paths.map((path) => (path.includes(":") ? path : `${host.url}${path}`)),
        // A process takes longer to start than these pictures take.
        { cacheDir, outDir, policy: "fallback", ownOrigin: host.url, lanes: 1, ...more },
      ),
    files: () => readdirSync(outDir).sort(),
  };
}
