/** `npm run harvest`: the harvest alone, with its progress and what it came to. */
import type { HarvestResult } from "../contract/harvest-result.ts";
import type { Settings } from "../settings/settings.ts";
import { COMMON_OPTIONS } from "../settings/tables.ts";
import { withService } from "./embedded.ts";
import { harvestProgress } from "./harvest-progress.ts";
import { harvest, type HarvestHow } from "./harvest.ts";
import type { Outcome, Program, ProgramContext } from "./program.ts";
import { runStages } from "./stages.ts";

export const harvestProgram: Program = {
  name: "harvest",
  summary: "Reads the service into a snapshot.",
  options: COMMON_OPTIONS,
  run: (context) => withService(context.settings, (embeddedUrl) => run(context, embeddedUrl)),
};

async function run(
  { settings, signal }: ProgramContext,
  embeddedUrl: string | undefined,
): Promise<Outcome> {
  let result: HarvestResult | undefined;
  const stage = {
    title: "Harvest",
    run: async (say: (line: string) => void) => {
      result = await harvestWith(settings, say, { signal, embeddedUrl });
    },
  };
  await runStages([stage], settings.output.quiet);
  if (result === undefined) throw new Error("a harvest that ended gave no result");
  return { text: describeHarvest(result), result, exitStatus: result.exitStatus };
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
