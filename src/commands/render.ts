/**
 * `npm run render`: renders the published snapshot, without network. A shard also makes the Open Graph images that its pages name.
 *
 * With `--whole` it runs all stages of a build after the harvest but the audit, and uses pictures that were fetched before.
 */
import { sealShare } from "../render/shards.ts";
import { recoverPublished } from "../snapshot/index.ts";
import { describeMade } from "./describe.ts";
import { OutputFolder } from "./output-folder.ts";
import { log, type Outcome, type ProgramContext } from "./program.ts";
import { linesOf } from "./reporting/notes.ts";
import { continueRun, runAndReport, type RunRecord } from "./reporting/run-record.ts";
import { siteStages } from "./site-stages.ts";
import { runStages, type Stage } from "./stages.ts";

export async function run({ settings, options, signal }: ProgramContext): Promise<Outcome> {
  for (const remark of recoverPublished(settings.stateDir, settings.now())) log(remark);
  const record = continueRun(settings, signal);
  const isWhole = options.whole === true && settings.shard === null;
  if (isWhole) {
    const { plan, keptPictures, cards, render, search, host, report } = siteStages(record);
    await runAndReport(record, [plan, keptPictures, cards, render, search, host, report]);
    new OutputFolder(settings).leave();
  } else await runStages(pagesAlone(record), settings.output.quiet);
  const { made, report } = record;
  return {
    text: [...linesOf(made.notes), ...describeMade(made, settings.outDir)].join("\n"),
    result: { ...made.render, ...made, ...(isWhole ? { night: report } : {}) },
  };
}

/** Whether pages, headers or redirects are others than before. */
function changeOf({ made }: RunRecord): "changed" | "unchanged" {
  const { added = 0, changed = 0, removed = 0 } = made.render?.changes ?? {};
  return added + changed + removed + (made.host?.changed ?? 0) === 0 ? "unchanged" : "changed";
}

function pagesAlone(record: RunRecord): Stage[] {
  const { plan, cards, render, host } = siteStages(record);
  const { outDir, shard } = record.settings;
  return [
    plan,
    // Pages of a shard need the names of their images now: a merge changes no page.
    ...(shard === null ? [] : [cards]),
    render,
    {
      ...host,
      run: async (showProgress) => {
        if (shard === null) await host.run(showProgress);
        new OutputFolder(record.settings).leave(changeOf(record));
        if (shard !== null) sealShare(outDir);
      },
    },
  ];
}
