/**
 * Compares the size of the site with the limits of its host: an estimate before the render, real files and bytes after it. With
 * `--fit`, finds settings that the host accepts.
 *
 * The estimate depends only on the snapshot and the settings, so render, merge and audit get the same result.
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
 * The settings for a site of the published snapshot.
 *
 * @throws {PublishRefused} when the host would not accept the site, and `--fit` is not given or finds no settings
 */
export function fittedSettings(settings: Settings): Fitted {
  // The shape takes reading every quote, so it is computed only for a host with limits.
  const shape = hasLimits(presetOf(settings)) ? publishedShape(settings.stateDir) : null;
  if (shape === null) return { settings, fit: null, refusal: null };
  const fitted = fitShape(settings, shape);
  if (fitted.refusal !== null) throw new PublishRefused(fitted.refusal);
  return fitted;
}

/** The settings that a site was made with: `--fit` finds the same again. */
export function madeSettings(settings: Settings): Settings {
  return settings.site.fit ? fittedSettings(settings).settings : settings;
}

interface Fitted {
  readonly settings: Settings;
  /** The settings that `--fit` changed, in a line; null where it changed none. */
  readonly fit: string | null;
  /** Why the host does not accept the site, and what to do; null where it accepts it. */
  readonly refusal: string | null;
}

export function fitShape(settings: Settings, shape: SiteShape): Fitted {
  const { site } = settings;
  const { title, limits } = presetOf(settings);
  const unchanged = { settings, fit: null, refusal: null };
  const [excess] = sureExcesses(sizeFor(shape, site, settings), limits);
  if (excess === undefined && !site.fit) return unchanged;
  // The result must not depend on the day, so the site gets room for all days.
  const fitted = fitToHost(site, limits, (sizes) => sizeFor(shape, sizes, settings, MOST_DAYS));
  const changes = fitted === null ? "" : describeFit(site, fitted);
  if (site.fit && fitted !== null) {
    const fit = changes === "" ? null : `to fit ${title}: ${changes}`;
    return {
      ...unchanged,
      settings: { ...settings, site: { ...site, ...fitted, fit: false } },
      fit,
    };
  }
  const advice =
    fitted === null
      ? "no settings make it small enough; choose another host, or set `hostLimits` for a larger plan"
      : `set ${changes} in site/config.ts, or choose --fit`;
  const size = excess === undefined ? "a year of daily pages" : `about ${describeExcess(excess)}`;
  return { ...unchanged, refusal: `Cannot render for ${title}: ${size}: ${advice}` };
}

/** The limits of its host that the finished site exceeds. */
export function hostExcesses(settings: Settings, listed?: ListedFiles): Excess[] {
  const preset = presetOf(settings);
  if (!hasLimits(preset)) return [];
  return excesses(measureSite(settings.outDir, new Set(), listed), preset.limits);
}
