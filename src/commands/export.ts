/** `npm run export`: the published snapshot on stdout. */
import { NothingHarvested } from "../contract/errors.ts";
import { exportQuotes } from "../snapshot/export.ts";
import { openPublished } from "../snapshot/index.ts";
import type { Outcome, ProgramContext } from "./program.ts";

export async function run({ settings }: ProgramContext): Promise<Outcome> {
  using snapshot = openPublished(settings.stateDir);
  if (snapshot === null) {
    throw new NothingHarvested(
      `Cannot export ${settings.stateDir}: nothing was harvested yet; run "npm run harvest" first`,
    );
  }
  await exportQuotes(snapshot, process.stdout);
  return {};
}
