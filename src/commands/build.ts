/**
 * `npm run build`: harvest, plan, pictures, cards, render, search, host, report and audit, in this order and in one display.
 *
 * The harvest comes first and may end it all: then nothing of the last site was touched. From then on the site has no
 * `build.json` until it is whole, and that says how its audit ended.
 */
import { PublishRefused } from "../contract/errors.ts";
import { describeHarvest, describeMade } from "./describe.ts";
import { withService } from "./embedded.ts";
import { harvestStage, refusalIn } from "./harvest.ts";
import type { Outcome, ProgramContext } from "./program.ts";
import { runAndReport } from "./reporting/report-run.ts";
import { RunRecord } from "./reporting/run-record.ts";
import { siteStages } from "./site-stages.ts";

export function run({ settings, signal }: ProgramContext): Promise<Outcome> {
  return withService(settings, async (embeddedUrl) => {
    const record = new RunRecord();
    const { parts, made } = record;
    // A build makes the whole site; the audit would refuse a share of it.
    const make = siteStages({ settings: { ...settings, shard: null }, signal, record });
    const ofTheSite = [
      ...[make.plan, make.pictures({ embeddedUrl, network: true }), make.cards, make.render],
      ...[make.search, make.host, make.report, make.audit],
    ];
    const skip = (): boolean => (parts.harvest?.snapshot ?? null) === null;
    const harvest = harvestStage(settings, { signal, embeddedUrl }, record);
    const stages = [harvest, ...ofTheSite.map((stage) => ({ ...stage, skip }))];
    let refused: PublishRefused | undefined;
    try {
      await runAndReport(settings, record, stages);
    } catch (error) {
      // Every finding of the audit is printed, not only the first.
      if (!(error instanceof PublishRefused) || made.audit === undefined) throw error;
      refused = error;
    }
    const harvested = parts.harvest;
    return {
      text: [
        ...(harvested === undefined ? [] : [describeHarvest(harvested)]),
        ...describeMade(made, settings.outDir),
      ].join("\n"),
      result: { harvest: harvested, ...made, night: record.report },
      refusal: refused ?? (harvested && refusalIn(harvested)),
    };
  });
}
