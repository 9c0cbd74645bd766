/** `npm run plan`: what a build would cost, before it is spent. */
import { shapeOf, sizeOfSite, type SiteShape, type SiteSize } from "../plan/size.ts";
import type { Settings } from "../settings/settings.ts";
import { COMMON_OPTIONS } from "../settings/tables.ts";
import { AUTHORS_PER_PAGE } from "../site/read/prepare.ts";
import { openPublished } from "../snapshot/published/read.ts";
import { withService } from "./embedded.ts";
import { estimateHarvest, type HarvestEstimate } from "./harvesting/estimate.ts";
import type { Program } from "./program.ts";

export const planProgram: Program = {
  name: "plan",
  summary: "Says what a build would cost: calls, minutes, pages, files, bytes.",
  options: COMMON_OPTIONS,
  run: ({ settings, signal }) =>
    withService(settings, async (embeddedUrl) => {
      const harvest = await estimateHarvest(settings, { signal, embeddedUrl });
      const size = sizeOfSite(shapeFor(settings, harvest.quotes), {
        perPage: settings.site.perPage,
        authorsPerPage: AUTHORS_PER_PAGE,
        quotePages: settings.site.quotePages,
      });
      return { text: describePlan(harvest, size), result: { harvest, site: size } };
    }),
};

/** The shape of the last snapshot, grown to the size of the collection; without one, that of collections we know. */
function shapeFor({ stateDir }: Settings, quotes: number): SiteShape {
  const snapshot = openPublished(stateDir);
  const known = snapshot?.count() ?? 0;
  try {
    if (snapshot === null || known === 0) return typicalShape(quotes);
    let bytes = 0;
    for (const { text } of snapshot.all()) bytes += Buffer.byteLength(text);
    const names = {
      author: snapshot.authors(),
      tag: snapshot.tags(),
      language: snapshot.languages(),
    };
    return grown(shapeOf(names, snapshot.tagList(), bytes / known), quotes / known);
  } finally {
    snapshot?.close();
  }
}

/** More of the same: as many more authors, each as large; larger tags and languages, each as many. */
function grown(shape: SiteShape, factor: number): SiteShape {
  const larger = (sizes: readonly number[]): number[] => sizes.map((size) => size * factor);
  const authors = shape.terms.author;
  const more = Math.round(authors.length * factor);
  return {
    ...shape,
    quotes: Math.round(shape.quotes * factor),
    terms: {
      author: Array.from({ length: more }, (_, place) => authors[place % authors.length] ?? 1),
      tag: larger(shape.terms.tag),
      language: larger(shape.terms.language),
    },
    initials: larger(shape.initials),
  };
}

/** Of 190,000 real quotes: an author for every five, two tags to a quote among some two hundred, a dozen languages. */
function typicalShape(quotes: number): SiteShape {
  const alike = (count: number, size: number): number[] => new Array<number>(count).fill(size);
  return {
    quotes,
    textBytes: 160,
    terms: {
      author: alike(Math.ceil(quotes / 5), 5),
      tag: alike(200, (quotes * 2) / 200),
      language: alike(12, quotes / 12),
    },
    initials: alike(40, quotes / 200),
  };
}

function describePlan(harvest: HarvestEstimate, { pages, files, bytes }: SiteSize): string {
  const count = (number: number): string => Math.round(number).toLocaleString("en");
  const all = Object.values(pages).reduce((sum, number) => sum + number, 0);
  const { quota, quotaShare } = harvest;
  return [
    `about ${count(harvest.quotes)} quotes, known from ${harvest.from === "probes" ? `${harvest.spent} probes` : "the last run"}`,
    `about ${count(harvest.requests)} calls (${count(harvest.curatedRequests)} for what is curated) of ${count(harvest.pageSize)} quotes, ${harvest.minutes.toFixed(1)} minutes, waits not counted`,
    quota === null || quotaShare === null
      ? "the service's quota is not known"
      : `${(quotaShare * 100).toFixed(0)} % of a quota of ${count(quota.limit ?? 0)} calls`,
    ...(harvest.nights > 1 ? [`${harvest.nights} nights within --max-requests`] : []),
    ...(harvest.notBefore === null ? [] : [`nothing may be asked before ${harvest.notBefore}`]),
    `about ${count(all)} pages, ${count(files)} files, ${count(bytes / 1e6)} MB; pictures and search come on top`,
  ].join("\n");
}
