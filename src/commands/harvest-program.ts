/** `npm run harvest`: the harvest alone, with its progress and what it came to. */
import { EXIT, StoppedEarly } from "../contract/errors.ts";
import type { HarvestResult } from "../contract/harvest-result.ts";
import type { Settings } from "../settings/settings.ts";
import { withService } from "./embedded.ts";
import { harvestProgress } from "./harvest-progress.ts";
import { harvest, type HarvestHow } from "./harvest.ts";
import { RunRecord } from "./run-record/run-record.ts";
import { runAndReport } from "./run-record/report-run.ts";
import { refuseForeignOutput } from "./output/own-folders.ts";
import type { Outcome, Program, ProgramContext } from "./program.ts";
import type { Making } from "./site-stages.ts";
import { runStages, type Stage } from "./stages.ts";

export const harvestProgram: Program = {
  run: (context) => withService(context.settings, (embeddedUrl) => run(context, embeddedUrl)),
};

async function run(
  { settings, options, signal }: ProgramContext,
  embeddedUrl: string | undefined,
): Promise<Outcome> {
  const record = RunRecord.begin();
  const making: Making = { settings, signal, record, made: {} };
  const stages = [harvestStage({ settings, signal, embeddedUrl, record })];
  if (options.harvestPictures === true) {
    refuseForeignOutput(settings);
    // A harvest alone loads neither Astro nor the audit.
    const { siteStages } = await import("./site-stages.ts");
    const { pictures } = siteStages(making);
    stages.push({
      ...pictures({ embeddedUrl, network: true }),
      skip: () => (record.parts.harvest?.snapshot ?? null) === null,
    });
  }
  await runAndReport(
    settings,
    record,
    () =>
      runStages(
        stages.map((stage) => record.timed(stage)),
        settings.output.quiet,
      ),
    // A site is still to be made of it, unless there is nothing to make one of.
    () => (record.parts.harvest?.exitStatus ?? EXIT.done) !== EXIT.done,
  );
  const result = record.parts.harvest;
  if (result === undefined) throw new Error("a harvest that ended gave no result");
  const { pictures } = making.made;
  const lines = [describeHarvest(result)];
  if (pictures !== undefined)
    lines.push((await import("./thumbnails.ts")).describePictures(pictures));
  return { text: lines.join("\n"), result, refusal: refusalIn(result) };
}

/** Why a harvest that left nothing to publish ended; undefined where it left something. */
export function refusalIn({ exitStatus, stopped }: HarvestResult): StoppedEarly | undefined {
  return exitStatus === EXIT.done ? undefined : new StoppedEarly(stopped ?? "Cannot go on");
}

interface Harvesting {
  readonly settings: Settings;
  readonly signal: AbortSignal;
  readonly embeddedUrl: string | undefined;
  readonly record: RunRecord;
}

/** The first stage of a build. */
export function harvestStage({ settings, signal, embeddedUrl, record }: Harvesting): Stage {
  return {
    title: "Harvest",
    run: async (say) => {
      record.parts.harvest = await harvestWith(settings, say, { signal, embeddedUrl });
    },
  };
}

/** Harvests, and shows what happens as lines of progress. */
export function harvestWith(
  settings: Settings,
  say: (line: string) => void,
  how: HarvestHow,
): Promise<HarvestResult> {
  const progress = harvestProgress(Date.now);
  return harvest(
    settings,
    (event) => {
      const line = progress(event);
      if (line !== null) say(line);
    },
    how,
  );
}

export function describeHarvest({ harvest: fact, ...result }: HarvestResult): string {
  const { added, changed, removed } = result.change;
  const standing = result.published
    ? `${result.quotes} quotes published: ${added} new, ${changed} changed, ${removed} removed`
    : "nothing published";
  const lines = [`${fact.label} (${fact.assumption})`, `${standing}; ${fact.requests} requests`];
  if (result.stopped !== null) lines.push(result.stopped);
  if (fact.quarantined > 0) lines.push(`${fact.quarantined} records could not be read`);
  for (const { offset, reason } of result.quarantined) lines.push(`  at ${offset}: ${reason}`);
  return [...lines, ...result.remarks].join("\n");
}
