/**
 * `npm run merge`: shares of the pages, each rendered on a machine of its own, joined into one site; and what belongs to
 * the whole of it: pictures that were fetched before, cards, search and report.
 */
import { mergeShares } from "../release/render/shards/merge.ts";
import { COMMON_OPTIONS, MERGE_OPTIONS } from "../settings/tables.ts";
import { notePages } from "../site/last-changed.ts";
import { openSiteAs } from "../site/open-site.ts";
import { Night } from "./night/night.ts";
import { snapshotIn } from "./night/collect.ts";
import { toldNight } from "./night/tell.ts";
import type { Program } from "./program.ts";
import { describeMade, siteStages, type Made } from "./site-stages.ts";
import { runStages, type Stage } from "./stages.ts";

/** Where CI systems put what earlier jobs left, one folder each. */
const DEFAULT_PARTS = "shards";

export const mergeProgram: Program = {
  name: "merge",
  summary: "Joins the pages that several machines rendered with --shard.",
  options: { ...COMMON_OPTIONS, ...MERGE_OPTIONS },
  async run({ settings, options, signal }) {
    const parts = (options["parts"] as string | undefined) ?? DEFAULT_PARTS;
    const { stateDir, outDir } = settings;
    const night = Night.of(stateDir, snapshotIn(stateDir));
    const made: Made = {};
    const make = siteStages({ settings, signal, night, made });
    const merge: Stage = {
      title: "Merge",
      run: () => {
        made.merge = mergeShares({ parts, stateDir, outDir });
        const site = openSiteAs(settings);
        notePages(stateDir, site);
        site.close();
      },
    };
    const pictures = make.pictures(() => ({ embeddedUrl: undefined, spent: 0, network: false }));
    const stages = [merge, pictures, make.cards, make.search, make.report];
    const report = await toldNight(settings, night, () =>
      runStages(
        stages.map((stage) => night.timed(stage)),
        settings.output.quiet,
      ),
    );
    return {
      text: describeMade(made, outDir).join("\n"),
      result: { ...made.merge, ...made, night: report },
    };
  },
};
