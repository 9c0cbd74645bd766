/** Gathers what `build.json` says: from the snapshot, the plan and the stages of this build. */
import type { HarvestFact } from "../contract/harvest-result.ts";
import { UsageError } from "../contract/errors.ts";
import { writeReport, type BuildReport } from "../report/report.ts";
import type { Settings } from "../settings/settings.ts";
import { openSiteAs } from "../site/index.ts";
import type { PictureReport } from "../images/report.ts";
import { openPublished } from "../snapshot/index.ts";
import { expectedKinds } from "./auditing/pages.ts";

/** @throws {DiskError} when the report cannot be written */
export function reportBuild(
  settings: Settings,
  changes: BuildReport["changes"],
  pictures: PictureReport | null,
): BuildReport {
  const snapshot = openPublished(settings.stateDir);
  if (snapshot === null) throw new UsageError(`Cannot report on ${settings.stateDir}: no snapshot`);
  const site = openSiteAs(settings);
  const { quotes, dataAsOf } = site.summary();
  try {
    return writeReport(
      settings.outDir,
      {
        snapshot: snapshot.id,
        harvest: snapshot.fact<HarvestFact>("harvest") ?? null,
        dataAsOf,
        quotes,
        languages: Object.fromEntries(site.languages().map(({ name, quotes }) => [name, quotes])),
        pages: expectedKinds(site, settings),
        changes,
        thumbnails: pictures,
      },
      new Date(settings.now()),
    );
  } finally {
    site.close();
    snapshot.close();
  }
}
