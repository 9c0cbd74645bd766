/** `npm run plan -- --quotes N`: what a site of N quotes would cost, which are drawn like real ones. */
import { HOST_NAMES } from "../contract/host.ts";
import { sizeFor } from "../hosts/fit.ts";
import { hostOf } from "../hosts/presets.ts";
import { costOf, drawnShape, excesses } from "../plan/index.ts";
import type { Settings } from "../settings/settings.ts";
import { counted } from "../util/text.ts";
import type { Outcome } from "./program.ts";

/** Quotes of one answer of a service, where nothing is known of it. */
const PAGE_SIZE = 100;

/** What a site of a drawn collection would cost, without asking any service. */
export function planDrawn(settings: Settings, quotes: number): Outcome {
  const shape = drawnShape(quotes);
  const size = sizeFor(shape, settings.site, settings);
  const { walk, site } = settings;
  const pageSize = walk.pageSize ?? PAGE_SIZE;
  const cost = costOf(shape, size, { perPage: site.perPage, pageSize });
  const { first, quarter, night } = cost.minutes;
  const nights = Math.ceil(cost.requests / (walk.maxRequests ?? Infinity)) || 1;
  const accepting = HOST_NAMES.filter((name) => excesses(size, hostOf(name).limits).length === 0);
  const count = (number: number): string => Math.round(number).toLocaleString("en");
  const pages = Object.values(size.pages).reduce((sum, number) => sum + number, 0);
  const lines = [
    `${counted(quotes, "quote", count)}, drawn like real ones: ${count(shape.terms.author.length)} authors, ${shape.terms.tag.length} tags, ${shape.terms.language.length} languages`,
    `about ${counted(cost.requests, "request", count)} of ${pageSize} quotes each, in ${counted(nights, "night")}`,
    `about ${counted(pages, "page", count)}, ${counted(size.files, "file", count)}, ${count(size.bytes / 1e6)} MB`,
    `about ${first.toFixed(1)} minutes of one core from nothing, ${quarter.toFixed(1)} where four machines share the pages, ${night.toFixed(1)} in a night of 1 % changed, which rewrites ${counted(cost.rewritten, "page", count)}`,
    `about ${cost.memoryGb.toFixed(1)} GB of memory for the largest process`,
    `accepted by ${accepting.join(", ")}`,
  ];
  return {
    text: lines.join("\n"),
    result: { shape: { quotes }, site: size, cost, nights, accepting },
  };
}
