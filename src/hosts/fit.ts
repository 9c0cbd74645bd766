/**
 * Compares the size of the site with the limits of its host: an estimate before the render, real files and bytes after it.
 */
import { PublishRefused } from "../contract/errors.ts";
import { measureSite, type ListedFiles } from "../files/walk.ts";
import { hostOf, type HostPreset } from "./presets.ts";
import {
  describeExcess,
  describeFit,
  excesses,
  fitToHost,
  publishedShape,
  sizeOfSite,
  sureExcesses,
  type Excess,
  type SiteShape,
  type SiteSize,
  type SizeSettings,
} from "../plan/index.ts";
import type { Settings } from "../settings/settings.ts";
import { dayOf, MOST_DAYS, readDays } from "../site/index.ts";

export function presetOf({ site }: Settings): HostPreset {
  return hostOf(site.host, site.hostLimits);
}

const hasLimits = ({ limits }: HostPreset): boolean =>
  Object.values(limits).some((limit) => limit !== null);

/** @param mostDays days that have a page; by default those of the past and today */
export function sizeFor(
  shape: SiteShape,
  sizes: SizeSettings,
  { stateDir, date, now, voteBaseUrl }: Settings,
  mostDays?: number,
): SiteSize {
  const today = date ?? dayOf(new Date(now()));
  const days = mostDays ?? Math.min(new Set(readDays(stateDir).keys()).add(today).size, MOST_DAYS);
  return sizeOfSite(shape, sizes, { days, votes: voteBaseUrl !== null });
}

/**
 * Refuses a site of the published snapshot that its host would not accept.
 *
 * @throws {PublishRefused} with settings that the host accepts, where there are some
 */
export function refuseOversized(settings: Settings): void {
  // The shape takes reading every quote, so it is computed only for a host with limits.
  const shape = hasLimits(presetOf(settings)) ? publishedShape(settings.stateDir) : null;
  const refusal = shape === null ? null : refusalFor(settings, shape);
  if (refusal !== null) throw new PublishRefused(refusal);
}

/** Why the host does not accept a site of this shape, and what to do; null where it accepts it. */
export function refusalFor(settings: Settings, shape: SiteShape): string | null {
  const { site } = settings;
  const { title, limits } = presetOf(settings);
  const [excess] = sureExcesses(sizeFor(shape, site, settings), limits);
  if (excess === undefined) return null;
  // The advice must not depend on the day, so the site gets room for all days.
  const fitted = fitToHost(site, limits, (sizes) => sizeFor(shape, sizes, settings, MOST_DAYS));
  const advice =
    fitted === null
      ? "no settings make it small enough; choose another host, or set `hostLimits` for a larger plan"
      : `set ${describeFit(site, fitted)} in site/config.ts, or choose another host`;
  return `Cannot render for ${title}: about ${describeExcess(excess)}: ${advice}`;
}

/** The limits of its host that the finished site exceeds. */
export function hostExcesses(settings: Settings, listed?: ListedFiles): Excess[] {
  const preset = presetOf(settings);
  if (!hasLimits(preset)) return [];
  return excesses(measureSite(settings.outDir, new Set(), listed), preset.limits);
}
