/**
 * `npm run merge`: joins the shards of a site, and runs the stages that need the whole site: fetched pictures, Open Graph images,
 * search, host and report.
 *
 * Without a snapshot it only joins the pages.
 */
import { mergeShares } from "../render/shards.ts";
import { settingOf } from "../settings/sources.ts";
import { storePages, openSiteAs } from "../site/index.ts";
import { readPointer } from "../snapshot/index.ts";
import { describeMade } from "./describe.ts";
import { OutputFolder } from "./output-folder.ts";
import type { Outcome, ProgramContext } from "./program.ts";
import { continueRun, runAndReport } from "./reporting/run-record.ts";
import { siteStages } from "./site-stages.ts";
import { runStages, type Stage } from "./stages.ts";

export async function run(context: ProgramContext): Promise<Outcome> {
  const { signal, options } = context;
  const { settings } = context;
  const { stateDir, outDir } = settings;
  const output = new OutputFolder(settings);
  const hasSnapshot = readPointer(stateDir) !== null;
  // The stages below make the whole site, even where SITE_SHARD is set.
  const record = continueRun({ ...settings, shard: null }, signal);
  const { made } = record;
  const merge: Stage = {
    title: "Merge",
    run: () => {
      output.change();
      made.merge = mergeShares({ parts: settingOf("parts", options), stateDir, outDir });
      if (!hasSnapshot) return;
      output.joined();
      using site = openSiteAs(settings);
      storePages(stateDir, site);
    },
  };
  if (hasSnapshot) {
    const { keptPictures, cards, search, host, report } = siteStages(record);
    await runAndReport(record, [merge, keptPictures, cards, search, host, report]);
    output.leave();
  } else await runStages([merge], settings.output.quiet);
  return {
    text: describeMade(made, outDir).join("\n"),
    result: { ...made.merge, ...made, night: record.report },
  };
}
