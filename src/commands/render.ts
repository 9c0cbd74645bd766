/**
 * `npm run render`: the site alone, from the snapshot that stands and the pictures that were fetched before. Needs no
 * network.
 *
 * A share of the pages (`--shard`) is pages alone: what belongs to the whole site is made where shares are merged.
 */
import { COMMON_OPTIONS } from "../settings/tables.ts";
import { Night } from "./night/night.ts";
import { snapshotIn } from "./night/collect.ts";
import { toldNight } from "./night/tell.ts";
import type { Program } from "./program.ts";
import { describeMade, siteStages, type Made } from "./site-stages.ts";
import { runStages } from "./stages.ts";

export const renderProgram: Program = {
  name: "render",
  summary: "Makes the site from the snapshot; needs no network.",
  options: COMMON_OPTIONS,
  async run({ settings, signal }) {
    const night = Night.of(settings.stateDir, snapshotIn(settings.stateDir));
    const made: Made = {};
    const make = siteStages({ settings, signal, night, made });
    const pictures = make.pictures(() => ({ embeddedUrl: undefined, spent: 0, network: false }));
    const whole = [pictures, make.cards, make.render, make.search, make.report];
    const stages = settings.shard === null ? whole : [make.render];
    const work = (): Promise<void> =>
      runStages(
        stages.map((stage) => night.timed(stage)),
        settings.output.quiet,
      );
    if (settings.shard !== null) {
      await work();
      return { text: describeMade(made, settings.outDir).join("\n"), result: made.render };
    }
    const report = await toldNight(settings, night, work);
    const text = describeMade(made, settings.outDir).join("\n");
    return { text, result: { ...made.render, ...made, night: report } };
  },
};
