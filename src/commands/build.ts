/**
 * `npm run build`: all stages from harvest to audit, in one progress display.
 *
 * A harvest that fails leaves the last site untouched. After it the site has no `build.json` until it is complete.
 */
import { PublishRefused } from "../contract/errors.ts";
import { describeHarvest, describeMade } from "./describe.ts";
import { withService, type Served } from "./embedded.ts";
import { harvestStage, ifHarvested } from "./harvest.ts";
import type { Outcome, ProgramContext } from "./program.ts";
import { linesOf } from "./reporting/notes.ts";
import { beginRun, reportRun, runAndReport } from "./reporting/run-record.ts";
import { refusalIn } from "./reporting/make-report.ts";
import { siteStages } from "./site-stages.ts";

export function run({ settings, signal }: ProgramContext): Promise<Outcome> {
  const failed = (failure: unknown) => reportRun(beginRun(settings, signal), failure);
  const make = async (served: Served): Promise<Outcome> => {
    // A build makes the whole site; the audit would refuse a shard.
    const record = beginRun({ ...settings, shard: null }, signal, served);
    const { made } = record;
    const { plan, pictures, cards, render, search, host, report, audit } = siteStages(record);
    const all = [plan, pictures, cards, render, search, host, report, audit];
    const stages = all.map((stage) => ifHarvested(record, stage));
    let refused: PublishRefused | undefined;
    try {
      await runAndReport(record, [harvestStage(record), ...stages]);
    } catch (error) {
      // Every finding of the audit is printed, not only the first.
      if (!(error instanceof PublishRefused) || made.audit === undefined) throw error;
      refused = error;
    }
    const { harvest } = made;
    return {
      text: [
        ...(harvest === undefined ? [] : [describeHarvest(harvest)]),
        ...linesOf(made.notes),
        ...describeMade(made, settings.outDir),
      ].join("\n"),
      result: { ...made, night: record.report },
      refusal: refused ?? refusalIn(harvest),
    };
  };
  return withService(settings, make, failed);
}
