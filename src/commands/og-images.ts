/** Makes the Open Graph images of the published snapshot. */
import { join } from "node:path";
import type { Settings } from "../settings/settings.ts";
import { ogRequests, openSiteAs } from "../site/index.ts";
import { themeColours } from "../themes/colours.ts";
import { makeOgImages, type OgReport } from "../images/og/make-images.ts";
import { ROOT } from "../files/name-of.ts";
import { siteFolder } from "./site-folder.ts";

/**
 * Makes the Open Graph images of the published snapshot; unchanged ones come from the cache.
 *
 * @throws {DiskError} when a file cannot be written
 */
export async function makeSiteOgImages(
  settings: Settings,
  { signal, say }: { readonly signal: AbortSignal; readonly say: (line: string) => void },
): Promise<OgReport> {
  const { stateDir, outDir, site: config, service, now } = settings;
  const site = openSiteAs(settings);
  try {
    return await makeOgImages(ogRequests(site, config), {
      cacheDir: join(stateDir, "cards"),
      outDir: join(outDir, "_cards"),
      site: config.title,
      attribution: service.plan === "free" ? config.attribution.name : null,
      theme: themeColours(config.theme, { root: ROOT, site: siteFolder(process.env) }),
      signal,
      now,
      onProgress: (images) => say(`${images} images`),
    });
  } finally {
    site.close();
  }
}

export function describeOgImages({ made, reused, skipped }: OgReport): string {
  return `${made + reused} Open Graph images: ${made} made, ${reused} reused, ${skipped} pages have none`;
}
