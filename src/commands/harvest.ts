/** `npm run harvest`: reads the service, and publishes its quotes as a snapshot. */
import { counted } from "../util/text.ts";
import { EXIT } from "../contract/errors.ts";
import type { HarvestPhase, ReportHarvest } from "../contract/results.ts";
import { harvest } from "../harvest/index.ts";
import { describeHarvest, describePictures } from "./describe.ts";
import { withService } from "./embedded.ts";
import { refuseForeignOutput } from "./own-folders.ts";
import type { Outcome, ProgramContext } from "./program.ts";
import { beginRun, runAndReport, type RunRecord } from "./reporting/run-record.ts";
import { refusalIn } from "./reporting/run-report.ts";
import type { Stage } from "./stages.ts";

export function run({ settings, options, signal }: ProgramContext): Promise<Outcome> {
  return withService(settings, async (embeddedUrl) => {
    const record = beginRun(settings, signal, embeddedUrl);
    const { parts, made } = record;
    const stages = [harvestStage(record)];
    if (options.harvestPictures === true) {
      refuseForeignOutput(settings);
      // A harvest alone loads neither Astro nor the audit.
      const { siteStages } = await import("./site-stages.ts");
      stages.push(ifHarvested(record, siteStages(record).pictures));
    }
    // Another command renders the snapshot and ends the run, unless nothing was published.
    const hasEnded = (): boolean => (parts.harvest?.exitStatus ?? EXIT.done) !== EXIT.done;
    await runAndReport(record, stages, hasEnded);
    const result = parts.harvest;
    if (result === undefined) throw new Error("the harvest gave no result");
    const lines = [describeHarvest(result)];
    if (made.pictures !== undefined) lines.push(describePictures(made.pictures));
    return { text: lines.join("\n"), result, refusal: refusalIn(result) };
  });
}

export function harvestStage(record: RunRecord): Stage {
  return {
    title: "Harvest",
    run: async (showProgress) => {
      record.parts.harvest = await harvest(record.settings, progressTo(showProgress), record);
    },
  };
}

/** A stage that is skipped where there is no snapshot after the harvest. */
export function ifHarvested({ parts }: RunRecord, stage: Stage): Stage {
  return { ...stage, skip: () => (parts.harvest?.snapshot ?? null) === null };
}

const ACTIVITY: Readonly<Record<HarvestPhase, string>> = {
  walk: "reading",
  audit: "checking the order",
  slice: "reading in slices",
  freshen: "reading the quotes that change most",
  reconcile: "requesting missing quotes",
  tags: "reading the tags",
  curated: "reading which quotes are curated",
  publish: "publishing",
};

function progressTo(showProgress: (line: string) => void): ReportHarvest {
  const began = Date.now();
  let activity = ACTIVITY.walk;
  let requests = 0;
  let read = "";
  const line = (): string => `${activity}${read}, ${counted(requests, "call")}`;
  return (event) => {
    switch (event.kind) {
      case "phase":
        activity = ACTIVITY[event.phase];
        return showProgress(line());
      case "window": {
        const { quotes, windows, expected } = event;
        const left = (expected ?? 0) - quotes;
        const seconds = Math.ceil(((Date.now() - began) * left) / quotes / 1_000);
        const timeLeft = quotes === 0 || left <= 0 ? "" : `, about ${seconds} s left`;
        read = `: ${counted(quotes, "quote")}, ${counted(windows, "window")}${timeLeft}`;
        return showProgress(line());
      }
      case "call":
        requests = event.requests;
        return;
      case "wait":
        return showProgress(`waiting until ${new Date(event.until).toISOString()}: ${event.why}`);
      case "retry":
        return showProgress(`retrying: ${event.why}`);
      case "remark":
        return showProgress(event.text);
    }
  };
}
