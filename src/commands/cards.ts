/** Snapshot → cards: the pictures that links to our pages are shown with. */
import { join } from "node:path";
import type { Settings } from "../settings/settings.ts";
import { cardRequests, openSiteAs } from "../site/index.ts";
import { themeColours } from "../themes/colours.ts";
import { makeCards, type CardReport } from "../images/make-cards.ts";
import { ROOT } from "../files/name-of.ts";
import { siteFolder } from "./site-folder.ts";

/**
 * Makes the Open Graph images of the published snapshot; unchanged ones come from the cache.
 *
 * @throws {DiskError} when a file cannot be written
 */
export async function makeSiteCards(
  settings: Settings,
  { signal, say }: { readonly signal: AbortSignal; readonly say: (line: string) => void },
): Promise<CardReport> {
  const { stateDir, outDir, site: config, service, now } = settings;
  const site = openSiteAs(settings);
  try {
    return await makeCards(cardRequests(site, config), {
      cacheDir: join(stateDir, "cards"),
      outDir: join(outDir, "_cards"),
      site: config.title,
      attribution: service.plan === "free" ? config.attribution.name : null,
      theme: themeColours(config.theme, { root: ROOT, site: siteFolder(process.env) }),
      signal,
      now,
      onProgress: (cards) => say(`${cards} cards`),
    });
  } finally {
    site.close();
  }
}

export function describeCards({ made, reused, skipped }: CardReport): string {
  return `${made + reused} cards: ${made} made, ${reused} reused, ${skipped} pages have none`;
}
