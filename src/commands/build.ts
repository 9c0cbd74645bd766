/**
 * `npm run build`: harvest, plan, pictures, cards, render, search, host, report and audit, in this order and in one display.
 *
 * The harvest comes first and may end it all: then nothing of the last site was touched. From then on the site has no
 * `build.json` until it is whole, and that says how its audit ended.
 */
import { PublishRefused } from "../contract/errors.ts";
import { describeMade } from "./describe.ts";
import { withService } from "./embedded.ts";
import { describeHarvest, harvestStage, refusalIn } from "./harvest-program.ts";
import { RunRecord } from "./run-record/run-record.ts";
import { runAndReport } from "./run-record/report-run.ts";
import type { Outcome, Program, ProgramContext } from "./program.ts";
import { siteStages, type Making } from "./site-stages.ts";
import { runStages } from "./stages.ts";

export const buildProgram: Program = {
  run: (context) => withService(context.settings, (embeddedUrl) => build(context, embeddedUrl)),
};

async function build(
  { settings, signal }: ProgramContext,
  embeddedUrl: string | undefined,
): Promise<Outcome> {
  const record = RunRecord.begin();
  // What the host takes is known once the harvest is; `--fit` may then change what the pages are made with.
  const making: Making = { settings, signal, record, made: {} };
  const { parts } = record;
  const make = siteStages(making);
  const pictures = make.pictures({ embeddedUrl, network: true });
  const ofTheSite = [
    ...[make.plan, pictures, make.cards, make.render],
    ...[make.search, make.host, make.report, make.audit],
  ];
  const skip = (): boolean => (parts.harvest?.snapshot ?? null) === null;
  const stages = [
    harvestStage({ settings, signal, embeddedUrl, record }),
    ...ofTheSite.map((stage) => ({ ...stage, skip })),
  ].map((stage) => record.timed(stage));
  try {
    await runAndReport(settings, record, () => runStages(stages, settings.output.quiet));
  } catch (error) {
    // Every finding of the audit is printed, not only the first.
    if (!(error instanceof PublishRefused) || making.made.audit === undefined) throw error;
    return { ...outcomeOf(making), refusal: error };
  }
  return outcomeOf(making);
}

function outcomeOf({ settings, record, made }: Making): Outcome {
  const { harvest } = record.parts;
  const harvested = harvest === undefined ? [] : [describeHarvest(harvest)];
  return {
    text: [...harvested, ...describeMade(made, settings.outDir)].join("\n"),
    result: { harvest, ...made, night: record.report },
    refusal: harvest === undefined ? undefined : refusalIn(harvest),
  };
}
