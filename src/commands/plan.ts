/** `npm run plan`: estimates the cost of a build. The size of the collection comes from a few probes or from the last run. */
import { PublishRefused } from "../contract/errors.ts";
import { counted } from "../util/text.ts";
import { estimate } from "../harvest/index.ts";
import { describeExcess, excesses, grown, publishedShape, typicalShape } from "../plan/index.ts";
import { planDrawn } from "./plan-drawn.ts";
import { withService } from "./embedded.ts";
import { presetOf, refusalFor, sizeFor } from "../hosts/fit.ts";
import type { Outcome, ProgramContext } from "./program.ts";

export function run({ settings, signal }: ProgramContext): Promise<Outcome> {
  if (settings.planQuotes !== null)
    return Promise.resolve(planDrawn(settings, settings.planQuotes));
  return withService(settings, async ({ embeddedUrl }) => {
    const harvest = await estimate({ settings, signal, embeddedUrl });
    const { quotes } = harvest;
    const known = publishedShape(settings.stateDir);
    // The shape of the last snapshot, scaled; without one, the shape of a typical collection.
    const shape = known === null ? typicalShape(quotes) : grown(known, quotes / known.quotes);
    const { title, limits } = presetOf(settings);
    const refusal = refusalFor(settings, shape);
    const size = sizeFor(shape, settings.site, settings);
    const over = excesses(size, limits);
    const count = (number: number): string => Math.round(number).toLocaleString("en");
    const roughly = (number: number, noun: string): string =>
      counted(Math.round(number), noun, count);
    const pages = Object.values(size.pages).reduce((sum, number) => sum + number, 0);
    const { quota, quotaShare, notBefore } = harvest;
    const source = harvest.from === "probes" ? counted(harvest.spent, "probe") : "the last run";
    const each = quotes === 0 ? "" : ` of ${roughly(harvest.pageSize, "quote")} each`;
    const lines = [
      `about ${roughly(quotes, "quote")}, known from ${source}`,
      `about ${roughly(harvest.requests, "request")} (${count(harvest.curatedRequests)} of them for curated quotes)${each}, ${harvest.minutes.toFixed(1)} minutes without waits`,
      quota === null || quotaShare === null
        ? "the service's quota is not known"
        : `${(quotaShare * 100).toFixed(0)} % of a quota of ${count(quota.limit ?? 0)} requests`,
      harvest.nights > 1 && `${harvest.nights} nights within --max-requests`,
      notBefore && `nothing may be asked before ${notBefore}`,
      `about ${roughly(pages, "page")}, ${roughly(size.files, "file")}, ${count(size.bytes / 1e6)} MB`,
      ...(refusal === null
        ? over.map((excess) => `${title}: about ${describeExcess(excess)}`)
        : [refusal]),
      over.length === 0 && settings.site.host !== "none" && `${title} accepts it`,
    ];
    return {
      text: lines.filter((line) => typeof line === "string").join("\n"),
      result: { harvest, site: size, host: settings.site.host, over },
      refusal: refusal === null ? undefined : new PublishRefused(refusal),
    };
  });
}
