/** Renders the site of a snapshot in other clothes: another theme, another language, into a folder of its own. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { renderSite } from "../../render/render.ts";
import { renderEnvironment, type Settings } from "../../settings/settings.ts";
import { openSite } from "../../site/index.ts";
import { themeSources } from "../../themes/resolve.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

export interface Clothes {
  readonly theme: string;
  readonly language: string;
}

/** Makes what the pages read, once for all clothes. @throws {UsageError} when nothing was ever harvested */
export function prepareWardrobe(settings: Settings): void {
  Object.assign(process.env, renderEnvironment(settings));
  openSite().close();
}

/**
 * @param folder holds the site and the renderer's caches, so that those of the state folder stay as they are
 * @returns the folder of the site
 */
export async function renderDressed(
  settings: Settings,
  { theme, language }: Clothes,
  folder: string,
  signal?: AbortSignal,
): Promise<string> {
  const outDir = join(folder, "dist");
  const dressed = { ...settings, site: { ...settings.site, theme, language } };
  const { STATE_DIR = settings.stateDir, ...environment } = renderEnvironment(dressed);
  await renderSite({
    root: ROOT,
    alsoFrom: themeSources(theme, ROOT),
    environment,
    places: { STATE_DIR, ...(settings.date === null ? {} : { SITE_DATE: settings.date }) },
    stateDir: join(folder, "state"),
    outDir,
    prepare: () => undefined,
    ...(signal === undefined ? {} : { signal }),
  });
  return outDir;
}
