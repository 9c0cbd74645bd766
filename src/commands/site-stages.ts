/** The stages that make a site of a snapshot, for `build`, `render` and `merge`. */
import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { factsLine } from "../contract/author-facts.ts";
import { REPORT_FILES } from "../files/folders.ts";
import { listSite, measureSite, type ListedFiles } from "../files/walk.ts";
import { prepareHost, type HostReport } from "../hosts/prepare-host.ts";
import { localeOf, translationOf } from "../i18n/locale.ts";
import { makeOgImages } from "../images/og/make-images.ts";
import { recordOthers } from "../render/written-files.ts";
import { indexSite } from "../search/index-site.ts";
import type { Settings } from "../settings/settings.ts";
import { attributionIn, attributionOf, ogRequests, openSiteAs } from "../site/index.ts";
import { requirePublished } from "../snapshot/index.ts";
import { themeColours } from "../themes/colours.ts";
import { OutputFolder } from "./output-folder.ts";
import { auditOutput, settleAudit } from "./site-audit.ts";
import { expectedKinds } from "./expected-pages.ts";
import { presetOf, refuseOversized } from "../hosts/fit.ts";
import { picturesStage } from "./pictures.ts";
import { renderApart } from "./render-site.ts";
import { correctionNotes, sourceNote } from "./reporting/notes.ts";
import type { RunRecord } from "./reporting/run-record.ts";
import { siteRemarks } from "../themes/site-remarks.ts";
import { publicFolders, themePlaces } from "../themes/site-folder.ts";
import type { Stage } from "./stages.ts";

export function siteStages(record: RunRecord) {
  const { settings, signal, made, earlier } = record;
  /** The files of the site, listed by the stage "Report" for itself and the audit. */
  let listed: ListedFiles | undefined;
  const stage = (title: string, run: Stage["run"]): Stage => ({ title, run });
  return {
    plan: stage("Plan", () => {
      refuseOversized(settings);
      // Fails without a snapshot, before Astro bundles anything.
      using site = openSiteAs(settings);
      const corrections = correctionNotes(site.corrected(), site.summary().copies);
      const overrides = siteRemarks(settings.site.theme);
      const source = sourceNote(settings);
      made.notes = { ...earlier.notes, ...made.notes, source, corrections, overrides };
    }),
    pictures: picturesStage(record, true),
    /** Uses pictures that were fetched before, without requests. */
    keptPictures: picturesStage(record, false),
    cards: stage("Open Graph images", async (showProgress) => {
      const { stateDir, outDir, site: config, shard, now } = settings;
      const cacheDir = join(stateDir, "cards");
      using site = openSiteAs(settings);
      made.cards = await makeOgImages(ogRequests(site, config), {
        cacheDir,
        // The pages of a shard only name the images; the merge copies them from the cache into the site.
        outDir: shard === null ? join(outDir, "_cards") : join(cacheDir, "files"),
        site: config.title,
        attribution: attributionOf(settings)?.name ?? null,
        theme: themeColours(config.theme, themePlaces()),
        signal,
        now,
        onProgress: (done) => showProgress({ done, of: null, what: "images" }),
      });
    }),
    render: stage("Render", async (showProgress) => {
      new OutputFolder(settings).change();
      made.render = await renderApart(settings, { signal, showProgress });
      made.notes = { ...made.notes, pages: made.render.remarks ?? [] };
    }),
    search: stage("Search", async (showProgress) => {
      const { outDir, stateDir } = settings;
      using site = openSiteAs(settings);
      const curated = site.curatedIds();
      const author = site.largest("author").map((listing) => ({
        ...listing,
        about: factsLine(site.factsOf(listing.name)),
      }));
      const names = { author, tag: site.tags() };
      const how = { signal, onProgress: showProgress, curated, names };
      made.search = await indexSite({ outDir, stateDir, ...how });
    }),
    host: stage("Host", () => {
      made.host = prepareHostOf(settings);
    }),
    report: stage("Report", () => {
      const { stateDir, outDir, now } = settings;
      const files = listSite(outDir);
      const changes = recordOthers(settings, files, REPORT_FILES);
      using snapshot = requirePublished(stateDir);
      using site = openSiteAs(settings);
      const { quotes, copies, dataAsOf } = site.summary();
      const facts = {
        snapshot: snapshot.id,
        harvest: snapshot.fact("harvest") ?? null,
        dataAsOf,
        quotes,
        copies,
        languages: Object.fromEntries(site.languages().map(({ name, quotes }) => [name, quotes])),
        pages: expectedKinds(site, settings),
        changes,
        thumbnails: earlier.pictures ?? made.pictures ?? null,
      };
      made.report = new OutputFolder(settings).describe(facts, new Date(now()), files);
      for (const name of REPORT_FILES) {
        const there = lstatSync(join(outDir, name), { throwIfNoEntry: false });
        if (there === undefined) files.delete(name);
        else files.set(name, there);
      }
      listed = files;
    }),
    audit: stage("Audit", async (showProgress) => {
      const audit = await auditOutput(settings, showProgress, { listed, signal });
      const refusal = settleAudit(record, audit);
      if (refusal !== undefined) throw refusal;
    }),
  };
}

/** Writes headers and redirects for the host of the finished pages. */
export function prepareHostOf(settings: Settings): HostReport {
  const { stateDir, outDir, site } = settings;
  const folders = publicFolders();
  const preset = presetOf(settings);
  const locale = localeOf(site.language, "en");
  using reader = openSiteAs(settings);
  return prepareHost({
    ...{ preset, outDir, stateDir, reader },
    origin: site.url,
    base: site.base,
    words: {
      lang: locale.language.tag,
      dir: locale.language.dir,
      moved: translationOf(locale.code).moved,
      siteTitle: site.title,
      attribution: attributionIn(locale, settings),
    },
    isPublic: (file) => folders.some((folder) => existsSync(join(folder, file))),
    // All files are counted only for a host that limits them.
    files: preset.limits.files === null ? 0 : measureSite(outDir).files,
  });
}
