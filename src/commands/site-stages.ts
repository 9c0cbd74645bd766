/** The stages that make a site of a snapshot, as `build`, `render` and `merge` put them together. */
import type { AuditReport } from "../release/audit/audit.ts";
import type { MergeReport } from "../release/render/shards/merge.ts";
import type { RenderReport } from "../release/render/render.ts";
import type { BuildReport } from "../release/report.ts";
import type { SearchReport } from "../release/search/index-site.ts";
import type { Settings } from "../settings/settings.ts";
import type { CardReport } from "../thumbnails/make-cards.ts";
import type { PictureReport } from "../thumbnails/report.ts";
import { auditOutput, describeAudit, refuseIfFound } from "./audit.ts";
import { reportBuild } from "./build-report.ts";
import { describeCards, makeSiteCards } from "./cards.ts";
import type { Night } from "./night/night.ts";
import { describeRender, renderFromSnapshot } from "./render-site.ts";
import { indexOutput } from "./search-index.ts";
import type { Stage } from "./stages.ts";
import { describePictures, makePictures, type PicturesHow } from "./thumbnails.ts";

/** What each stage came to; missing where the run ended before it. */
export interface Made {
  pictures?: PictureReport;
  cards?: CardReport;
  render?: RenderReport;
  merge?: MergeReport;
  search?: SearchReport;
  audit?: AuditReport;
  report?: BuildReport;
}

export interface Making {
  readonly settings: Settings;
  readonly signal: AbortSignal;
  readonly night: Night;
  readonly made: Made;
}

/** Makes a stage of each; `skip` is for those that follow a harvest that had nothing to show. */
export function siteStages({ settings, signal, night, made }: Making) {
  return {
    pictures: (how: () => Pick<PicturesHow, "embeddedUrl" | "spent" | "network">): Stage => ({
      title: "Pictures",
      run: async (say) => {
        made.pictures = await makePictures(settings, { signal, say, ...how() });
        if (how().network) night.parts.pictures = made.pictures;
      },
    }),
    cards: {
      title: "Cards",
      run: async (say) => {
        made.cards = await makeSiteCards(settings, { signal, say });
      },
    } satisfies Stage,
    render: {
      title: "Render",
      run: async (say) => {
        made.render = await renderFromSnapshot(settings, { signal, say });
      },
    } satisfies Stage,
    search: {
      title: "Search",
      run: async (say) => {
        made.search = await indexOutput(settings, { signal, say });
      },
    } satisfies Stage,
    audit: {
      title: "Audit",
      run: async (say) => {
        made.audit = night.parts.audit = await auditOutput(settings, say);
        refuseIfFound(made.audit, settings.outDir);
      },
    } satisfies Stage,
    report: {
      title: "Report",
      run: () => {
        const changes = (made.render ?? made.merge)?.changes;
        if (changes === undefined) return;
        const pictures = night.parts.pictures ?? made.pictures ?? null;
        made.report = night.parts.build = reportBuild(settings, changes, pictures);
      },
    } satisfies Stage,
  };
}

/** A line for each stage that ran. */
export function describeMade(made: Made, outDir: string): string[] {
  const { pictures, cards, render, merge, search, audit, report } = made;
  return [
    ...(merge === undefined ? [] : [describeMerge(merge)]),
    ...(pictures === undefined ? [] : [describePictures(pictures)]),
    ...(cards === undefined ? [] : [describeCards(cards)]),
    ...(render === undefined ? [] : [describeRender(render)]),
    ...(search === undefined
      ? []
      : [`${search.quotes} quotes to search, in ${search.files} files`]),
    ...(audit === undefined ? [] : [describeAudit(audit)]),
    ...(report === undefined
      ? []
      : [`${report.files} files, ${(report.bytes / 1e6).toFixed(1)} MB in ${outDir}`]),
  ];
}

function describeMerge({ shares, files, changes }: MergeReport): string {
  const { added, changed, removed } = changes;
  return `${shares} shards, ${files} files: ${added} new, ${changed} changed, ${removed} removed`;
}
