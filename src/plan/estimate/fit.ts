/**
 * The smallest change of a site's settings that makes a host take it.
 *
 * Fewer pages to embed come first, then fewer Open Graph images, fewer quotes with a page of their own, more quotes on a
 * page, and tags without a listing: in the order in which readers would miss them. The same collection gives the same choice.
 */
import type { HostLimits } from "../../contract/host.ts";
import type { SizeSettings } from "./shape.ts";
import type { SiteSize } from "./size.ts";
import { surelyFits } from "./limits.ts";

const PER_PAGE = [60, 80, 100, 120, 150, 200, 250, 300, 400, 500];
const TAG_QUOTES = [2, 3, 5, 10, 20, 50, 100, 200, 500, 1_000, 10_000, 100_000, 1_000_000];

type Reducible = "embeds" | "cards" | "quotePages";

/** The smallest site that settings can make of a collection. */
export const SMALLEST: SizeSettings = {
  cards: 0,
  quotePages: 0,
  embeds: 0,
  perPage: PER_PAGE.at(-1) ?? 1,
  minTagQuotes: TAG_QUOTES.at(-1) ?? 1,
};

/**
 * @param sizeOf the site that a settings makes
 * @returns the settings to make; the one that was asked for where it fits, null where nothing does
 */
export function fitToHost(
  asked: SizeSettings,
  limits: HostLimits,
  sizeOf: (settings: SizeSettings) => SiteSize,
): SizeSettings | null {
  const fits = (settings: SizeSettings): boolean => surelyFits(sizeOf(settings), limits);
  if (fits(asked)) return asked;
  // No more quotes can have a page than there are.
  const quotePages = sizeOf(asked).pages.quote;
  const fewer = (settings: SizeSettings, setting: Reducible): SizeSettings | null => {
    const from = { ...settings, [setting]: setting === "quotePages" ? quotePages : asked[setting] };
    return fits(from) ? { ...from, [setting]: asked[setting] } : most(from, setting, fits);
  };
  const bare: SizeSettings = { ...asked, embeds: 0, cards: 0, quotePages: 0 };
  const single = fewer(asked, "embeds") ?? fewer(asked, "cards") ?? fewer(asked, "quotePages");
  if (single !== null) return single;
  const larger = [
    asked,
    ...PER_PAGE.filter((perPage) => perPage > asked.perPage).map((perPage) => ({
      ...asked,
      perPage,
    })),
  ];
  const thinner = TAG_QUOTES.filter((least) => least > asked.minTagQuotes).flatMap((minTagQuotes) =>
    larger.slice(-1).map((settings) => ({ ...settings, minTagQuotes })),
  );
  const enough = [...larger, ...thinner].find(({ perPage, minTagQuotes }) =>
    fits({ ...bare, perPage, minTagQuotes }),
  );
  if (enough === undefined) return null;
  // What was given up first may come back, as far as there is room.
  const withCards = fewer({ ...enough, embeds: 0, quotePages: 0 }, "cards") ?? {
    ...enough,
    embeds: 0,
    cards: 0,
  };
  return fewer(withCards, "quotePages") ?? { ...withCards, quotePages: 0 };
}

/**
 * The most of one setting that still fits, rounded down so that it stays the same while the collection grows a little;
 * null where not even none of it fits.
 */
function most(
  settings: SizeSettings,
  setting: Reducible,
  fits: (settings: SizeSettings) => boolean,
): SizeSettings | null {
  const having = (number: number): SizeSettings => ({ ...settings, [setting]: number });
  if (!fits(having(0))) return null;
  let enough = 0;
  let tooMany = settings[setting];
  while (tooMany - enough > 1) {
    const middle = Math.floor((enough + tooMany) / 2);
    if (fits(having(middle))) enough = middle;
    else tooMany = middle;
  }
  return having(roundedDown(enough));
}

/** To two significant figures. */
function roundedDown(number: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, number))) - 1);
  return Math.floor(number / unit) * unit;
}

/** The settings that differ, as a person would write them down. */
export function describeFit(asked: SizeSettings, fitted: SizeSettings): string {
  const names = ["embeds", "cards", "quotePages", "perPage", "minTagQuotes"] as const;
  const changed = names.filter((name) => asked[name] !== fitted[name]);
  return changed.map((name) => `${name} ${fitted[name]} (was ${asked[name]})`).join(", ");
}
