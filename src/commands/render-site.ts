/** Snapshot → `dist`: runs Astro's own build in this process. Needs no network. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { realpathSync, rmSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { build } from "astro";
import { ConfigurationError } from "../contract/errors.ts";
import { makeFolder } from "../files/disk.ts";
import { ROOT } from "../files/name-of.ts";
import { RENDER_CHANNEL, type RenderMessage } from "../render/integration.ts";
import type { RenderReport } from "../render/rendering.ts";
import { readSettings, renderEnvironment, type Settings } from "../settings/settings.ts";
import { siteData } from "../settings/site-data.ts";
import { dayOf } from "../site/index.ts";
import { themeFolders } from "../themes/theme.ts";
import { untilStopped } from "./program.ts";
import { explainFailure } from "./render-errors.ts";
import { siteFolder } from "./site-folder.ts";

export interface RenderHow {
  readonly signal: AbortSignal;
  readonly showProgress: (line: string) => void;
}

/**
 * Renders every page that differs from what lies in the output folder: `npx astro build` with these settings.
 *
 * @throws {UsageError} when nothing was ever harvested into the state folder
 * @throws {ConfigurationError} when a route cannot be rendered in threads
 * @throws {DiskError} when a file cannot be written
 */
export function renderFromSnapshot(settings: Settings, how: RenderHow): Promise<RenderReport> {
  Object.assign(process.env, buildEnvironment(settings));
  return runAstro(ROOT, settings.outDir, how);
}

/** Runs Astro's build of a project that has the integration. */
export async function runAstro(
  root: string,
  outDir: string,
  { signal, showProgress }: RenderHow,
): Promise<RenderReport> {
  let report: RenderReport | undefined;
  const listen = (message: unknown): void => {
    const progress = message as RenderMessage;
    if ("report" in progress) report = progress.report;
    else showProgress(`${progress.rendered} of ${progress.of} pages`);
  };
  subscribe(RENDER_CHANNEL, listen);
  const folder = process.cwd();
  makeFolder(outDir);
  const real = realpathSync(outDir);
  // Astro puts its bundle below the working directory, and renames files from there into the output folder.
  if (!`${real}${sep}`.startsWith(`${folder}${sep}`)) process.chdir(real);
  try {
    signal.throwIfAborted();
    // Astro cannot be stopped: the program ends, and what its threads still write is whole.
    await Promise.race([build({ root, outDir: real }), untilStopped(signal)]);
    signal.throwIfAborted();
  } catch (error) {
    rmSync(join(real, ".prerender"), { recursive: true, force: true });
    throw explainFailure(error, ROOT, forkFolders());
  } finally {
    unsubscribe(RENDER_CHANNEL, listen);
    process.chdir(folder);
  }
  if (report === undefined) {
    throw new ConfigurationError(
      "Cannot render: astro.config.mjs has no renderPages() in its integrations",
    );
  }
  return report;
}

/** The folders whose files a fork wrote. */
function forkFolders(): string[] {
  const { theme } = readSettings({}, process.env, siteData().config).site;
  const site = siteFolder(process.env);
  const own = themeFolders(theme, { root: ROOT, site }).filter((folder) =>
    relative(join(ROOT, "src/themes"), folder).startsWith(".."),
  );
  return site === null ? own : [site, ...own];
}

/** What the pages may know, as the variables that `astro.config.mjs` and its threads read. */
function buildEnvironment(settings: Settings): Record<string, string> {
  const now = new Date(settings.now());
  const { shard } = settings;
  return {
    ...renderEnvironment(settings),
    SITE_DATE: settings.date ?? dayOf(now),
    SITE_NOW: now.toISOString(),
    SITE_SHARD: shard === null ? "" : `${shard.index}/${shard.count}`,
    ASTRO_TELEMETRY_DISABLED: "1",
  };
}
