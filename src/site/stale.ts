/**
 * Whether the quotes have grown old: the harvest has not come through for longer than the site's settings allow.
 *
 * The one thing pages show that depends on the clock. It changes seldom, and then on every page at once.
 */
import { openSite } from "./open-site.ts";
import { siteSettings } from "./settings.ts";

const DAY_MS = 86_400_000;

let known: string | null | undefined;

/** When the data was read, ISO 8601 in UTC, where that is too long ago; null where it is not, or is not known. */
export function staleSince(): string | null {
  if (known === undefined) {
    const { dataAsOf } = openSite().summary();
    const { site, now } = siteSettings();
    known = isStale(dataAsOf, site.staleAfterDays, now()) ? dataAsOf : null;
  }
  return known;
}

/** @param now in milliseconds since the epoch */
export function isStale(dataAsOf: string | null, afterDays: number, now: number): boolean {
  return dataAsOf !== null && now - Date.parse(dataAsOf) > afterDays * DAY_MS;
}
