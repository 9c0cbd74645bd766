/** Builds a whole site of given quotes with the product's own renderer, into a folder of its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderSite } from "../../src/render/render.ts";
import { readSettings, renderEnvironment } from "../../src/settings/settings.ts";
import { notePages, openSiteAs } from "../../src/site/index.ts";
import { siteConfig } from "../../src/site.config.ts";
import { makeSnapshot, type SnapshotDraft } from "./make-snapshot.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Only the plan is made here; pages ask for the day themselves. */
const TODAY = "2026-11-21";

export interface BuiltSite {
  readonly outDir: string;
  readonly stateDir: string;
  remove(): void;
}

/** @param variables such as SITE_BASE and SITE_THEME */
export async function buildSite(
  draft: SnapshotDraft,
  variables: Readonly<Record<string, string>> = {},
): Promise<BuiltSite> {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-site-"));
  const outDir = join(folder, "dist");
  const { stateDir } = makeSnapshot({ stateDir: join(folder, "state"), ...draft });
  const settings = readSettings({ out: outDir }, { ...variables, STATE_DIR: stateDir }, siteConfig);
  const { STATE_DIR = "", ...environment } = renderEnvironment(settings);
  await renderSite({
    root: ROOT,
    stateDir,
    outDir,
    environment,
    places: { STATE_DIR },
    prepare: () => {
      const site = openSiteAs({ ...settings, date: TODAY });
      notePages(stateDir, site);
      site.close();
    },
    threads: 1,
  });
  return { outDir, stateDir, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
