/** The table of docs/scale.md: what collections of several sizes would cost with the settings of a new site. */
import { HOST_NAMES } from "../../src/contract/host.ts";
import { hostOf } from "../../src/hosts/presets.ts";
import { costOf, drawnShape, excesses, sizeOfSite } from "../../src/plan/index.ts";
import { siteConfigSchema } from "../../src/settings/site-config.ts";

const SIZES = [1e4, 1e5, 1e6, 1e7, 1e8];

export function scaleRows(): string[][] {
  const site = siteConfigSchema.parse({});
  return SIZES.map((quotes) => {
    const shape = drawnShape(quotes);
    const size = sizeOfSite(shape, site, { days: 1, votes: false });
    const { minutes, ...cost } = costOf(shape, size, { perPage: site.perPage, pageSize: 100 });
    const pages = Object.values(size.pages).reduce((sum, number) => sum + number, 0);
    const hosts = HOST_NAMES.filter((name) => excesses(size, hostOf(name).limits).length === 0);
    const figures = [
      ...[quotes, cost.requests, pages, size.files, size.bytes / 1e9],
      ...[minutes.first, minutes.quarter, minutes.night, cost.rewritten, cost.memoryGb],
    ];
    return [...figures.map(rounded), hosts.map((name) => `\`${name}\``).join(", ")];
  });
}

/** To two figures, since the table is an estimate. */
const rounded = (figure: number): string =>
  Number(figure.toPrecision(2)).toLocaleString("en", { maximumSignificantDigits: 2 });
