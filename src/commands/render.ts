/**
 * `npm run render`: pages from the published snapshot. Needs no network, and starts no other program.
 *
 * Under `--whole` it makes all of a site that a build makes: cards, the search index and `build.json` too, and the pictures
 * that were fetched before.
 */
import { dropReport, restoreReport, withdrawReport } from "../report/report-file.ts";
import { recoverPublished } from "../snapshot/recover.ts";
import { describeMade } from "./describe.ts";
import { snapshotIn } from "./run-record/collect-report.ts";
import { RunRecord } from "./run-record/run-record.ts";
import { runAndReport } from "./run-record/report-run.ts";
import type { Program } from "./program.ts";
import { siteStages, type Making } from "./site-stages.ts";
import { runStages, type Stage } from "./stages.ts";

export const renderProgram: Program = {
  async run({ settings, options, signal }) {
    const recovered = recoverPublished(settings.stateDir, settings.now());
    const record = RunRecord.of(settings.stateDir, snapshotIn(settings.stateDir));
    const making: Making = { settings, signal, record, made: {} };
    const isWhole = options.whole === true && settings.shard === null;
    const stages = isWhole ? wholeSite(making) : pagesAlone(making);
    const work = (): Promise<void> =>
      runStages(
        stages.map((stage) => record.timed(stage)),
        settings.output.quiet,
      );
    if (isWhole) await runAndReport(settings, record, work);
    else await work();
    const { made } = making;
    return {
      text: [...recovered, ...describeMade(made, settings.outDir)].join("\n"),
      result: { ...made.render, ...made, ...(isWhole ? { night: record.report } : {}) },
    };
  },
};

function wholeSite(making: Making): Stage[] {
  const make = siteStages(making);
  const pictures = make.pictures({ embeddedUrl: undefined, network: false });
  return [make.plan, pictures, make.cards, make.render, make.search, make.host, make.report];
}

/** `build.json` describes audited pages only: it is kept only when no page changed. */
function pagesAlone(making: Making): Stage[] {
  const { plan, render, host } = siteStages(making);
  const { outDir, shard } = making.settings;
  const settle: Stage = {
    ...host,
    run: async (say) => {
      if (shard === null) await host.run(say);
      const { added = 0, changed = 0, removed = 0 } = making.made.render?.changes ?? {};
      if (added + changed + removed + (making.made.host?.changed ?? 0) === 0) restoreReport(outDir);
      else dropReport(outDir);
    },
  };
  const withdrawn: Stage = {
    ...render,
    run: (say) => {
      withdrawReport(outDir);
      return render.run(say);
    },
  };
  return [plan, withdrawn, settle];
}
