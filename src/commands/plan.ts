/** `npm run plan`: what a build would cost, before it is spent. */
import { PublishRefused } from "../contract/errors.ts";
import { describeExcess, excesses, grown, typicalShape, type SiteSize } from "../plan/index.ts";
import { withService } from "./embedded.ts";
import { estimateHarvest, type HarvestEstimate } from "./harvesting/estimate.ts";
import { fitShape, presetOf, publishedShape, sizeFor } from "./host-limits.ts";
import type { Outcome, ProgramContext } from "./program.ts";

export function run({ settings, signal }: ProgramContext): Promise<Outcome> {
  return withService(settings, async (embeddedUrl) => {
    const harvest = await estimateHarvest(settings, { signal, embeddedUrl });
    const { quotes } = harvest;
    const known = publishedShape(settings.stateDir);
    // That of the last snapshot, grown; without one, that of collections we know.
    const shape = known === null ? typicalShape(quotes) : grown(known, quotes / known.quotes);
    const { title, limits } = presetOf(settings);
    const { settings: fitted, fit, refusal } = fitShape(settings, shape);
    const size = sizeFor(shape, fitted.site, settings);
    const over = excesses(size, limits);
    const lines = [
      describePlan(harvest, size),
      ...(fit === null ? [] : [fit]),
      ...(refusal === null
        ? over.map((excess) => `${title}: about ${describeExcess(excess)}`)
        : [refusal]),
      ...(over.length > 0 || settings.site.host === "none" ? [] : [`${title} accepts it`]),
    ];
    return {
      text: lines.join("\n"),
      result: { harvest, site: size, host: settings.site.host, fit, over },
      refusal: refusal === null ? undefined : new PublishRefused(refusal),
    };
  });
}

function describePlan(harvest: HarvestEstimate, { pages, files, bytes }: SiteSize): string {
  const count = (number: number): string => Math.round(number).toLocaleString("en");
  const all = Object.values(pages).reduce((sum, number) => sum + number, 0);
  const { quota, quotaShare } = harvest;
  return [
    `about ${count(harvest.quotes)} quotes, known from ${harvest.from === "probes" ? `${harvest.spent} probes` : "the last run"}`,
    `about ${count(harvest.requests)} requests (${count(harvest.curatedRequests)} of them for curated quotes) of ${count(harvest.pageSize)} quotes each, ${harvest.minutes.toFixed(1)} minutes without waits`,
    quota === null || quotaShare === null
      ? "the service's quota is not known"
      : `${(quotaShare * 100).toFixed(0)} % of a quota of ${count(quota.limit ?? 0)} requests`,
    ...(harvest.nights > 1 ? [`${harvest.nights} nights within --max-requests`] : []),
    ...(harvest.notBefore === null ? [] : [`nothing may be asked before ${harvest.notBefore}`]),
    `about ${count(all)} pages, ${count(files)} files, ${count(bytes / 1e6)} MB`,
  ].join("\n");
}
