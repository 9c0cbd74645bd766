/**
 * Whether the host accepts the site: an estimate before it is made, real files and bytes after; and under `--fit`, the
 * settings that the host accepts.
 *
 * Only the snapshot and the settings decide, so render, merge and audit come to the same answer.
 */
import type { AuditReport } from "../audit/audit.ts";
import type { Finding } from "../audit/finding.ts";
import { PublishRefused } from "../contract/errors.ts";
import { measureSite } from "../files/walk.ts";
import { hostOf, type HostPreset } from "../hosts/presets.ts";
import {
  describeExcess,
  describeFit,
  excesses,
  fitToHost,
  grown,
  shapeOf,
  sizeOfSite,
  sureExcesses,
  typicalShape,
  type SiteShape,
  type SiteSize,
  type SizeSettings,
} from "../plan/index.ts";
import type { Settings } from "../settings/settings.ts";
import { dayOf, MOST_DAYS, readDays } from "../site/index.ts";
import { openPublished } from "../snapshot/index.ts";

export interface Fitted {
  readonly settings: Settings;
  /** What `--fit` chose, in a line; null where nothing had to change. */
  readonly fit: string | null;
  /** Why the host does not accept the site, and what to do; null where it does. */
  readonly refusal: string | null;
}

export function presetOf({ site }: Settings): HostPreset {
  return hostOf(site.host, site.hostLimits);
}

const hasLimits = ({ limits }: HostPreset): boolean =>
  Object.values(limits).some((limit) => limit !== null);

/**
 * The size of a site of some shape.
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
  return sizeOfSite(shape, sizes, { days, votes });
}

export function sizeSettingsOf({ site }: Settings): SizeSettings {
  const { perPage, quotePages, embeds, cards, minTagQuotes } = site;
  return { perPage, quotePages, embeds, cards, minTagQuotes };
}

/** The shape of the published snapshot; null where there is none, or an empty one. */
export function publishedShape(stateDir: string): SiteShape | null {
  using snapshot = openPublished(stateDir);
  if (snapshot === null || snapshot.count() === 0) return null;
  let bytes = 0;
  for (const { text } of snapshot.all()) bytes += Buffer.byteLength(text);
  let pictures = 0;
  for (const image of snapshot.images()) if (image !== "") pictures++;
  const names = {
    author: snapshot.authors(),
    tag: snapshot.tags(),
    language: snapshot.languages(),
  };
  return shapeOf(names, snapshot.tagList(), { textBytes: bytes / snapshot.count(), pictures });
}

/** The shape of the last snapshot, grown to a number of quotes; without one, that of collections we know. */
export function expectedShape(stateDir: string, quotes: number): SiteShape {
  const shape = publishedShape(stateDir);
  return shape === null ? typicalShape(quotes) : grown(shape, quotes / shape.quotes);
}

function daysOf({ stateDir, date, now }: Settings): number {
  const days = new Set(readDays(stateDir).keys()).add(date ?? dayOf(new Date(now())));
  return Math.min(days.size, MOST_DAYS);
}

/**
 * The settings to make the published snapshot's site with.
 *
 * @throws {PublishRefused} when the host would not accept it, and `--fit` is not given or finds no way
 */
export function fittedSettings(settings: Settings): Fitted {
  // Reading every quote is needed only when there is a limit.
  const shape = hasLimits(presetOf(settings)) ? publishedShape(settings.stateDir) : null;
  if (shape === null) return { settings, fit: null, refusal: null };
  const fitted = fitShape(settings, shape);
  if (fitted.refusal !== null) throw new PublishRefused(fitted.refusal);
  return fitted;
}

/** The settings that a site was made with: `--fit` chooses the same again. */
export function madeSettings(settings: Settings): Settings {
  return settings.site.fit ? fittedSettings(settings).settings : settings;
}

export function fitShape(settings: Settings, shape: SiteShape): Fitted {
  const { site } = settings;
  const { title, limits } = presetOf(settings);
  const asked = sizeSettingsOf(settings);
  const [excess] = sureExcesses(sizeFor(shape, asked, settings), limits);
  if (excess === undefined && !site.fit) return { settings, fit: null, refusal: null };
  // The choice must not depend on the day: the site has room for a year of them.
  const fitted = fitToHost(asked, limits, (sizes) => sizeFor(shape, sizes, settings, MOST_DAYS));
  const changes = fitted === null ? "" : describeFit(asked, fitted);
  if (site.fit && fitted !== null) {
    const fit = changes === "" ? null : `to fit ${title}: ${changes}`;
    return {
      settings: { ...settings, site: { ...site, ...fitted, fit: false } },
      fit,
      refusal: null,
    };
  }
  const advice =
    fitted === null
      ? "no settings make it small enough; choose another host, or set `hostLimits` for a larger plan"
      : `set ${changes} in site/config.ts, or choose --fit`;
  const size = excess === undefined ? "a year of daily pages" : `about ${describeExcess(excess)}`;
  return { settings, fit: null, refusal: `Cannot render for ${title}: ${size}: ${advice}` };
}

/**
 * Adds to a report what the host does not accept, before all else.
 *
 * @throws {DiskError} when the folder cannot be read
 */
export function withHostLimits(report: AuditReport, settings: Settings): AuditReport {
  const preset = presetOf(settings);
  if (!hasLimits(preset)) return report;
  const found = excesses(measureSite(settings.outDir), preset.limits).map((excess): Finding => ({
    kind: "host limit",
    page: preset.title,
    detail: describeExcess(excess),
  }));
  if (found.length === 0) return report;
  return {
    ...report,
    total: report.total + found.length,
    counts: { "host limit": found.length, ...report.counts },
    findings: [...found, ...report.findings],
  };
}
