/**
 * `npm run build`: harvest, pictures, cards, render, search, report and audit, in this order and in one display.
 *
 * The harvest comes first and may end it all: then nothing of the last site was touched.
 */
import { COMMON_OPTIONS } from "../settings/tables.ts";
import { withService } from "./embedded.ts";
import { describeHarvest, harvestStage } from "./harvest-program.ts";
import { Night } from "./night/night.ts";
import { toldNight } from "./night/tell.ts";
import type { Outcome, Program, ProgramContext } from "./program.ts";
import { describeMade, siteStages, type Made } from "./site-stages.ts";
import { runStages, type Stage } from "./stages.ts";

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
  const night = Night.begin();
  const made: Made = {};
  const { parts } = night;
  const skip = (): boolean => (parts.harvest?.snapshot ?? null) === null;
  const make = siteStages({ settings, signal, night, made });
  const pictures = make.pictures(() => ({
    embeddedUrl,
    spent: parts.harvest?.harvest.requests ?? 0,
    network: true,
  }));
  const ofTheSite = [pictures, make.cards, make.render, make.search, make.report, make.audit];
  const stages: Stage[] = [
    harvestStage({ settings, signal, embeddedUrl, night }),
    ...ofTheSite.map((stage) => ({ ...stage, skip })),
  ];
  const report = await toldNight(settings, night, () =>
    runStages(
      stages.map((stage) => night.timed(stage)),
      settings.output.quiet,
    ),
  );
  const { harvest } = parts;
  const harvested = harvest === undefined ? [] : [describeHarvest(harvest)];
  return {
    text: [...harvested, ...describeMade(made, settings.outDir)].join("\n"),
    result: { harvest, ...made, night: report },
    exitStatus: harvest?.exitStatus ?? 0,
  };
}
