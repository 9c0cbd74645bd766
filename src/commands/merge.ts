/**
 * `npm run merge`: shares of the pages, each rendered on a machine of its own, joined into one site; and what belongs to
 * the whole of it: pictures that were fetched before, cards, search, host and report.
 *
 * A machine without a snapshot joins the pages and no more.
 */
import { mergeShares } from "../render/merge.ts";
import { withdrawReport } from "../report/report-file.ts";
import { settingOf } from "../settings/sources.ts";
import { notePages, openSiteAs } from "../site/index.ts";
import { describeMade } from "./describe.ts";
import { madeSettings } from "./host/limits.ts";
import { snapshotIn } from "./run-record/collect-report.ts";
import { RunRecord } from "./run-record/run-record.ts";
import { runAndReport } from "./run-record/report-run.ts";
import type { Program } from "./program.ts";
import { siteStages, type Making } from "./site-stages.ts";
import { runStages, type Stage } from "./stages.ts";

export const mergeProgram: Program = {
  async run({ settings: asked, options, signal }) {
    const parts = settingOf("parts", options);
    const { stateDir, outDir } = asked;
    const snapshot = snapshotIn(stateDir);
    const settings = snapshot === null ? asked : madeSettings(asked);
    const record = RunRecord.of(stateDir, snapshot);
    const making: Making = { settings, signal, record, made: {} };
    const merge: Stage = {
      title: "Merge",
      run: () => {
        withdrawReport(outDir);
        making.made.merge = mergeShares({ parts, stateDir, outDir });
        if (snapshot === null) return;
        const site = openSiteAs(settings);
        notePages(stateDir, site);
        site.close();
      },
    };
    const make = siteStages(making);
    const pictures = make.pictures({ embeddedUrl: undefined, network: false });
    const rest = [pictures, make.cards, make.search, make.host, make.report];
    const stages = (snapshot === null ? [merge] : [merge, ...rest]).map((each) =>
      record.timed(each),
    );
    const work = (): Promise<void> => runStages(stages, settings.output.quiet);
    if (snapshot === null) await work();
    else await runAndReport(settings, record, work);
    const { made } = making;
    return {
      text: describeMade(made, outDir).join("\n"),
      result: { ...made.merge, ...made, night: record.report },
    };
  },
};
