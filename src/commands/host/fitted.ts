/**
 * Whether the host takes the site that the settings ask for, before any of it is made; and under `--fit`, the settings
 * that it takes.
 *
 * Only the snapshot and the settings decide, so render, merge and audit come to the same answer.
 */
import { PublishRefused } from "../../contract/errors.ts";
import {
  describeFit,
  ESTIMATE_ERROR,
  excesses,
  fitToHost,
  sayExcess,
  sayFigures,
  AUTHORS_PER_PAGE,
  type SizeSettings,
  type SiteShape,
  type SiteSize,
  sizeOfSite,
  SMALLEST,
  sureExcesses,
} from "../../plan/index.ts";
import { hostOf, type HostPreset } from "../../hosts/presets.ts";
import type { Settings } from "../../settings/settings.ts";
import { dayOf, MOST_DAYS, readDays } from "../../site/index.ts";
import { sizeSettingsOf, publishedShape } from "./shape.ts";

export interface Fitted {
  readonly settings: Settings;
  /** What `--fit` chose, in a line; null where nothing had to change. */
  readonly fit: string | null;
}

export function presetOf({ site }: Settings): HostPreset {
  return hostOf(site.host, site.hostLimits);
}

/**
 * What a site of some shape comes to.
 *
 * @param days that have a page: by default those of the past and today
 */
export function sizeFor(
  shape: SiteShape,
  sizes: SizeSettings,
  settings: Settings,
  days = daysOf(settings),
): SiteSize {
  const votes = settings.voteBaseUrl !== null;
  return sizeOfSite(shape, sizes, { authorsPerPage: AUTHORS_PER_PAGE, days, votes });
}

function daysOf({ stateDir, date, now }: Settings): number {
  const days = new Set(readDays(stateDir).keys()).add(date ?? dayOf(new Date(now())));
  return Math.min(days.size, MOST_DAYS);
}

/**
 * The settings to make the published snapshot's site with.
 *
 * @throws {PublishRefused} when the host would not take it, and `--fit` is not given or finds no way
 */
export function fittedSettings(settings: Settings): Fitted {
  const { limits } = presetOf(settings);
  // Reading every quote is needed only when there is a limit.
  if (Object.values(limits).every((limit) => limit === null)) return { settings, fit: null };
  const shape = publishedShape(settings.stateDir);
  return shape === null ? { settings, fit: null } : fitShape(settings, shape);
}

/** The settings that a site was made with: what `--fit` chose then, it chooses again. */
export function dealtSettings(settings: Settings): Settings {
  return settings.site.fit ? fittedSettings(settings).settings : settings;
}

export function fitShape(settings: Settings, shape: SiteShape): Fitted {
  const { title, limits } = presetOf(settings);
  const asked = sizeSettingsOf(settings);
  const sizeOf = (sizes: SizeSettings): SiteSize => sizeFor(shape, sizes, settings);
  if (settings.site.fit) {
    // The choice must not follow the day: the site has room for a year of them.
    const sizeOf = (sizes: SizeSettings): SiteSize => sizeFor(shape, sizes, settings, MOST_DAYS);
    const sizes = fitToHost(asked, limits, sizeOf);
    if (sizes === null) {
      const [excess] = excesses(sizeOf(SMALLEST), limits, (limit) => ESTIMATE_ERROR[limit]);
      const why = excess === undefined ? "it is too large" : sayFigures(excess);
      throw new PublishRefused(`Cannot fit the site to ${title}: ${why}, whatever the settings`);
    }
    const fit = describeFit(asked, sizes);
    return {
      settings: { ...settings, site: { ...settings.site, ...sizes, fit: false } },
      fit: fit === "" ? null : `to fit ${title}: ${fit}`,
    };
  }
  const [excess] = sureExcesses(sizeOf(asked), limits);
  if (excess === undefined) return { settings, fit: null };
  throw new PublishRefused(`Cannot render for ${title}: about ${sayExcess(excess)}`);
}
