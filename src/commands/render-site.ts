/** Snapshot → `dist`: hands the engine what it must not look up itself. Needs no network. */
import { fileURLToPath } from "node:url";
import { renderSite, type RenderReport } from "../render/render.ts";
import { dealEnvironment, renderEnvironment, type Settings } from "../settings/settings.ts";
import { dayOf, notePages, openSiteAs } from "../site/index.ts";
import { themeSources } from "../themes/resolve.ts";

/** The project's own folder. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface RenderHow {
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/**
 * Renders every page that differs from what lies in the output folder.
 *
 * @throws {UsageError} when nothing was ever harvested into the state folder
 * @throws {DiskError} when a file cannot be written
 */
export async function renderFromSnapshot(
  settings: Settings,
  { signal, say }: RenderHow,
): Promise<RenderReport> {
  const { STATE_DIR = settings.stateDir, ...environment } = renderEnvironment(settings);
  const now = new Date(settings.now());
  const places = {
    ...dealEnvironment(settings),
    STATE_DIR,
    SITE_DATE: settings.date ?? dayOf(now),
    SITE_NOW: now.toISOString(),
  };
  return renderSite({
    root: ROOT,
    alsoFrom: themeSources(settings.site.theme, ROOT),
    environment,
    places,
    stateDir: settings.stateDir,
    outDir: settings.outDir,
    shard: settings.shard,
    signal,
    prepare: () => {
      const site = openSiteAs(settings);
      notePages(settings.stateDir, site);
      site.close();
    },
    onProgress: (rendered, of) => say(`${rendered} of ${of} pages`),
  });
}
