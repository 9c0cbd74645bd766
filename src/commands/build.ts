/**
 * `npm run build`: harvest, pictures, cards, render, search, audit and report, in this order and in one display.
 *
 * The harvest comes first and may end it all: then nothing of the last site was touched.
 */
import type { HarvestResult } from "../contract/harvest-result.ts";
import type { AuditReport } from "../release/audit/audit.ts";
import type { RenderReport } from "../release/render/render.ts";
import type { SearchReport } from "../release/search/index-site.ts";
import type { BuildReport } from "../release/report.ts";
import type { CardReport } from "../thumbnails/make-cards.ts";
import type { PictureReport } from "../thumbnails/report.ts";
import { COMMON_OPTIONS } from "../settings/tables.ts";
import { auditOutput, describeAudit, refuseIfFound } from "./audit.ts";
import { reportBuild } from "./build-report.ts";
import { describeCards, makeSiteCards } from "./cards.ts";
import { withService } from "./embedded.ts";
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
  pictures?: PictureReport;
  cards?: CardReport;
  render?: RenderReport;
  search?: SearchReport;
  audit?: AuditReport;
  report?: BuildReport;
}

export const buildProgram: Program = {
  name: "build",
  summary: "Makes the whole site: harvest, pages, audit.",
  options: COMMON_OPTIONS,
  run: (context) => withService(context.settings, (embeddedUrl) => build(context, embeddedUrl)),
};

async function build(
  { settings, signal }: ProgramContext,
  embeddedUrl: string | undefined,
): Promise<Outcome> {
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
      title: "Pictures",
      skip: nothingToShow,
      run: async (say: (line: string) => void) => {
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
      title: "Audit",
      skip: nothingToShow,
      run: async (say: (line: string) => void) => {
        done.audit = await auditOutput(settings, say);
        refuseIfFound(done.audit, settings.outDir);
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
  ];
  await runStages(stages, settings.output.quiet);
  return outcomeOf(done, settings.outDir);
}

function outcomeOf(
  { harvest, pictures, cards, render, search, audit, report }: Done,
  outDir: string,
): Outcome {
  const lines = [
    ...(harvest === undefined ? [] : [describeHarvest(harvest)]),
    ...(pictures === undefined ? [] : [describePictures(pictures)]),
    ...(cards === undefined ? [] : [describeCards(cards)]),
    ...(render === undefined ? [] : [describeRender(render)]),
    ...(search === undefined
      ? []
      : [`${search.quotes} quotes to search, in ${search.files} files`]),
    ...(audit === undefined ? [] : [describeAudit(audit)]),
    ...(report === undefined
      ? []
      : [`${report.files} files, ${megabytes(report.bytes)} in ${outDir}`]),
  ];
  return {
    text: lines.join("\n"),
    result: { harvest, pictures, cards, render, search, audit, report },
    exitStatus: harvest?.exitStatus ?? 0,
  };
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
