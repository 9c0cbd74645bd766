/** `npm run export`: the published snapshot on stdout. */
import { NO_CORRECTIONS } from "../contract/corrections.ts";
import { DiskError } from "../contract/errors.ts";
import { corrector } from "../plan/index.ts";
import { siteData } from "../settings/site-data.ts";
import {
  exportQuotes,
  isIntact,
  readPointer,
  recoverPublished,
  requirePublished,
  snapshotPath,
} from "../snapshot/index.ts";
import { log, type Outcome, type ProgramContext } from "./program.ts";

export async function run({ settings, options }: ProgramContext): Promise<Outcome> {
  const { stateDir, now } = settings;
  if (readPointer(stateDir) === null)
    for (const remark of recoverPublished(stateDir, now())) log(remark);
  using snapshot = requirePublished(stateDir);
  // Checked before the first line: a program could take an incomplete export for a complete one.
  if (!isIntact(stateDir, snapshot.id)) {
    throw new DiskError(
      `Cannot export ${snapshotPath(stateDir, snapshot.id)}: damaged; run "npm run harvest", which publishes a whole one`,
    );
  }
  const { correct } = corrector(options.raw === true ? NO_CORRECTIONS : siteData().corrections);
  await exportQuotes(snapshot, process.stdout, correct);
  return {};
}
