/** The stages that make a site of a snapshot, as `build`, `render` and `merge` put them together. */
import type { AuditReport } from "../audit/audit.ts";
import type { HostReport } from "../hosts/prepare-host.ts";
import type { MergeReport } from "../render/merge.ts";
import type { RenderReport } from "../render/rendering.ts";
import { withdrawReport } from "../report/report-file.ts";
import type { BuildReport } from "../report/report.ts";
import type { SearchReport } from "../search/index-site.ts";
import type { Settings } from "../settings/settings.ts";
import type { OgReport } from "../images/og/make-images.ts";
import type { PictureReport } from "../images/report.ts";
import { auditOutput, refusalOf, settleAudit } from "./audit.ts";
import { reportBuild } from "./build-report.ts";
import { makeSiteOgImages } from "./og-images.ts";
import { fittedSettings } from "./host/limits.ts";
import { prepareHostOf } from "./host/prepare.ts";
import type { RunRecord } from "./run-record/run-record.ts";
import { renderApart } from "./render-apart.ts";
import { indexOutput } from "./search-index.ts";
import type { Stage } from "./stages.ts";
import { makePictures, type PicturesHow } from "./thumbnails.ts";

/** What each stage came to; missing where the run ended before it. */
export interface Made {
  /** What `--fit` chose. */
  fit?: string;
  pictures?: PictureReport;
  cards?: OgReport;
  render?: RenderReport;
  merge?: MergeReport;
  search?: SearchReport;
  host?: HostReport | null;
  audit?: AuditReport;
  report?: BuildReport;
}

export interface Making {
  /** Whatever `--fit` makes of them, once the harvest is known. */
  settings: Settings;
  readonly signal: AbortSignal;
  readonly record: RunRecord;
  readonly made: Made;
}

/** Makes a stage of each. */
export function siteStages(making: Making) {
  const { signal, record, made } = making;
  return {
    plan: stage("Plan", () => {
      const { settings, fit } = fittedSettings(making.settings);
      making.settings = settings;
      if (fit !== null) made.fit = fit;
    }),
    pictures: (how: Pick<PicturesHow, "embeddedUrl" | "network">): Stage =>
      stage("Pictures", async (say) => {
        // From here on the site is another than `build.json` speaks of.
        withdrawReport(making.settings.outDir);
        made.pictures = await makePictures(making.settings, { signal, say, ...how });
        if (how.network) record.parts.pictures = made.pictures;
      }),
    cards: stage("Open Graph images", async (say) => {
      made.cards = await makeSiteOgImages(making.settings, { signal, say });
    }),
    render: stage("Render", async (say) => {
      made.render = await renderApart(making.settings, { signal, say });
    }),
    search: stage("Search", async (say) => {
      made.search = await indexOutput(making.settings, { signal, say });
    }),
    host: stage("Host", () => {
      made.host = prepareHostOf(making.settings);
    }),
    report: stage("Report", () => {
      const changes = (made.render ?? made.merge)?.changes;
      if (changes === undefined) return;
      const pictures = record.parts.pictures ?? made.pictures ?? null;
      made.report = record.parts.build = reportBuild(making.settings, changes, pictures);
    }),
    audit: stage("Audit", async (say) => {
      const { settings } = making;
      const audit = (made.audit = record.parts.audit = await auditOutput(settings, say));
      const settled = settleAudit(settings.outDir, audit);
      if (settled !== null) made.report = record.parts.build = settled;
      const refusal = refusalOf(audit, settings.outDir);
      if (refusal !== undefined) throw refusal;
    }),
  };
}

const stage = (title: string, run: Stage["run"]): Stage => ({ title, run });
