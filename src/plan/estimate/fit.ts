/**
 * Settings with which a host accepts a site.
 *
 * What readers miss least is given up first: pages to embed, Open Graph images, quotes with a page of their own; then
 * pages get larger, and tags with few quotes lose their listing. The same collection gives the same choice.
 */
import type { HostLimits } from "../../contract/host.ts";
import { surelyFits } from "./limits.ts";
import type { SizeSettings } from "./shape.ts";
import type { SiteSize } from "./size.ts";

const COUNTS = ["embeds", "cards", "quotePages"] as const;
const PER_PAGE = [60, 80, 100, 120, 150, 200, 250, 300, 400, 500];
const TAG_QUOTES = [2, 3, 5, 10, 20, 50, 100, 200, 500, 1_000, 10_000, 100_000, 1_000_000];

/**
 * @param sizeOf the size of a site with some settings
 * @returns the settings that were asked for where these fit; null where none do
 */
export function fitToHost(
  asked: SizeSettings,
  limits: HostLimits,
  sizeOf: (settings: SizeSettings) => SiteSize,
): SizeSettings | null {
  const fits = (settings: SizeSettings): boolean => surelyFits(sizeOf(settings), limits);
  if (fits(asked)) return asked;
  // No more quotes can have a page than there are.
  const most = { ...asked, quotePages: sizeOf(asked).pages.quote };
  /** The most of one setting that fits, in tenths. */
  const lower = (settings: SizeSettings, name: (typeof COUNTS)[number]): SizeSettings | undefined =>
    [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
      .map((tenths) => ({ ...settings, [name]: roundedDown((most[name] * tenths) / 10) }))
      .find(fits);
  // One after the other, each only where all that was given up before is not enough.
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
  // What is missed most may come back, as far as there is room.
  const withPages = lower(enough, "quotePages") ?? enough;
  return lower(withPages, "cards") ?? withPages;
}

/** To two significant figures: it stays the same while the collection grows a little. */
function roundedDown(number: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, number))) - 1);
  return Math.floor(number / unit) * unit;
}

/** The settings that differ, as `site/config.ts` has them. */
export function describeFit(asked: SizeSettings, fitted: SizeSettings): string {
  const names = [...COUNTS, "perPage", "minTagQuotes"] as const;
  const changed = names.filter((name) => asked[name] !== fitted[name]);
  return changed.map((name) => `${name}: ${fitted[name]}`).join(", ");
}
