/** The stages that make a site of a snapshot, as `build`, `render` and `merge` put them together. */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../contract/errors.ts";
import type { HarvestFact } from "../contract/results.ts";
import { REPORT_FILES } from "../files/folders.ts";
import { ROOT } from "../files/name-of.ts";
import { listSite, type ListedFiles } from "../files/walk.ts";
import { makeOgImages } from "../images/og/make-images.ts";
import type { PictureReport } from "../images/report.ts";
import { recordOthers, setComplete } from "../render/written-files.ts";
import {
  settleReport,
  withdrawReport,
  writeReport,
  type BuildReport,
} from "../report/build-json.ts";
import { indexSite } from "../search/index-site.ts";
import type { Settings } from "../settings/settings.ts";
import { ogRequests, openSiteAs } from "../site/index.ts";
import { openPublished } from "../snapshot/index.ts";
import { themeColours } from "../themes/colours.ts";
import { auditOutput, refusalOf } from "./audit.ts";
import { expectedKinds } from "./expected-pages.ts";
import { fittedSettings } from "./host-limits.ts";
import { makePictures, type PicturesHow } from "./pictures.ts";
import { prepareHostOf } from "./prepare-host.ts";
import { renderApart } from "./render-apart.ts";
import type { RunRecord } from "./reporting/run-record.ts";
import { siteFolder } from "./site-folder.ts";
import type { Stage } from "./stages.ts";

export interface Making {
  /** With what `--fit` changes in them, once the harvest is known. */
  settings: Settings;
  readonly signal: AbortSignal;
  readonly record: RunRecord;
}

/** Makes a stage of each. */
export function siteStages(making: Making) {
  const { signal, record } = making;
  const { made, parts } = record;
  /** The files of the site that the report counted, which the audit need not list again. */
  let listed: ListedFiles | undefined;
  const stage = (title: string, run: Stage["run"]): Stage => ({ title, run });
  return {
    plan: stage("Plan", () => {
      const { settings, fit } = fittedSettings(making.settings);
      making.settings = settings;
      if (fit !== null) made.fit = fit;
    }),
    pictures: (how: Pick<PicturesHow, "embeddedUrl" | "network">): Stage =>
      stage("Pictures", async (showProgress) => {
        // From here on the site is another than `build.json` speaks of.
        withdrawReport(making.settings.outDir);
        made.pictures = await makePictures(making.settings, { signal, showProgress, ...how });
        if (how.network) parts.pictures = made.pictures;
      }),
    cards: stage("Open Graph images", async (showProgress) => {
      const { stateDir, outDir, site: config, service, shard, now } = making.settings;
      const cacheDir = join(stateDir, "cards");
      using site = openSiteAs(making.settings);
      made.cards = await makeOgImages(ogRequests(site, config), {
        cacheDir,
        // The pages of a shard only name the images, which stay in the cache: the merge puts them into the site.
        outDir: shard === null ? join(outDir, "_cards") : join(cacheDir, "files"),
        site: config.title,
        attribution: service.plan === "free" ? config.attribution.name : null,
        theme: themeColours(config.theme, { root: ROOT, site: siteFolder(process.env) }),
        signal,
        now,
        onProgress: (images) => showProgress(`${images} images`),
      });
    }),
    render: stage("Render", async (showProgress) => {
      made.render = await renderApart(making.settings, { signal, showProgress });
      // It is whole once its audit has passed, or the last stage of the command is done.
      setComplete(making.settings.stateDir, false);
    }),
    search: stage("Search", async (showProgress) => {
      const { outDir, stateDir } = making.settings;
      using site = openSiteAs(making.settings);
      made.search = await indexSite({
        ...{ outDir, stateDir, signal, onProgress: showProgress },
        curated: site.curatedIds(),
      });
    }),
    host: stage("Host", () => {
      made.host = prepareHostOf(making.settings);
    }),
    report: stage("Report", () => {
      if ((made.render ?? made.merge) === undefined) return;
      const pictures = parts.pictures ?? made.pictures ?? null;
      const { outDir } = making.settings;
      const files = listSite(outDir);
      const changes = recordOthers(making.settings, files, REPORT_FILES);
      made.report = parts.build = reportBuild(making.settings, changes, pictures, files);
      for (const name of REPORT_FILES) {
        const there = lstatSync(join(outDir, name), { throwIfNoEntry: false });
        if (there === undefined) files.delete(name);
        else files.set(name, there);
      }
      listed = files;
    }),
    audit: stage("Audit", async (showProgress) => {
      const { settings } = making;
      const { outDir } = settings;
      const audit = await auditOutput(settings, showProgress, { listed, signal });
      made.audit = parts.audit = audit;
      const settled = settleReport(outDir, audit.total === 0 ? "passed" : "failed");
      if (settled !== null) made.report = parts.build = settled;
      const refusal = refusalOf(audit, outDir);
      if (refusal !== undefined) throw refusal;
      setComplete(settings.stateDir, true);
    }),
  };
}

/** Writes `build.json`, from the snapshot, the plan and the stages of this build. */
function reportBuild(
  settings: Settings,
  changes: BuildReport["changes"],
  thumbnails: PictureReport | null,
  listed: ListedFiles,
): BuildReport {
  const { stateDir, outDir, now } = settings;
  using snapshot = openPublished(stateDir);
  if (snapshot === null) throw new UsageError(`Cannot report on ${stateDir}: no snapshot`);
  using site = openSiteAs(settings);
  const { quotes, dataAsOf } = site.summary();
  return writeReport(
    outDir,
    {
      snapshot: snapshot.id,
      harvest: snapshot.fact<HarvestFact>("harvest") ?? null,
      dataAsOf,
      quotes,
      languages: Object.fromEntries(site.languages().map(({ name, quotes }) => [name, quotes])),
      pages: expectedKinds(site, settings),
      changes,
      thumbnails,
    },
    new Date(now()),
    listed,
  );
}
