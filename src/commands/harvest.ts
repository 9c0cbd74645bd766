/** `npm run harvest`: reads the service, and publishes its quotes as a snapshot. */
import { EXIT } from "../contract/errors.ts";
import { harvest } from "../harvest/index.ts";
import { describeHarvest, describePictures } from "./describe.ts";
import { withService, type Served } from "./embedded.ts";
import { progressTo } from "./harvest-progress.ts";
import { refuseForeignOutput } from "./own-folders.ts";
import type { Outcome, ProgramContext } from "./program.ts";
import { linesOf, voteNote } from "./reporting/notes.ts";
import { beginRun, reportRun, runAndReport, type RunRecord } from "./reporting/run-record.ts";
import { refusalIn } from "./reporting/make-report.ts";
import type { Stage } from "./stages.ts";

export function run({ settings, options, signal }: ProgramContext): Promise<Outcome> {
  const failed = (failure: unknown) => reportRun(beginRun(settings, signal), failure);
  const read = async (served: Served): Promise<Outcome> => {
    const record = beginRun(settings, signal, served);
    const { made } = record;
    const stages = [harvestStage(record)];
    if (options.harvestPictures === true) {
      refuseForeignOutput(settings);
      // A harvest alone loads no picture's decoder; and never the other stages of a site.
      const { picturesStage } = await import("./pictures.ts");
      stages.push(ifHarvested(record, picturesStage(record, true)));
    }
    // Another command renders the snapshot and ends the run, unless nothing was published.
    const hasEnded = (): boolean => (made.harvest?.exitStatus ?? EXIT.done) !== EXIT.done;
    await runAndReport(record, stages, hasEnded);
    const result = made.harvest;
    if (result === undefined) throw new Error("the harvest gave no result");
    const lines = [describeHarvest(result), ...linesOf(made.notes)];
    if (made.pictures !== undefined) lines.push(describePictures(made.pictures));
    return { text: lines.join("\n"), result, refusal: refusalIn(result) };
  };
  return withService(settings, read, failed);
}

export function harvestStage(record: RunRecord): Stage {
  return {
    title: "Harvest",
    run: async (showProgress) => {
      record.made.notes = { votes: voteNote(record.settings) };
      record.made.harvest = await harvest({
        ...record,
        report: progressTo(showProgress),
      });
    },
  };
}

/** A stage that is skipped where there is no snapshot after the harvest. */
export function ifHarvested({ made }: RunRecord, stage: Stage): Stage {
  return { ...stage, skip: () => (made.harvest?.snapshot ?? null) === null };
}
