/**
 * `npm run render`: the site alone, from the snapshot that stands and the pictures that were fetched before. Needs no
 * network.
 *
 * A share of the pages (`--shard`) is pages alone: what belongs to the whole site is made where shares are merged.
 */
import { COMMON_OPTIONS, HOST_OPTIONS } from "../settings/tables.ts";
import { describeMade } from "./describe.ts";
import { snapshotIn } from "./night/collect.ts";
import { Night } from "./night/night.ts";
import { toldNight } from "./night/tell.ts";
import type { Program } from "./program.ts";
import { siteStages, type Making } from "./site-stages.ts";
import { runStages } from "./stages.ts";

export const renderProgram: Program = {
  name: "render",
  summary: "Makes the site from the snapshot; needs no network.",
  options: { ...COMMON_OPTIONS, ...HOST_OPTIONS },
  async run({ settings, signal }) {
    const night = Night.of(settings.stateDir, snapshotIn(settings.stateDir));
    const making: Making = { settings, signal, night, made: {} };
    const make = siteStages(making);
    const pictures = make.pictures({ embeddedUrl: undefined, network: false });
    const isWhole = settings.shard === null;
    const stages = isWhole
      ? [make.plan, pictures, make.cards, make.render, make.search, make.host, make.report]
      : [make.plan, make.render];
    const work = (): Promise<void> =>
      runStages(
        stages.map((stage) => night.timed(stage)),
        settings.output.quiet,
      );
    if (isWhole) await toldNight(settings, night, work);
    else await work();
    const { made } = making;
    const report = isWhole ? { night: night.report } : {};
    return {
      text: describeMade(made, settings.outDir).join("\n"),
      result: { ...made.render, ...made, ...report },
    };
  },
};
