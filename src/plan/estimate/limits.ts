/** Which limits of a host a site exceeds, and the settings with which the host accepts it. */
import type { HostLimits, SiteMeasure } from "../../contract/host.ts";
import type { SiteSize, SizeSettings } from "./size.ts";

const MEASURES = {
  files: ({ files }) => files,
  entries: ({ files, folders }) => files + folders,
  bytes: ({ bytes }) => bytes,
  fileBytes: ({ largestFile }) => largestFile,
  folderFiles: ({ mostFiles }) => mostFiles,
} satisfies Partial<Record<keyof HostLimits, (site: SiteMeasure) => number>>;

type Limit = keyof typeof MEASURES;

export interface Excess {
  readonly limit: Limit;
  readonly most: number;
  readonly is: number;
}

const isInBytes = (limit: Limit): boolean => limit === "bytes" || limit === "fileBytes";

/** How far an estimate may be off, as a share; a test compares it with real builds. */
export function estimateError(limit: Limit): number {
  return isInBytes(limit) ? 0.15 : 0.02;
}

/**
 * The limits that a site exceeds, in the order of `MEASURES`.
 *
 * @param errors how many times the error of an estimate is first added to each figure; may be negative
 */
export function excesses(site: SiteMeasure, limits: HostLimits, errors = 0): Excess[] {
  return (Object.keys(MEASURES) as Limit[]).flatMap((limit) => {
    const most = limits[limit];
    const is = Math.round(MEASURES[limit](site) * (1 + errors * estimateError(limit)));
    return most === null || is <= most ? [] : [{ limit, most, is }];
  });
}

/** Whether a site fits even if the estimate is too low by the whole error. */
export const surelyFits = (site: SiteMeasure, limits: HostLimits): boolean =>
  excesses(site, limits, 1).length === 0;

/** The limits that a site exceeds even if the estimate is too high by the whole error. */
export function sureExcesses(site: SiteMeasure, limits: HostLimits): Excess[] {
  const over = excesses(site, limits, -1);
  return excesses(site, limits).filter(({ limit }) => over.some((one) => one.limit === limit));
}

export function describeExcess({ limit, is, most }: Excess): string {
  const said = (number: number): string =>
    isInBytes(limit)
      ? `${(Math.round(number / 1e5) / 10).toLocaleString("en")} MB`
      : number.toLocaleString("en");
  const what = {
    files: `${said(is)} files`,
    entries: `${said(is)} files and folders`,
    bytes: said(is),
    fileBytes: `a file of ${said(is)}`,
    folderFiles: `a folder of ${said(is)} files`,
  };
  return `${what[limit]}, where ${said(most)} are allowed`;
}

const COUNTS = ["embeds", "cards", "quotePages"] as const;
const PER_PAGE = [60, 80, 100, 120, 150, 200, 250, 300, 400, 500];
const TAG_QUOTES = [2, 3, 5, 10, 20, 50, 100, 200, 500, 1_000, 10_000, 100_000, 1_000_000];

/**
 * Reduces settings until a host accepts the site. The same collection gives the same settings.
 *
 * Readers miss some things less than others, so these are reduced first, in this order: pages to embed, Open Graph images,
 * quotes with a page of their own. Then pages get larger, and tags with few quotes lose their listing.
 *
 * @returns `asked` if it fits; null if no settings do
 */
export function fitToHost(
  asked: SizeSettings,
  limits: HostLimits,
  sizeOf: (settings: SizeSettings) => SiteSize,
): SizeSettings | null {
  const fits = (settings: SizeSettings): boolean => surelyFits(sizeOf(settings), limits);
  if (fits(asked)) return asked;
  const most = { ...asked, quotePages: sizeOf(asked).pages.quote };
  /** Lowers one setting by tenths until the site fits. */
  const lower = (settings: SizeSettings, name: (typeof COUNTS)[number]): SizeSettings | undefined =>
    [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
      .map((tenths) => ({ ...settings, [name]: roundedDown((most[name] * tenths) / 10) }))
      .find(fits);
  // Each count is lowered only if removing those before it is not enough.
  let bare = asked;
  for (const name of COUNTS) {
    const lowered = lower(bare, name);
    if (lowered !== undefined) return lowered;
    bare = { ...bare, [name]: 0 };
  }
  const larger = PER_PAGE.filter((perPage) => perPage > asked.perPage);
  const perPage = larger.at(-1) ?? asked.perPage;
  const enough = [
    bare,
    ...larger.map((perPage) => ({ ...bare, perPage })),
    ...TAG_QUOTES.map((least) => ({
      ...bare,
      perPage,
      minTagQuotes: Math.max(least, asked.minTagQuotes),
    })),
  ].find(fits);
  if (enough === undefined) return null;
  // There may be room to restore some of the more important things.
  const withPages = lower(enough, "quotePages") ?? enough;
  return lower(withPages, "cards") ?? withPages;
}

/** Rounds down to two significant figures, so that small growth changes nothing. */
function roundedDown(number: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, number))) - 1);
  return Math.floor(number / unit) * unit;
}

/** The changed settings in the form of `site/config.ts`. */
export function describeFit(asked: SizeSettings, fitted: SizeSettings): string {
  const names = [...COUNTS, "perPage", "minTagQuotes"] as const;
  const changed = names.filter((name) => asked[name] !== fitted[name]);
  return changed.map((name) => `${name}: ${fitted[name]}`).join(", ");
}
