/**
 * `npm run build`: harvest, plan, pictures, cards, render, search, host, report and audit, in this order and in one display.
 *
 * The harvest comes first and may end it all: then nothing of the last site was touched. From then on the site has no
 * `build.json` until it is whole, and that says how its audit ended.
 */
import { PublishRefused } from "../contract/errors.ts";
import type { HarvestResult } from "../contract/harvest-result.ts";
import type { AuditReport } from "../release/audit/audit.ts";
import type { HostReport } from "../release/hosts/tell-host.ts";
import type { RenderReport } from "../release/render/render.ts";
import type { SearchReport } from "../release/search/index-site.ts";
import { settleReport, type BuildReport } from "../release/report.ts";
import { withdrawReport } from "../release/report-file.ts";
import type { CardReport } from "../thumbnails/make-cards.ts";
import type { PictureReport } from "../thumbnails/report.ts";
import { COMMON_OPTIONS, HOST_OPTIONS } from "../settings/tables.ts";
import { auditOutput, describeAudit, refusalOf } from "./audit.ts";
import { reportBuild } from "./build-report.ts";
import { describeCards, makeSiteCards } from "./cards.ts";
import { withService } from "./embedded.ts";
import { fittedSettings } from "./host/fitted.ts";
import { describeHost, tellHostOf } from "./host/tell.ts";
import { describeHarvest, harvestWith } from "./harvest-program.ts";
import type { Outcome, Program, ProgramContext } from "./program.ts";
import { describePictures, makePictures } from "./thumbnails.ts";
import { renderFromSnapshot } from "./render-site.ts";
import { describeRender } from "./render.ts";
import { indexOutput } from "./search-index.ts";
import { runStages } from "./stages.ts";

/** What each stage came to; missing where the build ended before it. */
interface Done {
  harvest?: HarvestResult;
  /** What `--fit` chose. */
  fit?: string;
  pictures?: PictureReport;
  cards?: CardReport;
  render?: RenderReport;
  search?: SearchReport;
  host?: HostReport | null;
  audit?: AuditReport;
  report?: BuildReport;
}

export const buildProgram: Program = {
  name: "build",
  summary: "Makes the whole site: harvest, pages, audit.",
  options: { ...COMMON_OPTIONS, ...HOST_OPTIONS },
  run: (context) => withService(context.settings, (embeddedUrl) => build(context, embeddedUrl)),
};

async function build(
  { settings: asked, signal }: ProgramContext,
  embeddedUrl: string | undefined,
): Promise<Outcome> {
  // What the host takes is known once the harvest is; `--fit` may then change what the pages are made with.
  let settings = asked;
  const done: Done = {};
  const nothingToShow = (): boolean => (done.harvest?.snapshot ?? null) === null;
  const stages = [
    {
      title: "Harvest",
      run: async (say: (line: string) => void) => {
        done.harvest = await harvestWith(settings, say, { signal, embeddedUrl });
      },
    },
    {
      title: "Plan",
      skip: nothingToShow,
      run: () => {
        const fitted = fittedSettings(settings);
        settings = fitted.settings;
        if (fitted.fit !== null) done.fit = fitted.fit;
      },
    },
    {
      title: "Pictures",
      skip: nothingToShow,
      run: async (say: (line: string) => void) => {
        withdrawReport(settings.outDir);
        done.pictures = await makePictures(settings, { signal, say, embeddedUrl });
      },
    },
    {
      title: "Cards",
      skip: nothingToShow,
      run: async (say: (line: string) => void) => {
        done.cards = await makeSiteCards(settings, { signal, say });
      },
    },
    {
      title: "Render",
      skip: nothingToShow,
      run: async (say: (line: string) => void) => {
        done.render = await renderFromSnapshot(settings, { signal, say });
      },
    },
    {
      title: "Search",
      skip: nothingToShow,
      run: async (say: (line: string) => void) => {
        done.search = await indexOutput(settings, { signal, say });
      },
    },
    {
      title: "Host",
      skip: nothingToShow,
      run: () => {
        done.host = tellHostOf(settings);
      },
    },
    {
      title: "Report",
      skip: nothingToShow,
      run: () => {
        if (done.render === undefined) return;
        done.report = reportBuild(settings, done.render, done.pictures ?? null);
      },
    },
    {
      title: "Audit",
      skip: nothingToShow,
      run: async (say: (line: string) => void) => {
        const audit = (done.audit = await auditOutput(settings, say));
        const verdict = audit.total === 0 ? "passed" : "failed";
        if (done.report !== undefined) {
          done.report = settleReport(settings.outDir, done.report, verdict);
        }
        const refusal = refusalOf(audit, settings.outDir);
        if (refusal !== undefined) throw refusal;
      },
    },
  ];
  try {
    await runStages(stages, settings.output.quiet);
  } catch (error) {
    // What an audit found is told in full, and not by its first line alone.
    if (!(error instanceof PublishRefused) || done.audit === undefined) throw error;
    return { ...outcomeOf(done, settings.outDir), refusal: error };
  }
  return outcomeOf(done, settings.outDir);
}

function outcomeOf(
  { harvest, fit, pictures, cards, render, search, host, audit, report }: Done,
  outDir: string,
): Outcome {
  const lines = [
    ...(harvest === undefined ? [] : [describeHarvest(harvest)]),
    ...(fit === undefined ? [] : [fit]),
    ...(pictures === undefined ? [] : [describePictures(pictures)]),
    ...(cards === undefined ? [] : [describeCards(cards)]),
    ...(render === undefined ? [] : [describeRender(render)]),
    ...(search === undefined
      ? []
      : [`${search.quotes} quotes to search, in ${search.files} files`]),
    ...(host === undefined || host === null ? [] : [describeHost(host)]),
    ...(audit === undefined ? [] : [describeAudit(audit)]),
    ...(report === undefined
      ? []
      : [`${report.files} files, ${megabytes(report.bytes)} in ${outDir}`]),
  ];
  return {
    text: lines.join("\n"),
    result: { harvest, fit, pictures, cards, render, search, host, audit, report },
    exitStatus: harvest?.exitStatus ?? 0,
  };
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
