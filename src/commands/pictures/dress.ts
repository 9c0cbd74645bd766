/** Renders the site of a snapshot in another theme and language, into a folder of its own. */
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { renderEnvironment, type Settings } from "../../settings/settings.ts";
import { openSite } from "../../site/index.ts";
import { ROOT } from "../render-site.ts";

export interface Clothes {
  readonly theme: string;
  readonly language: string;
}

/** What the renderer remembers of `dist`: another folder has a memory of its own. */
const OF_THE_OUTPUT = /^(?:output\.sqlite|memo\.bin|build-changes)/;

/** Makes what the pages read, once for all clothes. @throws {UsageError} when nothing was ever harvested */
export function prepareWardrobe(settings: Settings): void {
  Object.assign(process.env, renderEnvironment(settings));
  openSite().close();
}

/**
 * A process of its own: the modules of a bundle read their settings once.
 *
 * @param folder holds the site and the renderer's memory, so that those of the state folder stay as they are
 * @returns the folder of the site
 */
export async function renderDressed(
  settings: Settings,
  { theme, language }: Clothes,
  folder: string,
  signal?: AbortSignal,
): Promise<string> {
  const outDir = join(folder, "dist");
  const stateDir = join(folder, "state");
  mkdirSync(stateDir);
  for (const name of readdirSync(settings.stateDir)) {
    if (!OF_THE_OUTPUT.test(name)) symlinkSync(join(settings.stateDir, name), join(stateDir, name));
  }
  const dressed = { ...settings, stateDir, site: { ...settings.site, theme, language } };
  const date = settings.date === null ? {} : { SITE_DATE: settings.date };
  await promisify(execFile)(
    process.execPath,
    [
      ...[join(ROOT, "scripts/commonplace.mjs"), "render"],
      ...["--state", stateDir, "--out", outDir, "--quiet"],
    ],
    {
      cwd: ROOT,
      env: { ...process.env, ...renderEnvironment(dressed), ...date },
      ...(signal === undefined ? {} : { signal }),
    },
  );
  return outDir;
}
